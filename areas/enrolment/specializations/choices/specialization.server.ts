import { sql } from 'kysely'
import { resourceCalls } from '#kit/contract/index.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, type Reason } from '#kit/server/base/errors.ts'
import { searchCondition } from '#kit/server/resource/list.ts'
import { workings, type Values } from '#kit/server/resource/resource.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { specialization, specializationCalls } from './specialization.contract.ts'

/** Where a specialisation belongs: to the bylaw and its faculty, and to the program it leads into. */
const belongs = (alias: string) => {
  const s = (column: string) => sql.ref(`${alias}.${column}`)
  return {
    faculty: sql`(select b.faculty_id from bylaws b where b.id = ${s('bylaw_id')})`,
    bylaw: s('bylaw_id'),
    program: s('program_id'),
  } satisfies ScopeParts
}

export const specializations = workings(specialization, {
  scope: {
    faculty: () => belongs('t').faculty,
    bylaw: () => belongs('t').bylaw,
    program: () => belongs('t').program,
  },
  /** Every reason why two programs cannot be joined in this way. */
  async beforeWrite(_ctx, tx, merged) {
    const { rows } = await sql<{ id: number; bylaw_id: number; is_general: boolean; code: string; letters: string[] }>`
      select p.id, p.bylaw_id, p.is_general, p.code, array(select gr.letter from grade_ranges gr
          join grade_types gt on gt.id = gr.grade_type_id where gt.bylaw_id = ${merged.bylaw_id}::int) as letters
      from programs p where p.id in (${merged.general_program_id}::int, ${merged.program_id}::int) and p.removed_at is null`.execute(
      tx,
    )
    const from = rows.find((row) => row.id === merged.general_program_id)
    const into = rows.find((row) => row.id === merged.program_id)
    const reasons: Reason[] = []
    if (from && !from.is_general)
      reasons.push({ field: 'general_program_id', code: 'specialization_not_general', data: { program: from.code } })
    for (const [field, one] of [
      ['general_program_id', from],
      ['program_id', into],
    ] as const) {
      if (one && one.bylaw_id !== merged.bylaw_id)
        reasons.push({ field, code: 'specialization_other_bylaw', data: { program: one.code } })
    }
    if (merged.general_program_id === merged.program_id)
      reasons.push({ field: 'program_id', code: 'specializations_elsewhere' })
    const courses = (merged.courses ?? []) as { min_letter?: string | null }[]
    for (const [i, { min_letter }] of courses.entries()) {
      if (min_letter && rows[0] && !rows[0].letters.includes(min_letter))
        reasons.push({
          field: `courses.${i}.min_letter`,
          code: 'specialization_letter',
          data: { letter: min_letter, letters: rows[0].letters.join(', ') },
        })
    }
    if (reasons.length) throw new Refusal(422, reasons)
  },
})

const generic = (name: 'list' | 'remove'): Handled['handler'] => {
  const { method, path } = resourceCalls(specialization)[name]
  return specializations.handlers.find(({ call }) => call.path === path && call.method === method)!.handler
}

export const specializationHandlers: readonly Handled[] = [
  ...specializations.handlers,
  handle(specializationCalls.options, async (ctx, { query: { bylaw_id, general_program_id, search } }) => {
    const { rows } = await sql<{ id: number; name: string; name_local: string; code: string }>`
      select t.id, t.name, t.name_local, t.code from specializations t where t.removed_at is null
        and ${scopeCondition(ctx, specializationCalls.options.permission, belongs('t'))}
        and (${bylaw_id ?? null}::int is null or t.bylaw_id = ${bylaw_id ?? null}::int)
        and (${general_program_id ?? null}::int is null or t.general_program_id = ${general_program_id ?? null}::int)
        and ${searchCondition(search ?? '', ['t.search_text']) ?? sql`true`}
      order by t.code limit 500`.execute(ctx.db)
    return { data: rows }
  }),
  handle(specializationCalls.list, (ctx, input) => generic('list')(ctx, input as never) as never),
  handle(specializationCalls.store, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const id = await specializations.insert(ctx, tx, body as Values)
      return { data: await specializations.get(ctx, tx, id, 'public') }
    }),
  ),
  handle(specializationCalls.update, (ctx, { params: { id }, body }) =>
    ctx.write(async (tx) => {
      await specializations.update(ctx, tx, id, body as Values)
      return { data: await specializations.get(ctx, tx, id, 'public') }
    }),
  ),
  handle(specializationCalls.remove, (ctx, input) => generic('remove')(ctx, input as never) as never),
]
