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
}
/** Runs that were read last: what a run gave is never rewritten. */
const recent = new Map<number, Promise<RunStandings>>()
const MOST_RECENT = 8

/** How the programs of a run stand. @throws {Refusal} 404 */
export function standingsOfRun(db: Db | Tx, id: number): Promise<RunStandings> {
  const known = recent.get(id)
  if (known) return known
  const read = readStandings(db, id)
  recent.set(id, read)
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
  readonly named: readonly LadderRung['program'][]
}
/** SQL: the programs of the wishes of the place `k`. */
export const WISHES_NAMED = sql`coalesce((select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'name_local', p.name_local))
  from programs p where p.id = any(k.wishes)), '[]')`

/** What became of each wish, in their order. */
export function rungsOf({ terms, placeOf, standings }: RunStandings, place: KeptPlace): LadderRung[] {
  const named = new Map(place.named.map((one) => [one.id, one]))
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
    select k.preference, k.score::float8 as score, k.wishes, k.slots, k.ranks, k.reasons, ${WISHES_NAMED} as named,
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
    rungs: rungsOf(run, place),
  }
}
