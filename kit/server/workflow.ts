import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { holdersSql } from '#access/holders.server.ts'
import type { Units } from '#access/holders.server.ts'
import { UNITS } from '#access/reach.contract.ts'
import {
  actionsFrom,
  awaitedFrom,
  checkSignature,
  checkStep,
  keysOfWorkflow,
  stateData,
  statusOf,
  turnOf,
  wayFrom,
} from '#kit/contract/workflow.ts'
import type { Action, Position, StepHolders, StepRow, Workflow, WorkflowCalls } from '#kit/contract/workflow.ts'
import type { Problem } from '#kit/contract/index.ts'
import type { Ctx, Handled } from './context.ts'
import { Refusal, asRefusal, refuse, toProblem } from './errors.ts'
import type { Reason } from './errors.ts'
import { quoted } from './fields.ts'
import { defineJob, type JobDefinition } from './jobs.ts'
import { notifyEach } from './notifications.ts'
import { scopeCondition } from './scope.ts'
import type { ScopeParts } from './scope.ts'

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
  /** Where an action signs: SQL of the name of the record's chain (`signing_positions`). */
  readonly chain?: string
  /**
   * Who is told, as SQL of a list of users' ids; what the notice says besides, as SQL of a JSON object; and the record of a
   * student that it is about, as SQL of its id.
   */
  readonly tells?: {
    readonly users: string
    readonly data?: string
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

export interface StepOptions {
  readonly reason?: string | null | undefined
  /** The version seen; another one is refused. */
  readonly version?: number | undefined
  readonly progress?: Percent | undefined
}

/** What the reader may do with a row, and why not what else would be its turn. */
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
  /**
   * Takes a step with one record: also from another workflow's effect, a job or a payment.
   * @throws {Refusal} 404 out of reach; 403 without the permission here, or one's own; 409 the state or the rule does not
   * permit it; 422 without its reason
   */
  take(ctx: Ctx, id: number, action: A, options?: StepOptions): Promise<Moved<S, A> & { readonly version: number }>
  /** The same with many: each succeeds or fails by itself. */
  takeEach(
    ctx: Ctx,
    ids: readonly number[],
    action: A,
    options?: StepOptions,
  ): Promise<{ done: number[]; failed: { id: number; name?: string; errors: Problem[] }[] }>
  /** A record has begun its way: who entered it stands first in its history, and does not decide on it. */
  begin(ctx: Ctx, tx: Tx, id: number, state: S, options?: { action?: string; reason?: string | null }): Promise<void>
  /** SQL of what `open` needs of a row, as one column of a list. */
  column(ctx: Ctx): RawBuilder<unknown>
  /** The actions open to the reader. With facts also those that the rule refuses, each with its reason. */
  open(ctx: Ctx, state: S, column: Held, facts?: Facts): Open<A>
}

interface Held {
  readonly held: Readonly<Partial<Record<PermissionKey, boolean>>>
  readonly own: boolean
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
  const column = (ctx: Ctx): RawBuilder<unknown> =>
    sql`json_build_object('held', ${heldJson(ctx, keys, partsOf(ctx), options.bound?.(ctx))}, 'own', ${ownOf(ctx)})`

  const lock = async (ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<Row<S>[]> => {
    const parts = partsOf(ctx)
    const { rows } = await sql<Row<S>>`select t.id, t.version, ${state} as state, ${sql.raw(options.nameOf)} as name,
        ${there} as there, ${heldJson(ctx, keys, parts, options.bound?.(ctx))} as held, ${ownOf(ctx)} as own
      from ${table} t where t.id = any(${[...ids]}::int[]) and ${scopeCondition(ctx, everybody, parts)}
      order by t.id for update of t`.execute(tx)
    return rows
  }

  const actions = Object.values<Action<S, Facts>>(flow.actions)
  if (actions.some((one) => one.signs) && !options.chain)
    throw new Error(`${flow.name} is signed: say by which chain of positions`)
  /** Positions of the records' chains, in their order. */
  const positionsOf = async (tx: Tx, ids: readonly number[]): Promise<Map<number, Position[]>> => {
    const { rows } = await sql<{ id: number; positions: Position[] }>`
      select t.id, coalesce((select json_agg(json_build_object('id', p.id, 'title', p.title, 'title_local', p.title_local,
          'holder', p.user_id, 'signed', g.id is not null) order by p.position)
        from signing_positions p left join signatures g on g.position_id = p.id and g.workflow = ${flow.name}
          and g.record_id = t.id and g.voided_at is null
        where p.chain = ${sql.raw(options.chain ?? 'null')}), '[]') as positions
      from ${table} t where t.id = any(${[...ids]}::int[])`.execute(tx)
    return new Map(rows.map((row) => [row.id, row.positions]))
  }
  /** Signatures that were given, or those that a step of another kind makes void. */
  const sign = async (ctx: Ctx, tx: Tx, given: readonly { id: number; position_id: number }[]): Promise<void> => {
    await sql`insert into signatures (workflow, record_id, position_id, actor_id, impersonator_id)
      select ${flow.name}, x.id, x.position_id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as x (id int, position_id int)`.execute(tx)
  }
  const unsign = async (tx: Tx, ids: readonly number[]): Promise<void> => {
    await sql`update signatures set voided_at = now() where workflow = ${flow.name} and record_id = any(${[...ids]}::int[])
      and voided_at is null`.execute(tx)
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
      const way = wayFrom(flow as Workflow<string, S>, row.state, action)
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
      .filter(({ state: at, held }) =>
        wayFrom(flow as Workflow<string, S>, at, action)?.permission.some((key) => held[key]),
      )
      .map((row) => row.id)
    const known: Action<S, Facts> = flow.actions[action]
    const facts = judged.length ? await options.facts?.(ctx, tx, judged, action) : undefined
    const closed = known.window && judged.length ? await options.closed?.(ctx, tx, known.window, judged) : undefined
    const positions = known.signs && judged.length ? await positionsOf(tx, judged) : undefined
    const signed: { id: number; position_id: number }[] = []
    const moved: Moved<S, A>[] = []
    for (const { id, name, state: from, held, own } of possible) {
      const reasons = checkStep(flow, action, {
        state: from,
        may: (wanted) => wanted.some((key) => held[key]),
        own,
        reason: reason ?? null,
        facts: judged.includes(id) ? (facts?.get(id) ?? ({} as Facts)) : null,
        closed: closed?.get(id) ?? null,
      })
      const way = wayFrom(flow as Workflow<string, S>, from, action)
      const chain = positions?.get(id)
      if (chain && !reasons.length) reasons.push(...checkSignature(chain, ctx.actor?.user_id ?? null))
      if (reasons.length || !way) refused.set(id, { name, refusal: new Refusal(statusOf(reasons), reasons) })
      else {
        const last = !chain || chain.filter((one) => !one.signed).length === 1
        if (chain) signed.push({ id, position_id: turnOf(chain)!.id })
        moved.push({ id, name, action, from, to: last ? way.to : from, reason: reason?.trim() || null })
      }
    }
    if (!moved.length) return { moved: [], refused }
    if (dry) {
      const seen = new Map(rows.map((row) => [row.id, row.version]))
      return { moved: moved.map((one) => ({ ...one, version: seen.get(one.id)! })), refused }
    }
    if (signed.length) await sign(ctx, tx, signed)
    else if (options.chain)
      await unsign(
        tx,
        moved.map((one) => one.id),
      )
    const versions = await write(ctx, tx, moved, progress)
    await options.effect?.(ctx, tx, moved)
    await tell(tx, moved)
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

  const takeEach: ServedWorkflow<S, A, Facts>['takeEach'] = async (ctx, ids, action, { reason } = {}) => {
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
    for (let i = 0; i < all.length; i += TOGETHER) await some(all.slice(i, i + TOGETHER))
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
  }

  const open: ServedWorkflow<S, A, Facts>['open'] = (ctx, at, { held, own }, facts) => {
    const abilities: A[] = []
    const refused: Partial<Record<A, Problem>> = {}
    for (const action of actionsFrom(flow as Workflow<string, S, A>, at)) {
      const way = wayFrom(flow as Workflow<string, S>, at, action)
      if (!way?.permission.some((key) => held[key])) continue
      const [reason] = checkStep(flow, action, {
        state: at,
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

  /** SQL of who may take the next step from each state: null where it waits for nobody. */
  const waitsFor = (ctx: Ctx): RawBuilder<unknown> => {
    const parts = partsOf(ctx)
    const units =
      options.units?.(ctx) ??
      (parts === 'university'
        ? {}
        : (Object.fromEntries(
            Object.entries(parts).filter(([kind, part]) => LEVELS.has(kind) && typeof part !== 'function'),
          ) as Units))
    const states = flow.states.flatMap(({ value }) => {
      const awaited = awaitedFrom(flow as Workflow<string, S, A>, value)
      return awaited.length ? [[value, awaited.flatMap((one) => wayFrom(flow, value, one)!.permission)] as const] : []
    })
    if (!states.length) return sql`null`
    return sql`case ${state} ${sql.join(
      states.map(
        ([value, needed]) => sql`when ${sql.lit(value)} then (
          select json_build_object('count', count(*), 'named', coalesce(json_agg(json_build_object('name', x.name, 'name_local', x.name_local,
            'role', x.role, 'role_local', x.role_local)) filter (where x.place <= ${sql.lit(HOLDERS)}), '[]'))
          from (select h.*, row_number() over () as place from (${holdersSql(needed, units)}) h) x)`,
      ),
      sql` `,
    )} end`
  }
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
  /** The record as it stands when a call arrives, before whoever acts on it meanwhile is waited for. */
  const standing = async (ctx: Ctx, id: number): Promise<number | undefined> =>
    (await sql<{ version: number }>`select t.version from ${table} t where t.id = ${id}`.execute(ctx.db)).rows[0]
      ?.version
  const stepHandlers = (Object.keys(flow.actions) as A[]).map((action): Handled => ({
    call: calls.steps[action] as unknown as Handled['call'],
    handler: async (ctx: Ctx, { params, body: given }: { params: { id: number }; body: StepOptions }) => {
      // A step that leads to where it may be taken from would do of two at once, unseen, what the other has just done.
      const again = flow.states.some(({ value }) => wayFrom(flow as Workflow<string, S>, value, action)?.to === value)
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
        takeEach(ctx, body.ids, params.action, { reason: body.reason }),
    })
  }
  const result = { flow, calls, table: options.table, reads, handlers, job, take, takeEach, begin, column, open }
  served.set(flow.name, result)
  return result
}
