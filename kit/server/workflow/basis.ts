/** Decisions that rest on facts which may still change: what they stood on, and what becomes of them when it changes. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { basisCalls } from '#kit/contract/basis.ts'
import type { Basis, OutdatedChange, OutdatedKind, OutdatedRow } from '#kit/contract/basis.ts'
import type { Label } from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { handle } from '../base/context.ts'
import type { Ctx, Handled } from '../base/context.ts'
import { Refusal, asRefusal, refuse, toProblem } from '../base/errors.ts'
import { defineJob } from '../jobs/jobs.ts'
import { notifyEach } from '../mail/notifications.ts'
import { asSystem } from '../unit/request.ts'
import { holds, scopeCondition } from '../base/scope.ts'
import type { ScopeParts } from '../base/scope.ts'
import { beforeCommit } from '../unit/unit.ts'
import type { WorkSource } from './work.ts'
import { type StoodOn, holdFacts, type ServedBasis, bases, facts, servedBases } from './basis-registry.ts'

type Known = ServedBasis & { readonly area: string }
const idOf = (one: ServedBasis): string => one.id ?? 't.id'
const whereOf = ({ where }: ServedBasis): RawBuilder<unknown> => sql.raw(where ?? 'true')
const keysOf = (keys: PermissionKey | readonly PermissionKey[] | undefined): readonly PermissionKey[] =>
  keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys
const partsOf = (one: ServedBasis, ctx: Ctx): ScopeParts | 'university' =>
  one.scope === 'university' ? 'university' : one.scope(ctx)
/** SQL that selects `decision_id, since` of what is outdated. */
const source = ({ basis, outdated }: ServedBasis): RawBuilder<unknown> =>
  outdated ??
  sql`select decision_id, min(since) as since from decision_facts where kind = ${basis.kind} and now is not null group by 1`
/** SQL: it is the own decision of who sits there. */
const ownOf = ({ student }: ServedBasis, ctx: Ctx): RawBuilder<unknown> => {
  const people = [ctx.actor?.user_id, ctx.actor?.impersonator_id].filter((one) => one != null)
  return student && people.length
    ? sql`exists (select from students own where own.id = ${sql.raw(student)} and own.user_id = any(${people}::int[]))`
    : sql`false`
}
/** SQL: who sits there decides on it. */
const decidesOf = (one: ServedBasis, ctx: Ctx): RawBuilder<unknown> =>
  one.basis.decides
    ? sql`(coalesce(${scopeCondition(ctx, keysOf(one.basis.decides), one.bound?.(ctx) ?? partsOf(one, ctx))}, false)
        and not ${ownOf(one, ctx)})`
    : sql`false`
/** SQL of what of a kind is outdated and seen: `kind, id, since`. */
const seenOf = (one: Known, ctx: Ctx, more: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`select ${one.basis.kind} as kind, o.decision_id as id, o.since from (${source(one)}) o
    join ${sql.raw(one.from)} on ${sql.raw(idOf(one))} = o.decision_id
    where ${sql.join([whereOf(one), scopeCondition(ctx, keysOf(one.basis.sees), partsOf(one, ctx)), ...more], sql` and `)}`

const pair = ([name, name_local]: Label) => ({ name, name_local })
const plain = (text: string) => ({ name: text, name_local: text })
/** A value of a fact in words. */
function told(name: string, value: unknown): OutdatedChange['before'] {
  const known = facts.get(name)
  if (!known || value === null || typeof value !== 'object') return null
  const text = known.tell(value as Readonly<Record<string, unknown>>)
  if (text === null) return null
  const words = known.fact.words?.[text]
  return words ? pair(words) : plain(text)
}

interface Raw {
  decision_id: number
  fact: string
  fact_id: number
  stood: unknown
  now: unknown
}
/** What of decisions is another than it was, by decision. */
async function changesOf(
  db: Db | Tx,
  kind: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, OutdatedChange[]>> {
  const { rows } = await sql<Raw>`select decision_id, fact, fact_id, stood, now from decision_facts
    where kind = ${kind} and decision_id = any(${[...ids]}::int[]) and now is not null order by decision_id, fact, fact_id`.execute(
    db,
  )
  const named = new Map<string, NonNullable<OutdatedChange['what']>>()
  for (const [name, some] of Map.groupBy(rows, (row) => row.fact)) {
    const known = facts.get(name)
    if (!known) continue
    const { rows: names } = await sql<NonNullable<OutdatedChange['what']> & { id: number }>`
      select n.id, n.name, n.name_local, n.code
      from (${known.named(sql`${[...new Set(some.map((row) => row.fact_id))]}::int[]`)}) n`.execute(db)
    for (const { id, ...one } of names) named.set(`${name} ${id}`, one)
  }
  const out = new Map<number, OutdatedChange[]>()
  for (const { decision_id, fact, fact_id, stood, now } of rows) {
    const change = {
      fact,
      fact_id,
      what: named.get(`${fact} ${fact_id}`) ?? null,
      before: told(fact, stood),
      now: told(fact, now),
    }
    const some = out.get(decision_id)
    if (some) some.push(change)
    else out.set(decision_id, [change])
  }
  return out
}

/** The reasons against acting on outdated decisions: each changed fact, with its values before and now. */
export async function outdatedReasons(
  tx: Db | Tx,
  { kind, refusal }: Pick<Basis, 'kind' | 'refusal'>,
  ids: readonly number[],
): Promise<Reason[]> {
  const all = await changesOf(tx, kind, ids)
  return [...all.values()].flat().map(({ what, before, now }) => ({
    code: refusal ?? 'decision_outdated',
    data: {
      what: what?.code ?? what?.name ?? '–',
      before: before?.name ?? '–',
      before_local: before?.name_local ?? '–',
      now: now?.name ?? '–',
      now_local: now?.name_local ?? '–',
    },
  }))
}

/** Refuses to act on decisions that are outdated. @throws {Refusal} 409 with each change */
export async function refuseOutdated(
  tx: Tx,
  basis: Pick<Basis, 'kind' | 'refusal'>,
  ids: readonly number[],
): Promise<void> {
  const reasons = await outdatedReasons(tx, basis, ids)
  if (reasons.length) throw new Refusal(409, reasons)
}

// --- The one place ------------------------------------------------------------------------------------------------------

interface Asked {
  readonly kind?: string | undefined
  readonly student_id?: number | undefined
  readonly mine?: boolean
  readonly page?: number
  readonly perPage?: number
}

/** Outdated decisions that concern the reader, oldest first, with the facts before and now. */
export async function outdatedOf(
  ctx: Ctx,
  { kind, student_id, mine = false, page = 1, perPage = 25 }: Asked,
): Promise<{ data: OutdatedRow[]; meta: { count: number; kinds: OutdatedKind[] } }> {
  const seen = servedBases().filter(
    (one) =>
      holds(ctx, keysOf(one.basis.sees)) &&
      (!mine || (one.basis.decides !== undefined && holds(ctx, keysOf(one.basis.decides)))) &&
      (student_id === undefined ? !one.ofOne : one.student !== undefined),
  )
  if (!seen.length) return { data: [], meta: { count: 0, kinds: [] } }
  const all = sql.join(
    seen.map((one) =>
      seenOf(one, ctx, [
        ...(student_id === undefined ? [] : [sql`${sql.raw(one.student!)} = ${student_id}`]),
        ...(mine ? [decidesOf(one, ctx)] : []),
      ]),
    ),
    sql` union all `,
  )
  const { rows } = await sql<{
    counts: Record<string, number> | null
    here: { kind: string; id: number }[] | null
  }>`with x as materialized (${all})
    select (select json_object_agg(kind, many) from (select kind, count(*) as many from x group by 1) c) as counts,
      (select json_agg(json_build_object('kind', kind, 'id', id) order by since, kind, id) from (
        select * from x where ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
        order by since, kind, id limit ${perPage} offset ${(page - 1) * perPage}) p) as here`.execute(ctx.db)
  const { counts, here } = firstRow(rows)
  const found = new Map<string, OutdatedRow>()
  for (const [name, some] of Map.groupBy(here ?? [], (one) => one.kind)) {
    const known = bases.get(name)!
    for (const row of await rowsOf(
      ctx,
      known,
      some.map((one) => one.id),
    ))
      found.set(`${name} ${row.id}`, row)
  }
  const kinds = seen.flatMap(({ basis, area }): OutdatedKind[] => {
    const count = counts?.[basis.kind] ?? 0
    const button = (one: Basis['renew']) =>
      one ? { label: pair(one.label), consequence: pair(one.consequence) } : null
    return count
      ? [
          {
            kind: basis.kind,
            area,
            title: pair(basis.many),
            becomes: basis.becomes,
            count,
            renew: button(basis.renew),
            keep: button(basis.keep),
          },
        ]
      : []
  })
  return {
    data: (here ?? []).flatMap(({ kind: of, id }) => found.get(`${of} ${id}`) ?? []),
    meta: {
      count: kinds.reduce((sum, one) => sum + (kind === undefined || one.kind === kind ? one.count : 0), 0),
      kinds,
    },
  }
}

async function rowsOf(ctx: Ctx, one: Known, ids: readonly number[]): Promise<OutdatedRow[]> {
  const { basis, area, student } = one
  const { rows } = await sql<
    Pick<OutdatedRow, 'id' | 'decision' | 'student' | 'since' | 'link'> & { decides: boolean }
  >`
    select o.decision_id as id, o.since, ${sql.raw(one.named)} as decision, ${sql.raw(one.link)} as link, ${decidesOf(one, ctx)} as decides,
      ${
        student
          ? sql`(select json_build_object('id', w.id, 'code', w.code, 'name', w.name, 'name_local', w.name_local) from students w
              where w.id = ${sql.raw(student)})`
          : sql`null::json`
      } as student
    from (${source(one)}) o join ${sql.raw(one.from)} on ${sql.raw(idOf(one))} = o.decision_id
    where o.decision_id = any(${[...ids]}::int[]) and ${whereOf(one)}`.execute(ctx.db)
  const changes = await changesOf(ctx.db, basis.kind, ids)
  return rows.map((row) => ({
    ...row,
    kind: basis.kind,
    area,
    title: pair(basis.one),
    why: pair(basis.why),
    becomes: basis.becomes,
    changes: changes.get(row.id) ?? [],
    abilities: row.decides
      ? [...(basis.renew ? (['renew'] as const) : []), ...(basis.keep ? (['keep'] as const) : [])]
      : [],
  }))
}

/** What became of outdated decisions stands in `decision_steps`. */
async function noteSteps(
  ctx: Ctx,
  tx: Tx,
  kind: string,
  ids: readonly number[],
  action: 'renewed' | 'kept' | 'followed',
  reason: string | null = null,
): Promise<void> {
  await sql`insert into decision_steps (kind, decision_id, action, reason, changes, actor_id, impersonator_id)
    select ${kind}, d.decision_id, ${action}, ${reason}, jsonb_agg(jsonb_build_object('fact', d.fact, 'fact_id', d.fact_id,
        'stood', d.stood, 'now', d.now) order by d.fact, d.fact_id), ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int
    from decision_facts d where d.kind = ${kind} and d.decision_id = any(${[...ids]}::int[]) and d.now is not null
    group by d.decision_id order by d.decision_id`.execute(tx)
}

/** They stand on what is now: what was derived goes, what was kept is as it is now. */
async function settle(tx: Tx, { basis: { kind }, derived }: ServedBasis, ids: readonly number[]): Promise<void> {
  await (
    derived
      ? sql`delete from decision_facts where kind = ${kind} and decision_id = any(${[...ids]}::int[]) and now is not null`
      : sql`update decision_facts set stood = now, now = null, since = null, told_at = null
        where kind = ${kind} and decision_id = any(${[...ids]}::int[]) and now is not null`
  ).execute(tx)
}

/** One outdated decision is renewed, or kept as it is. @throws {Refusal} 404; 403; 409 when it is not outdated any more */
async function settleOne(ctx: Ctx, one: Known, id: number, reason: string | null): Promise<void> {
  const { basis } = one
  await ctx.write(
    async (tx) => {
      // What it stands on stays as it is: whoever changes that at this moment comes before, or after.
      const { rows: on } = await sql<Pick<StoodOn, 'fact' | 'fact_id'>>`select fact, fact_id from decision_facts
        where kind = ${basis.kind} and decision_id = ${id}`.execute(tx)
      await holdFacts(tx, on)
      await sql`select from decision_facts where kind = ${basis.kind} and decision_id = ${id}
        order by fact, fact_id for no key update`.execute(tx)
      const { rows } = await sql<{ decides: boolean; own: boolean; outdated: boolean }>`
        select ${decidesOf(one, ctx)} as decides, ${ownOf(one, ctx)} as own,
          exists (select from (${source(one)}) o where o.decision_id = ${sql.raw(idOf(one))}) as outdated
        from ${sql.raw(one.from)} where ${sql.raw(idOf(one))} = ${id} and ${whereOf(one)}
          and ${scopeCondition(ctx, keysOf(basis.sees), partsOf(one, ctx))}`.execute(tx)
      const [row] = rows
      if (!row) throw refuse(404, 'not_found')
      if (row.own) throw refuse(403, 'step_own')
      if (!row.decides) throw refuse(403, 'not_allowed')
      if (!row.outdated) throw refuse(409, 'decision_not_outdated')
      await noteSteps(ctx, tx, basis.kind, [id], reason === null ? 'renewed' : 'kept', reason)
      if (reason === null) await one.renew!(ctx, tx, [id])
      else await one.kept?.(ctx, tx, [id], reason)
      await settle(tx, one, [id])
    },
    reason === null ? {} : { reason },
  )
}

/** Each by itself: what can be settled is, of the others it is told why not. */
async function settleEach(ctx: Ctx, kind: string, ids: readonly number[], reason: string | null) {
  const one = bases.get(kind)
  if (!one || !holds(ctx, keysOf(one.basis.sees))) throw refuse(404, 'not_found')
  if (!(reason === null ? one.basis.renew : one.basis.keep)) throw refuse(409, 'decision_step_none')
  const done: number[] = []
  const failed: { id: number; errors: ReturnType<typeof toProblem>[] }[] = []
  for (const id of new Set(ids)) {
    try {
      await settleOne(ctx, one, id, reason)
      done.push(id)
    } catch (error) {
      const refusal = asRefusal(error)
      if (!refusal) throw error
      // A single one is answered as such.
      if (ids.length === 1) throw refusal
      failed.push({ id, errors: refusal.reasons.map((why) => toProblem(why)) })
    }
  }
  return { data: { done, failed } }
}

export const basisHandlers: readonly Handled[] = [
  handle(basisCalls.outdatedDecisions, (ctx, { body }) => outdatedOf(ctx, body)),
  handle(basisCalls.renewOutdated, (ctx, { body: { kind, ids } }) => settleEach(ctx, kind, ids, null)),
  handle(basisCalls.keepOutdated, (ctx, { body: { kind, ids, reason } }) => settleEach(ctx, kind, ids, reason)),
]

const lines = (): readonly Known[] => servedBases().filter(({ silent, ofOne }) => !silent && !ofOne)
/** What is outdated of these kinds, counted in one line of the home. */
const line = (key: string, parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`select ${sql.lit(key)}, jsonb_build_object('count', count(*)), '/outdated-decisions', min(x.since), null::timestamptz
    from (${
      parts.length
        ? sql.join(parts, sql` union all `)
        : sql`select null::text as kind, null::int as id, null::timestamptz as since where false`
    }) x having count(*) > 0`

/** Decisions of every area on which the reader has to decide again: one line on the home. */
export const basisWork: WorkSource = {
  get permissions() {
    return servedBases().flatMap((one) => keysOf(one.basis.decides))
  },
  waiting: (ctx) =>
    line(
      'kit.work_outdated',
      lines()
        .filter(({ basis }) => basis.decides !== undefined && holds(ctx, keysOf(basis.decides)))
        .map((one) => seenOf(one, ctx, [decidesOf(one, ctx)])),
    ),
}
/**
 * The same for the home page of a student about whom somebody else decides again: the content of a notice, as long as
 * it applies.
 */
export const ownBasisWork: WorkSource = {
  get permissions() {
    return servedBases().flatMap(({ basis }) => (basis.notice ? keysOf(basis.sees) : []))
  },
  waiting: (ctx) =>
    line(
      'kit.work_own_outdated',
      ctx.actor?.student_id == null
        ? []
        : lines()
            .filter(({ basis, student }) => basis.notice && student && holds(ctx, keysOf(basis.sees)))
            .map((one) => seenOf(one, ctx, [sql`${sql.raw(one.student!)} = ${ctx.actor!.student_id}`])),
    ),
}

// --- What happens by itself ---------------------------------------------------------------------------------------------

/** Decisions that follow, of one transaction at most. */
const PORTION = 500

async function followThese(ctx: Ctx, tx: Tx, one: ServedBasis, ids: readonly number[]): Promise<void> {
  await noteSteps(ctx, tx, one.basis.kind, ids, 'followed')
  await one.follow!(ctx, tx, ids)
  await settle(tx, one, ids)
}

const followers = (): readonly Known[] => servedBases().filter((one) => one.follow && !one.outdated)

/**
 * Updates decisions of a kind that became outdated in this transaction at once, for code that continues with the
 * result.
 */
export async function followNow(ctx: Ctx, tx: Tx, { kind }: Pick<Basis, 'kind'>): Promise<void> {
  const one = bases.get(kind)
  const { rows } = await sql<{ id: number }>`select distinct decision_id as id from decision_facts
    where kind = ${kind} and now is not null and since = now() order by 1`.execute(tx)
  if (one && rows.length)
    await followThese(
      ctx,
      tx,
      one,
      rows.map((row) => row.id),
    )
}

/**
 * Before the caller's unit of work commits, updates the decisions that became outdated in it and follow by themselves.
 * Other outdated decisions follow within a minute.
 */
export const followBefore = (tx: Tx): void =>
  beforeCommit(
    tx,
    'outdated decisions',
    async ({ services, tx: inside }) => {
      const kinds = followers()
      if (!kinds.length) return
      const { rows } = await sql<{ kind: string; ids: number[] }>`
        select kind, array_agg(distinct decision_id order by decision_id) as ids from decision_facts
        where kind = any(${kinds.map((one) => one.basis.kind)}) and now is not null and since = now() group by 1`.execute(
        inside,
      )
      for (const { kind, ids } of rows) {
        const ctx = asSystem(services, 'basis')
        await ctx.write((joined) => followThese(ctx, joined, bases.get(kind)!, ids))
      }
    },
    { unless: true },
  )

async function followAll(ctx: Ctx): Promise<number> {
  let count = 0
  for (const one of followers()) {
    let last = 0
    for (;;) {
      const ids = await ctx.write(async (tx) => {
        const { rows } = await sql<{ id: number }>`select o.decision_id as id from (${source(one)}) o
          join ${sql.raw(one.from)} on ${sql.raw(idOf(one))} = o.decision_id where o.decision_id > ${last} and ${whereOf(one)}
          order by 1 limit ${PORTION}`.execute(tx)
        const found = rows.map((row) => row.id)
        if (found.length) await followThese(ctx, tx, one, found)
        return found
      })
      if (!ids.length) break
      last = ids.at(-1)!
      count += ids.length
    }
  }
  return count
}

/** Whom it concerns is told of what became outdated since the last time, and still is. */
async function tellOutdated(ctx: Ctx): Promise<number> {
  let count = 0
  for (const one of servedBases().filter(({ basis, tells, outdated }) => basis.notice && tells && !outdated)) {
    const { basis, tells, student } = one
    count += await ctx.write(async (tx) => {
      const { rows: fresh } = await sql<{ id: number }>`update decision_facts set told_at = now()
        where kind = ${basis.kind} and now is not null and told_at is null returning decision_id as id`.execute(tx)
      if (!fresh.length) return 0
      const ids = [...new Set(fresh.map((row) => row.id))]
      const { rows } = await sql<{
        id: number
        users: number[] | null
        data: Record<string, unknown>
        link: string
        student_id: number | null
      }>`
        select ${sql.raw(idOf(one))} as id, ${sql.raw(tells!.users)} as users, ${sql.raw(tells!.data ?? `'{}'::json`)} as data,
          ${sql.raw(tells!.link ?? one.link)} as link, ${sql.raw(student ?? 'null::int')} as student_id
        from ${sql.raw(one.from)} where ${sql.raw(idOf(one))} = any(${ids}::int[]) and ${whereOf(one)}`.execute(tx)
      const changes = await changesOf(tx, basis.kind, ids)
      const notices = rows.flatMap(({ id, users, data, link, student_id }) => {
        const [first] = changes.get(id) ?? []
        const places = {
          what: first?.what?.code ?? '–',
          before: first?.before?.name ?? '–',
          now: first?.now?.name ?? '–',
        }
        return [...new Set(users)].map((user_id) => ({
          user_id,
          key: basis.notice!,
          data: { ...places, ...data },
          link,
          ...(student_id !== null && { records: [student_id] }),
        }))
      })
      await notifyEach(tx, notices)
      return notices.length
    })
  }
  return count
}

/** Updates outdated decisions that follow by themselves, and notifies people. */
export const basisJob = defineJob({
  name: 'outdated-decisions',
  cron: '* * * * *',
  retries: 3,
  run: async (ctx) => ({ followed: await followAll(ctx), told: await tellOutdated(ctx) }),
})
