import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { programs } from './program.server.ts'
import { researchCalls } from './research.contract.ts'

/** Replaces the research plan; whether it is sound is asked with everything else the program says (`beforeWrite`). */
async function setPlan(
  ctx: Ctx,
  id: number,
  { research_plan, version }: { research_plan?: unknown; version?: number },
) {
  return ctx.write(async (tx) => {
    const input = { research_plan, ...(version !== undefined && { version }) }
    await programs.update(ctx, tx, id, input, 'edit_study_plan')
    return { data: await programs.get(ctx, tx, id, 'edit_study_plan') }
  })
}

/** Handlers of research plans. */
export const researchHandlers: readonly Handled[] = [
  handle(researchCalls.setResearchPlan, (ctx, { body }) => setPlan(ctx, body.program_id, body as never) as never),
  handle(researchCalls.changeResearchPlan, (ctx, { params, body }) => setPlan(ctx, params.id, body as never) as never),
]
