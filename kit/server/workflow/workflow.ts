import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { holdersSql } from '#access/holders.server.ts'
import type { Units } from '#access/holders.server.ts'
import { UNITS } from '#access/reach.contract.ts'
import {
  actionsFrom,
  awaitedIn,
  checkStep,
  endsFrom,
  keysOfWorkflow,
  stateData,
  statusOf,
  wayFrom,
} from '#kit/contract/workflow.ts'
import type { Action, StepHolders, StepRow, Workflow, WorkflowCalls } from '#kit/contract/workflow.ts'
import type { Problem } from '#kit/contract/index.ts'
import { registerStates } from '../base/registry.ts'
import type { Ctx, Handled } from '../base/context.ts'
import { Refusal, asRefusal, refuse, toProblem } from '../base/errors.ts'
import type { Reason } from '../base/errors.ts'
import { quoted } from '../base/fields.ts'
import { defineJob, type JobDefinition } from '../jobs/jobs.ts'
import { notifyEach } from '../mail/notifications.ts'
import { scopeCondition } from '../base/scope.ts'
import type { ScopeParts } from '../base/scope.ts'

/** A record that a step has taken from one state to another. */
export interface Moved<S extends string = string, A extends string = string> {
  readonly id: number
  readonly name: string
  readonly action: A
  readonly from: S
  readonly to: S
  readonly reason: string | null
}

/** How a workflow is served: where its records are, and what is theirs alone. In all SQL the record is `t`. */
export interface WorkflowOptions<S extends string, A extends string, Facts> {
  /** Table of the records, with `id` and `version`. */
  readonly table: string
  readonly scope: 'university' | ((ctx: Ctx) => ScopeParts)
  /** Keys that bind a record elsewhere than the scope says: of two parts of the university that it lies between, one. */
  readonly bound?: (ctx: Ctx) => Readonly<Partial<Record<PermissionKey, ScopeParts>>>
  /** SQL of the parts of the university that a record belongs to, where the scope does not give them as columns: who has it next. */
  readonly units?: (ctx: Ctx) => Units
  /** SQL of the account of who advises the person concerned, where records are reached by that: who has it next. */
  readonly advisor?: RawBuilder<unknown> | undefined
  /** SQL of who has the record `t` next, as `holdersSql` gives it, where the right alone does not say whose turn it is. */
  readonly holders?: RawBuilder<unknown>
  /** Keys by which a record is seen though no step is taken: who sees it hears what is missing, not that it is not there. */
  readonly seen?: readonly PermissionKey[]
  /** SQL of what a record is called, where several are told of. */
  readonly nameOf: string
  /** SQL of the records that take steps; of others it is said that they are removed. Those not removed unless told. */
  readonly where?: string
  /** Where the state is not a column named like the workflow's field: SQL that gives it, and how it is written. */
  readonly state?: {
    readonly read: string
    readonly write: (ctx: Ctx, tx: Tx, moved: readonly Moved<S, A>[], progress?: Percent) => Promise<void>
  }
  /** Of actions that are `long`: whether this record's takes so long that a job takes it. The area lists `job` among its jobs. */
  readonly heavy?: (ctx: Ctx, tx: Tx, id: number, action: A) => Promise<boolean>
  /**
   * Whether a record is the own one of these people (ids of users, as SQL): whom it concerns. Whoever entered it
   * (`begin`) counts as well. Absent: nobody's.
   */
  readonly own?: (people: RawBuilder<unknown>) => RawBuilder<unknown>
  /** Entering is an officer's work on somebody else's behalf, not a request: whoever entered a record may decide on it. */
  readonly enteredByOfficer?: boolean
  /**
   * What the rule of an action looks at, of all records at once: those with which the person may take it. They are locked;
   * what follows from them anyhow may be brought up to date here.
   */
  readonly facts?: (ctx: Ctx, tx: Tx, ids: readonly number[], action: A) => Promise<ReadonlyMap<number, Facts>>
  /** Of these records, those for which the window of a stage is closed, and why. */
  readonly closed?: (ctx: Ctx, tx: Tx, window: string, ids: readonly number[]) => Promise<ReadonlyMap<number, Reason>>
  /** What a step changes elsewhere, in the same unit of work; it may take steps of other workflows. Throw to refuse. */
  readonly effect?: (ctx: Ctx, tx: Tx, moved: readonly Moved<S, A>[]) => Promise<void>
  /**
   * Who is told, as SQL of a list of users' ids; what the notice says besides, as SQL of a JSON object; and the record of a
   * student that it is about, as SQL of its id.
   */
  readonly tells?: {
    readonly users: string
    readonly data?: string
    /** What is told to those for whom it waits, and where that leads: what waits together. Else as the others are told. */
    readonly waiting?: { readonly data: string; readonly link: string }
    readonly student?: string
    readonly link?: (id: number) => string
  }
}

/** Tells how far a step is, of a hundred. */
export type Percent = (percent: number) => Promise<void>
/** A step that a job takes, with the version that was seen: what changes until it begins stops it. */
interface LongStep {
  readonly id: number
  readonly action: string
  readonly reason: string | null
  readonly version: number
}

/** A step that a job takes with many. */
export interface ManySteps {
  readonly ids: readonly number[]
  readonly action: string
  readonly reason: string | null
  /** When it was asked for: what its person has taken of it since is not taken again. */
  readonly since: string
}

export interface StepOptions {
  readonly reason?: string | null | undefined
  /** The version seen; another one is refused. */
  readonly version?: number | undefined
  readonly progress?: Percent | undefined
}

/** What the reader may do with a row, and why other actions of its state are not allowed. */
export interface Open<A extends string> {
  readonly abilities: A[]
  readonly refused: Partial<Record<A, Problem>>
}

/** A workflow that is served. */
export interface ServedWorkflow<S extends string = string, A extends string = string, Facts = unknown> {
  readonly flow: Workflow<string, S, A>
  readonly calls: WorkflowCalls<A>
  readonly table: string
  /** SQL of the state of the record `t`. */
  readonly reads: string
  readonly handlers: readonly Handled[]
  /** Takes the steps that are long. */
  readonly job: JobDefinition<LongStep, { readonly id: number; readonly state: S }>
  /** Takes steps with many at once, where there are more than the action says. */
  readonly manyJob: JobDefinition<ManySteps, Taken>
  /**
   * Takes a step with one record: also from another workflow's effect, a job or a payment.
   * @throws {Refusal} 404 out of reach; 403 without the permission here, or one's own; 409 the state or the rule does not
   * permit it; 422 without its reason
   */
  take(ctx: Ctx, id: number, action: A, options?: StepOptions): Promise<Moved<S, A> & { readonly version: number }>
  /** The same with many: each succeeds or fails by itself. */
  takeEach(ctx: Ctx, ids: readonly number[], action: A, options?: StepOptions): Promise<Taken>
  /** A record has begun its way: who entered it stands first in its history, and does not decide on it. */
  begin(ctx: Ctx, tx: Tx, id: number, state: S, options?: { action?: string; reason?: string | null }): Promise<void>
  /** SQL of the records `t` that wait for the reader: their state, the right to go on from it, its reach, and not the own ones. */
  waiting(ctx: Ctx): RawBuilder<unknown>
  /** SQL of what `open` needs of a row, as one column of a list. */
  column(ctx: Ctx): RawBuilder<unknown>
  /** The actions open to the reader. With facts also those that the rule refuses, each with its reason. */
  open(ctx: Ctx, state: S, column: Held, facts?: Facts): Open<A>
}

/** What became of each of many. */
export interface Taken {
  readonly done: number[]
  readonly failed: { id: number; name?: string; errors: Problem[] }[]
}

interface Held {
  readonly held: Readonly<Partial<Record<PermissionKey, boolean>>>
  readonly own: boolean
  /** The state that was left last, where that decides where an action leads. */
  readonly left?: string | null
}
interface Row<S> extends Held {
  readonly id: number
  readonly version: number
  readonly state: S
  readonly name: string
  readonly there: boolean
}
interface Refused {
  readonly name?: string
  readonly refusal: Refusal
}
interface Outcome<S extends string, A extends string> {
  readonly moved: (Moved<S, A> & { readonly version: number })[]
  readonly refused: Map<number, Refused>
}
/** Records of one unit of work when many take a step: what one of them meets holds up no more than these. */
const TOGETHER = 50
/** Of those who may take the next step, so many are named. */
const HOLDERS = 3
const LEVELS: ReadonlySet<string> = new Set(UNITS)
/** Once one was busy, the rest is not waited for. */
const LESS_PATIENCE = 250

const served = new Map<string, ServedWorkflow>()
/** Every workflow that is served. */
export const servedWorkflows = (): readonly ServedWorkflow[] => [...served.values()]

/** Whether an action leads back to where a record came from. */
const returns = (flow: Workflow): boolean =>
  Object.values<Action>(flow.actions).some(({ from }) =>
    Object.values(from).some((way) => typeof way === 'object' && way.back !== undefined),
  )

/** SQL of a JSON object that says for each key whether the reader holds it for the record. */
const heldJson = (
  ctx: Ctx,
  keys: readonly PermissionKey[],
  parts: ScopeParts | 'university',
  bound: Readonly<Partial<Record<PermissionKey, ScopeParts>>> = {},
): RawBuilder<unknown> =>
  sql`json_build_object(${sql.join(
    keys.flatMap((key) => [sql.lit(key), sql`${scopeCondition(ctx, key, bound[key] ?? parts)}`]),
  )})`

/** Serves a workflow: its calls, and the functions by which others take its steps. */
export function serveWorkflow<S extends string, A extends string, Facts>(
  flow: Workflow<string, S, A, Facts>,
  calls: WorkflowCalls<A>,
  options: WorkflowOptions<S, A, Facts>,
): ServedWorkflow<S, A, Facts> {
  const table = sql.raw(quoted(options.table))
  const keys = keysOfWorkflow(flow)
  registerStates(options.table, flow.field, flow.states)
  const everybody = [...keys, ...(options.seen ?? [])]
  const reads = options.state?.read ?? `t.${quoted(flow.field)}`
  const state = sql.raw(reads)
  const there = sql.raw(options.where ?? 't.removed_at is null')
  const partsOf = (ctx: Ctx): ScopeParts | 'university' =>
    options.scope === 'university' ? 'university' : options.scope(ctx)

  const ownOf = (ctx: Ctx): RawBuilder<unknown> => {
    const people = [ctx.actor?.user_id, ctx.actor?.impersonator_id].filter((id) => id != null)
    if (!options.own || !people.length) return sql`false`
    const ids = sql`${people}::int[]`
    if (options.enteredByOfficer) return sql`coalesce(${options.own(ids)}, false)`
    return sql`(coalesce(${options.own(ids)}, false) or exists (select from step_history h where h.workflow = ${flow.name}
      and h.record_id = t.id and h.from_state is null and (h.actor_id = any(${ids}) or h.impersonator_id = any(${ids}))))`
  }
  /** SQL of the state that a record left last, where it is asked for. */
  const left = returns(flow)
    ? sql`(select h.from_state from step_history h where h.workflow = ${sql.lit(flow.name)} and h.record_id = t.id
        and h.to_state = ${state} order by h.id desc limit 1)`
    : sql`null`
  const column = (ctx: Ctx): RawBuilder<unknown> =>
    sql`json_build_object('held', ${heldJson(ctx, keys, partsOf(ctx), options.bound?.(ctx))}, 'own', ${ownOf(ctx)}${
      returns(flow) ? sql`, 'left', ${left}` : sql``
    })`
  const awaited = awaitedIn(flow as Workflow<string, S>)
  const waiting = (ctx: Ctx): RawBuilder<unknown> => {
    const bound = options.bound?.(ctx) ?? {}
    const mine = awaited.map(({ state: at, keys: needed }) => {
      const reached = needed.map((key) => scopeCondition(ctx, key, bound[key] ?? partsOf(ctx)))
      return sql`(${state} = ${sql.lit(at)} and (${sql.join(reached, sql` or `)}))`
    })
    return mine.length ? sql`(${there} and (${sql.join(mine, sql` or `)}) and not ${ownOf(ctx)})` : sql`false`
  }

  const lock = async (ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<Row<S>[]> => {
    const parts = partsOf(ctx)
    const { rows } = await sql<Row<S>>`select t.id, t.version, ${state} as state, ${sql.raw(options.nameOf)} as name,
        ${left} as left, ${there} as there, ${heldJson(ctx, keys, parts, options.bound?.(ctx))} as held, ${ownOf(ctx)} as own
      from ${table} t where t.id = any(${[...ids]}::int[]) and ${scopeCondition(ctx, everybody, parts)}
      order by t.id for update of t`.execute(tx)
    return rows
  }

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

  const tell = async (tx: Tx, moved: readonly Moved<S, A>[]): Promise<void> => {
    const told = moved.filter(({ action }) => flow.actions[action].notice)
    const { tells } = options
    if (!tells || !told.length) return
    const { rows } = await sql<{ id: number; users: number[]; data: Record<string, unknown>; student: number | null }>`
      select t.id, ${sql.raw(tells.users)} as users, ${sql.raw(tells.data ?? `'{}'::json`)} as data,
        ${sql.raw(tells.student ?? 'null::int')} as student
      from ${table} t where t.id = any(${told.map((one) => one.id)}::int[])`.execute(tx)
    const of = new Map(rows.map((row) => [row.id, row]))
    await notifyEach(
      tx,
      told.flatMap(({ id, name, action, to, reason }) => {
        const { users = [], data = {}, student = null } = of.get(id) ?? {}
        const key = flow.actions[action].notice as string
        const filled = { name, ...stateData(flow, to), reason: reason ?? '', ...data }
        return [...new Set(users)].map((user_id) => ({
          user_id,
          key,
          data: filled,
          ...(student !== null && { records: [student] }),
          ...(tells.link && { link: tells.link(id) }),
        }))
      }),
    )
  }

  /**
   * Tells who goes on from the states that records have come to: each once, until he or she has looked. Of a hundred that come in
   * one morning nobody is told a hundred times.
   */
  const tellWaiting = async (
    ctx: Ctx,
    tx: Tx,
    came: readonly { readonly id: number; readonly to: S }[],
  ): Promise<void> => {
    const { waits } = flow
    const awaiting = new Set<string>(awaited.map((one) => one.state))
    const here = came.filter(({ to }) => awaiting.has(to))
    if (!waits || !here.length) return
    const { data: says = `'{}'::json`, link, waiting: together } = options.tells ?? {}
    const { rows } = await sql<{ id: number; users: number[] | null; data: Record<string, unknown> }>`
      select t.id, ${byState(ctx, (holders) => sql`(select array_agg(h.id) from (${holders}) h)`)} as users,
        ${sql.raw(together?.data ?? says)} as data
      from ${table} t where t.id = any(${here.map((one) => one.id)}::int[]) order by t.id`.execute(tx)
    const of = new Map(here.map((one) => [one.id, one.to]))
    const told = rows.flatMap(({ id, users, data }) =>
      (users ?? []).map((user_id) => ({
        user_id,
        data: { ...stateData(flow, of.get(id)!), ...data },
        link: together?.link ?? link?.(id),
      })),
    )
    const { rows: unread } = await sql<{ user_id: number }>`select distinct user_id from notifications
      where user_id = any(${told.map((one) => one.user_id)}::int[]) and key = ${waits} and read_at is null
        and data ->> 'workflow' = ${flow.name}`.execute(tx)
    const known = new Set([...unread.map((one) => one.user_id), ctx.actor?.user_id])
    const first = [...new Map(told.map((one) => [one.user_id, one])).values()].filter((one) => !known.has(one.user_id))
    await notifyEach(
      tx,
      first.map(({ user_id, data, link: to }) => ({
        user_id,
        key: waits,
        data: { ...data, workflow: flow.name },
        ...(to !== undefined && { link: to }),
      })),
    )
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

  /** SQL that says of the holders of the next step from the state of a record what is asked; null where it waits for nobody. */
  const byState = (ctx: Ctx, say: (holders: RawBuilder<unknown>) => RawBuilder<unknown>): RawBuilder<unknown> => {
    const parts = partsOf(ctx)
    const units =
      options.units?.(ctx) ??
      (parts === 'university'
        ? {}
        : (Object.fromEntries(
            Object.entries(parts).filter(([kind, part]) => LEVELS.has(kind) && typeof part !== 'function'),
          ) as Units))
    if (!awaited.length) return sql`null`
    return sql`case ${state} ${sql.join(
      awaited.map(
        ({ state: at, keys: needed }) =>
          sql`when ${sql.lit(at)} then ${say(options.holders ?? holdersSql(needed, units, options.advisor))}`,
      ),
      sql` `,
    )} end`
  }
  /** SQL of who may take the next step: null where it waits for nobody. */
  const waitsFor = (ctx: Ctx): RawBuilder<unknown> =>
    byState(
      ctx,
      (holders) => sql`(
        select json_build_object('count', count(*), 'named', coalesce(json_agg(json_build_object('name', x.name, 'name_local', x.name_local,
          'role', x.role, 'role_local', x.role_local)) filter (where x.place <= ${sql.lit(HOLDERS)}), '[]'))
        from (select h.*, row_number() over () as place from (${holders}) h) x)`,
    )
  const history = async (ctx: Ctx, id: number): Promise<{ data: StepRow[]; waits_for: StepHolders | null }> => {
    const reach = scopeCondition(ctx, [...everybody, ...[flow.history.permission].flat()], partsOf(ctx))
    const { rows } = await sql<{ steps: StepRow[]; waits_for: StepHolders | null }>`
      select ${waitsFor(ctx)} as waits_for, coalesce((select json_agg(json_build_object('id', h.id, 'at', h.at, 'action', h.action, 'from', h.from_state,
          'to', h.to_state, 'reason', h.reason,
          'by', case when b.id is not null then json_build_object('name', b.name, 'name_local', b.name_local) end,
          'acting_for', case when i.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end)
          order by h.id desc)
        from step_history h left join users u on u.id = h.actor_id left join users i on i.id = h.impersonator_id
          left join users b on b.id = coalesce(h.impersonator_id, h.actor_id)
        where h.workflow = ${flow.name} and h.record_id = t.id), '[]') as steps
      from ${table} t where t.id = ${id} and ${reach}`.execute(ctx.db)
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: rows[0].steps, waits_for: rows[0].waits_for }
  }

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
    reads,
    handlers,
    job,
    manyJob,
    take,
    takeEach,
    begin,
    waiting,
    column,
    open,
  }
  served.set(flow.name, result)
  return result
}
