/** What became of each wish of an applicant in a run, worked out from what was kept of it. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { QUOTA_GROUPS } from '#areas/admission/admissions/words.contract.ts'
import { slotAtOf, type ProgramTerms } from '../input.rules.ts'
import { printScore } from '../ranking.rules.ts'
import { preferenceLadder, type GroupCalled, type ProgramStandings } from '../why.rules.ts'
import type { ApplicantLadder, LadderRung } from './run.contract.ts'

export type StandingColumn = Exclude<keyof ProgramStandings, 'slotAt'>
export const groupCalled = (group: number): GroupCalled => {
  const [name, name_local] = QUOTA_GROUPS[group]!.label
  return { name, name_local }
}
const GROUPS = QUOTA_GROUPS.map((_, group) => groupCalled(group))

/** Programs of a run, and how they stand. */
export interface RunStandings {
  readonly code: string
  readonly terms: readonly (ProgramTerms & { readonly id: number })[]
  readonly placeOf: ReadonlyMap<number, number>
  readonly standings: ProgramStandings
  /** By program: what it is called, also of those that were wished for and not offered. */
  readonly named: Map<number, LadderRung['program']>
}
/** Runs that were read last: what a run gave is never rewritten, and what programs are called seldom is. */
const recent = new Map<number, { readonly until: number; readonly read: Promise<RunStandings> }>()
const MOST_RECENT = 8
const KEPT_MS = 60_000

/** How the programs of a run stand. @throws {Refusal} 404 */
export function standingsOfRun(db: Db | Tx, id: number): Promise<RunStandings> {
  const known = recent.get(id)
  if (known && known.until > Date.now()) return known.read
  const read = readStandings(db, id)
  recent.delete(id)
  recent.set(id, { until: Date.now() + KEPT_MS, read })
  for (const old of recent.keys()) if (recent.size > MOST_RECENT) recent.delete(old)
  read.catch(() => recent.delete(id))
  return read
}
async function readStandings(db: Db | Tx, id: number): Promise<RunStandings> {
  const { rows } = await sql<{
    code: string
    terms: (ProgramTerms & { id: number })[]
    standings: Record<StandingColumn, number[]>
  }>`select code, terms, standings from distribution_runs where id = ${id}`.execute(db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { code, terms, standings } = row
  const ints = (name: StandingColumn) => Int32Array.from(standings[name])
  return {
    code,
    terms,
    placeOf: new Map(terms.map((one, p) => [one.id, p])),
    named: await programsNamed(
      db,
      terms.map((one) => one.id),
    ),
    standings: {
      slotAt: slotAtOf(terms),
      admitted: ints('admitted'),
      last: ints('last'),
      onReserved: ints('onReserved'),
      filled: ints('filled'),
      lastOfAll: ints('lastOfAll'),
      lastOnOpen: ints('lastOnOpen'),
      wishedFirst: ints('wishedFirst'),
      givenFirst: ints('givenFirst'),
    },
  }
}

/** What a run kept of an applicant. `named`: the programs of the wishes. */
export interface KeptPlace {
  readonly preference: number | null
  readonly wishes: readonly number[]
  readonly slots: readonly number[]
  readonly ranks: readonly number[]
  readonly reasons: Readonly<Record<string, readonly Reason[]>> | null
}
async function programsNamed(db: Db | Tx, ids: readonly number[]): Promise<RunStandings['named']> {
  const { rows } = await sql<
    LadderRung['program']
  >`select id, code, name, name_local from programs where id = any(${[...ids]}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** What became of each wish, in their order. */
export async function rungsOf(db: Db | Tx, run: RunStandings, place: KeptPlace): Promise<LadderRung[]> {
  const { terms, placeOf, standings, named } = run
  const unknown = place.wishes.filter((one) => one > 0 && !named.has(one))
  if (unknown.length) for (const [id, one] of await programsNamed(db, unknown)) named.set(id, one)
  return preferenceLadder(
    0,
    {
      programs: terms,
      wishAt: Int32Array.of(0, place.wishes.length),
      slots: Int32Array.from(place.slots),
      ranks: Int32Array.from(place.ranks),
    },
    Int32Array.from(place.wishes, (one) => placeOf.get(one) ?? -1),
    Int32Array.of((place.preference ?? 0) - 1),
    standings,
    GROUPS,
  ).map(({ preference, outcome, rank, cutOff, groupCutOff, reasons }) => ({
    preference,
    program: named.get(place.wishes[preference - 1]!) ?? { id: 0, code: null, name: '–', name_local: '–' },
    outcome,
    rank,
    last_rank: cutOff,
    group_last_rank: groupCutOff,
    // Which conditions are not met was said when it was ranked.
    reasons: (place.reasons?.[preference] ?? reasons).map((reason) => toProblem(reason)),
  }))
}

/** What became of each wish of an applicant in a run. @throws {Refusal} 404: no such run; 409: not of it */
export async function ladderOf(ctx: Ctx, id: number, applicant: number): Promise<ApplicantLadder> {
  const run = await standingsOfRun(ctx.db, id)
  const { rows } = await sql<KeptPlace & { score: number | null; applicant: ApplicantLadder['applicant'] }>`
    select k.preference, k.score::float8 as score, k.wishes, k.slots, k.ranks, k.reasons,
      json_build_object('id', t.id, 'code', t.code, 'name', coalesce(t.name, t.code), 'name_local', coalesce(t.name_local, t.code)) as applicant
    from distribution_places k join applicants t on t.id = k.applicant_id where k.run_id = ${id} and k.applicant_id = ${applicant}`.execute(
    ctx.db,
  )
  const [place] = rows
  if (!place) throw refuse(409, 'distribution_not_in_run')
  return {
    run: { id, code: run.code, name: run.code, name_local: run.code },
    applicant: place.applicant,
    score: place.score === null ? null : printScore(place.score),
    rungs: await rungsOf(ctx.db, run, place),
  }
}
