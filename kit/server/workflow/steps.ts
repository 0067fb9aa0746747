/** Takes the steps of a workflow: judges records that are locked together, writes, and tells. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { actionsFrom, checkStep, statusOf, wayFrom } from '#kit/contract/workflow.ts'
import type { Action, Workflow } from '#kit/contract/workflow.ts'
import type { Problem } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { Refusal, asRefusal, refuse, toProblem } from '../base/errors.ts'
import { quoted } from '../base/fields.ts'
import { stepNotices } from './notices.ts'
import type { Records } from './records.ts'
import type { Given, Moved, Outcome, Percent, Refused, ServedWorkflow, StepOptions } from './served.ts'

/** Records of one unit of work when many take a step: what one of them meets holds up no more than these. */
const TOGETHER = 50
/** Once one was busy, the rest is not waited for. */
const LESS_PATIENCE = 250

/** Takes steps with one record, or with many of which each succeeds or fails by itself. */
export function stepsOf<S extends string, A extends string, Facts>(given: Given<S, A, Facts>, records: Records<S>) {
  const { flow, options } = given
  const { table, lock } = records
  const { tell, tellWaiting } = stepNotices(given, records)

  const write = async (
    ctx: Ctx,
    tx: Tx,
    moved: readonly Moved<S, A>[],
    progress?: Percent,
  ): Promise<Map<number, number>> => {
    const given = JSON.stringify(moved)
    const { actor } = ctx
    const kept = sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state, reason)
      select ${flow.name}, x.id, ${actor?.user_id ?? null}::int, ${actor?.impersonator_id ?? null}::int, x.action, x."from", x."to", x.reason
      from jsonb_to_recordset(${given}::jsonb) as x (id int, action text, "from" text, "to" text, reason text) order by x.id`
    await options.state?.write(ctx, tx, moved, progress)
    const { rows } = options.state
      ? await sql<{ id: number; version: number }>`with kept as (${kept})
          select t.id, t.version from ${table} t where t.id = any(${moved.map((one) => one.id)}::int[])`.execute(tx)
      : await sql<{ id: number; version: number }>`with kept as (${kept})
          update ${table} t set ${sql.raw(quoted(flow.field))} = x."to"
          from jsonb_to_recordset(${given}::jsonb) as x (id int, "to" text) where t.id = x.id returning t.id, t.version`.execute(
          tx,
        )
    return new Map(rows.map((row) => [row.id, row.version]))
  }

  /** Judges records that are locked together, and takes the step with those that can; `dry` only judges. */
  const together = async (
    ctx: Ctx,
    tx: Tx,
    ids: readonly number[],
    action: A,
    { reason, version, progress }: StepOptions,
    dry = false,
  ): Promise<Outcome<S, A>> => {
    const refused = new Map<number, Refused>()
    const rows = await lock(ctx, tx, ids)
    const found = new Set(rows.map((row) => row.id))
    for (const id of ids) if (!found.has(id)) refused.set(id, { refusal: refuse(404, 'not_found') })
    const possible = rows.filter((row) => {
      const { id, name } = row
      const way = wayFrom(flow as Workflow<string, S>, row.state, action, row.left)
      if (!row.there) refused.set(id, { name, refusal: refuse(409, 'removed_record') })
      else if (way && version !== undefined && version !== row.version)
        refused.set(id, {
          name,
          refusal: refuse(409, 'changed_meanwhile', { version: row.version, [flow.field]: row.state }),
        })
      else return true
      return false
    })
    const judged = possible
      .filter(({ state: at, left: before, held }) =>
        wayFrom(flow as Workflow<string, S>, at, action, before)?.permission.some((key) => held[key]),
      )
      .map((row) => row.id)
    const known: Action<S, Facts> = flow.actions[action]
    const facts = judged.length ? await options.facts?.(ctx, tx, judged, action) : undefined
    const closed = known.window && judged.length ? await options.closed?.(ctx, tx, known.window, judged) : undefined
    const moved: Moved<S, A>[] = []
    for (const { id, name, state: from, left: before = null, held, own } of possible) {
      const reasons = checkStep(flow, action, {
        state: from,
        left: before,
        may: (wanted) => wanted.some((key) => held[key]),
        own,
        reason: reason ?? null,
        facts: judged.includes(id) ? (facts?.get(id) ?? ({} as Facts)) : null,
        closed: closed?.get(id) ?? null,
      })
      const way = wayFrom(flow as Workflow<string, S>, from, action, before)
      if (reasons.length || !way) refused.set(id, { name, refusal: new Refusal(statusOf(reasons), reasons) })
      else moved.push({ id, name, action, from, to: way.to, reason: reason?.trim() || null })
    }
    if (!moved.length) return { moved: [], refused }
    if (dry) {
      const seen = new Map(rows.map((row) => [row.id, row.version]))
      return { moved: moved.map((one) => ({ ...one, version: seen.get(one.id)! })), refused }
    }
    const versions = await write(ctx, tx, moved, progress)
    await options.effect?.(ctx, tx, moved)
    await tell(tx, moved)
    await tellWaiting(ctx, tx, moved)
    return { moved: moved.map((one) => ({ ...one, version: versions.get(one.id) as number })), refused }
  }

  const take: ServedWorkflow<S, A, Facts>['take'] = (ctx, id, action, given = {}) =>
    ctx.write(
      async (tx) => {
        const { moved, refused } = await together(ctx, tx, [id], action, given)
        const why = refused.get(id)
        if (why) throw why.refusal
        return moved[0]!
      },
      { reason: given.reason ?? null },
    )

  const takeEach: ServedWorkflow<S, A, Facts>['takeEach'] = async (ctx, ids, action, { reason, progress } = {}) => {
    const done = new Set<number>()
    const refused = new Map<number, Refused>()
    let patience: number | undefined
    const some = async (wanted: readonly number[]): Promise<void> => {
      if (!wanted.length) return
      try {
        const outcome = await ctx.attempt(() =>
          ctx.write((tx) => together(ctx, tx, wanted, action, { reason }), {
            reason: reason ?? null,
            ...(patience && { patience }),
          }),
        )
        for (const { id } of outcome.moved) done.add(id)
        for (const [id, why] of outcome.refused) refused.set(id, why)
      } catch (error) {
        const refusal = asRefusal(error)
        const busy = refusal?.reasons[0]?.code === 'data_busy'
        if (!refusal || (refusal.status === 503 && !busy)) throw error
        if (busy) patience = LESS_PATIENCE
        const [only] = wanted
        if (wanted.length === 1 && only !== undefined) return void refused.set(only, { refusal })
        // Which of them it was is found by halves.
        const half = Math.ceil(wanted.length / 2)
        await some(wanted.slice(0, half))
        await some(wanted.slice(half))
      }
    }
    const all = [...new Set(ids)]
    for (let i = 0; i < all.length; i += TOGETHER) {
      await some(all.slice(i, i + TOGETHER))
      await progress?.((100 * Math.min(all.length, i + TOGETHER)) / all.length)
    }
    return {
      done: all.filter((id) => done.has(id)),
      failed: all.flatMap((id) => {
        const why = refused.get(id)
        return why ? [{ id, ...(why.name && { name: why.name }), errors: why.refusal.reasons.map(toProblem) }] : []
      }),
    }
  }

  const begin: ServedWorkflow<S, A, Facts>['begin'] = async (
    ctx,
    tx,
    id,
    to,
    { action = 'begin', reason = null } = {},
  ) => {
    await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, to_state, reason)
      values (${flow.name}, ${id}, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, ${action}, ${to}, ${reason})`.execute(
      tx,
    )
    await tellWaiting(ctx, tx, [{ id, to }])
  }

  const open: ServedWorkflow<S, A, Facts>['open'] = (ctx, at, { held, own, left: before = null }, facts) => {
    const abilities: A[] = []
    const refused: Partial<Record<A, Problem>> = {}
    for (const action of actionsFrom(flow as Workflow<string, S, A>, at)) {
      const way = wayFrom(flow as Workflow<string, S>, at, action, before)
      if (!way?.permission.some((key) => held[key])) continue
      const [reason] = checkStep(flow, action, {
        state: at,
        left: before,
        may: () => true,
        own,
        reason: 'asked for later',
        facts: facts ?? null,
      })
      if (reason) refused[action] = toProblem(reason)
      else abilities.push(action)
    }
    return { abilities, refused }
  }
  return { together, take, takeEach, begin, open }
}
