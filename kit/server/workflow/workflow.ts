import { sql } from 'kysely'
import { firstRow } from '#db/rows.ts'
import { endsFrom } from '#kit/contract/workflow.ts'
import type { Action, Workflow, WorkflowCalls } from '#kit/contract/workflow.ts'
import type { Ctx, Handled } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { registerStates } from '../base/registry.ts'
import { defineJob } from '../jobs/jobs.ts'
import { recordsOf } from './records.ts'
import type { LongStep, ManySteps, Moved, ServedWorkflow, StepOptions, Taken, WorkflowOptions } from './served.ts'
import { stepsOf } from './steps.ts'

export type { Moved, Percent, ServedWorkflow, Taken, WorkflowOptions } from './served.ts'

const served = new Map<string, ServedWorkflow>()
/** Every workflow that is served. */
export const servedWorkflows = (): readonly ServedWorkflow[] => [...served.values()]

/** Serves a workflow: its calls, and the functions by which others take its steps. */
export function serveWorkflow<S extends string, A extends string, Facts>(
  flow: Workflow<string, S, A, Facts>,
  calls: WorkflowCalls<A>,
  options: WorkflowOptions<S, A, Facts>,
): ServedWorkflow<S, A, Facts> {
  registerStates(options.table, flow.field, flow.states)
  const records = recordsOf({ flow, options })
  const { table, history } = records
  const { together, take, takeEach, begin, open } = stepsOf({ flow, options }, records)

  const job = defineJob<LongStep, { readonly id: number; readonly state: S }>({
    name: `${flow.name.replaceAll('_', '-')}-steps`,
    run: async (ctx, { id, action, ...rest }, progress) => {
      const { to } = await take(ctx, id, action as A, { ...rest, progress })
      return { id, state: to }
    },
  })
  /** Sends the job that takes a long step, once it is sure that it can be taken now; null: it does not take long. */
  const later = (ctx: Ctx, id: number, action: A, given: StepOptions) =>
    ctx.write(async (tx) => {
      const { moved, refused } = await together(ctx, tx, [id], action, given, true)
      const why = refused.get(id)
      if (why) throw why.refusal
      const [{ version, from }] = moved as [Moved<S, A> & { version: number }]
      if (!(await options.heavy?.(ctx, tx, id, action))) return null
      if (await ctx.services.jobs.underWay(tx, job, { id })) throw refuse(409, 'step_under_way')
      const payload = { id, action, version, reason: given.reason ?? null }
      const job_id = await ctx.services.jobs.send(tx, job, payload, { actor: ctx.actor, lang: ctx.lang })
      return { data: { id, version, state: from, [flow.field]: from }, job_id }
    })
  /** Taken up again after its process died, it goes on with those that it has not taken. */
  const manyJob = defineJob<ManySteps, Taken>({
    name: `${flow.name.replaceAll('_', '-')}-many-steps`,
    retries: 3,
    run: async (ctx, { ids, action, reason, since }, progress) => {
      const { rows } = await sql<{ id: number }>`select distinct record_id as id from step_history
        where workflow = ${flow.name} and action = ${action} and record_id = any(${ids}::int[]) and at >= ${since}::timestamptz
          and actor_id is not distinct from ${ctx.actor?.user_id ?? null}::int`.execute(ctx.db)
      const before = new Set(rows.map(({ id }) => id))
      const left = ids.filter((id) => !before.has(id))
      const share = (before.size * 100) / ids.length
      const { done, failed } = await takeEach(ctx, left, action as A, {
        reason: reason ?? undefined,
        progress: (percent) => progress(share + (percent * (100 - share)) / 100),
      })
      const taken = new Set([...before, ...done])
      return { done: ids.filter((id) => taken.has(id)), failed }
    },
  })
  const many = (ctx: Ctx, ids: readonly number[], action: A, reason: string | undefined) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{ since: string }>`select now()::text as since`.execute(tx)
      const payload = { ids: [...new Set(ids)], action, reason: reason ?? null, since: firstRow(rows).since }
      const { actor, lang } = ctx
      return { done: [], failed: [], job_id: await ctx.services.jobs.send(tx, manyJob, payload, { actor, lang }) }
    })
  /** The record as it stands when a call arrives, before whoever acts on it meanwhile is waited for. */
  const standing = async (ctx: Ctx, id: number): Promise<number | undefined> =>
    (await sql<{ version: number }>`select t.version from ${table} t where t.id = ${id}`.execute(ctx.db)).rows[0]
      ?.version
  const stepHandlers = (Object.keys(flow.actions) as A[]).map((action): Handled => ({
    call: calls.steps[action] as unknown as Handled['call'],
    handler: async (ctx: Ctx, { params, body: given }: { params: { id: number }; body: StepOptions }) => {
      // A step that leads to where it may be taken from would do of two at once, unseen, what the other has just done.
      const again = flow.states.some(({ value }) =>
        endsFrom(flow as Workflow<string, S>, value, action).includes(value),
      )
      const body = again && given.version === undefined ? { ...given, version: await standing(ctx, params.id) } : given
      const long = Boolean((flow.actions[action] as Action<S>).long)
      const sent = long && (await later(ctx, params.id, action, body))
      if (sent) return sent
      const { id, version, to } = await take(ctx, params.id, action, body)
      return { data: { id, version, state: to, [flow.field]: to }, ...(long && { job_id: null }) }
    },
  }))
  const handlers: Handled[] = [
    ...stepHandlers,
    {
      call: calls.history,
      handler: (ctx: Ctx, { params }: { params: { id: number } }) => history(ctx, params.id),
    },
  ]
  if (calls.bulk) {
    handlers.push({
      call: calls.bulk,
      handler: (ctx: Ctx, { params, body }: { params: { action: A }; body: { ids: number[]; reason?: string } }) =>
        body.ids.length > ((flow.actions[params.action] as Action<S>).many ?? Infinity)
          ? many(ctx, body.ids, params.action, body.reason)
          : takeEach(ctx, body.ids, params.action, { reason: body.reason }),
    })
  }
  const result = {
    flow,
    calls,
    table: options.table,
    reads: records.reads,
    handlers,
    job,
    manyJob,
    take,
    takeEach,
    begin,
    waiting: records.waiting,
    column: records.column,
    open,
  }
  served.set(flow.name, result)
  return result
}
