/** What a run gave: programs, applicants, and the ladder of each. */
import { sql } from 'kysely'
import { z } from 'zod'
import { firstRow } from '#db/rows.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { id } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import { slotAtOf, type ProgramTerms } from '../input.rules.ts'
import { printScore } from '../ranking.rules.ts'
import { groupCalled, ladderOf, type StandingColumn } from './ladder.server.ts'
import { distributionRunCalls as calls, type PlaceRow, type RunProgramStanding } from './run.contract.ts'

interface Kept {
  code: string
  terms: (ProgramTerms & { id: number })[]
  standings: Record<StandingColumn | 'ranked', number[]>
  before: number | null
  input_hash: string
  result_hash: string
  lot_seed: string
  proof: Record<string, unknown>
}
/** The run that is compared with: the latest earlier one of the same admission and round whose places are kept, one that stands first. */
const BEFORE = sql`(select b.id from distribution_runs b where b.admission_id = r.admission_id and b.id < r.id and b.round = r.round
    and exists (select from distribution_places k where k.run_id = b.id)
  order by b.status = 'discarded', b.id desc limit 1)`

/** @throws {Refusal} 404 */
async function keptRun(ctx: Ctx, id: number): Promise<Kept> {
  const { rows } =
    await sql<Kept>`select r.code, r.terms, r.standings, ${BEFORE} as before, encode(r.input_hash, 'hex') as input_hash,
      encode(r.result_hash, 'hex') as result_hash, r.lot_seed, r.proof from distribution_runs r where r.id = ${id}`.execute(
      ctx.db,
    )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
interface Named {
  id: number
  code: string | null
  name: string
  name_local: string
}
/** Programs by their ids; `within`: those of the reader's part alone. */
async function programsNamed(ctx: Ctx, ids: readonly number[], within = false): Promise<ReadonlyMap<number, Named>> {
  const { rows } =
    await sql<Named>`select t.id, t.code, t.name, t.name_local from programs t where t.id = any(${[...ids]}::int[])
      and ${within ? scopeCondition(ctx, 'access_distribution', OF_PROGRAM) : sql`true`}`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}
const OF_PROGRAM = {
  faculty: sql`t.faculty_id`,
  department: sql`t.department_id`,
  bylaw: sql`t.bylaw_id`,
  program: sql`t.id`,
}
const counted = (rank: number): number | null => (rank < 0 ? null : rank + 1)

const programs = handle(calls.programs, async (ctx, { params: { id } }) => {
  const { terms, standings, before, input_hash, result_hash, lot_seed, proof } = await keptRun(ctx, id)
  const named = await programsNamed(
    ctx,
    terms.map((one) => one.id),
    true,
  )
  const slotAt = slotAtOf(terms)
  const { rows: lowest } = await sql<{
    program_id: number
    score: number
  }>`select program_id, min(score)::float8 as score from distribution_places
    where run_id = ${id} and program_id is not null group by 1`.execute(ctx.db)
  const lastScore = new Map(lowest.map((one) => [one.program_id, one.score]))
  const data = terms.flatMap(({ id: program_id, capacity, limits }, p): RunProgramStanding[] => {
    const program = named.get(program_id)
    const score = lastScore.get(program_id)
    return program
      ? [
          {
            program,
            seats: capacity,
            wished_first: standings.wishedFirst[p]!,
            filled: standings.filled[p]!,
            given_first: standings.givenFirst[p]!,
            ranked: standings.ranked[p]!,
            last_rank: counted(standings.lastOfAll[p]!),
            last_score: score === undefined ? null : printScore(score),
            groups: limits.map(({ group, reserved, maximum }, k) => ({
              ...groupCalled(group),
              reserved,
              maximum,
              admitted: standings.admitted[slotAt[p]! + k]!,
              last_rank: counted(standings.last[slotAt[p]! + k]!),
            })),
          },
        ]
      : []
  })
  return {
    data,
    details: { input_hash, result_hash, lot_seed, proof, ...(await movesOf(ctx, id, before)) },
  }
})
type Details = ResponseOf<typeof calls.programs>['details']

/** Against the run before: whose wish is a better or a worse one, who came to a seat, who lost one. */
async function movesOf(ctx: Ctx, id: number, before: number | null): Promise<Pick<Details, 'before' | 'moves'>> {
  if (before === null) return { before: null, moves: null }
  const { rows } = await sql<NonNullable<Details['moves']> & { run: NonNullable<Details['before']> }>`select
      (select json_build_object('id', b.id, 'code', b.code, 'name', b.code, 'name_local', b.code) from distribution_runs b where b.id = ${before}) as run,
      count(*) filter (where t.preference < b.preference)::int as better, count(*) filter (where t.preference > b.preference)::int as worse,
      count(*) filter (where t.preference is not null and b.preference is null)::int as gained,
      count(*) filter (where t.preference is null and b.preference is not null)::int as lost
    from distribution_places t left join distribution_places b on b.run_id = ${before} and b.applicant_id = t.applicant_id
    where t.run_id = ${id}`.execute(ctx.db)
  const { run, ...moves } = firstRow(rows)
  return { before: run, moves }
}

const number = z.coerce.number().pipe(id)
const ids = z.union([number, z.array(number)]).transform((value) => [value].flat())
const programRef = (alias: string) =>
  sql.raw(
    `case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'code', ${alias}.code, 'name', ${alias}.name, 'name_local', ${alias}.name_local) end`,
  )

const places = handle(calls.places, async (ctx, { params: { id }, body }) => {
  const { terms, before } = await keptRun(ctx, id)
  const earlier = before === null ? null : await keptRun(ctx, before)
  // Programs whose seats or limits were others.
  const was = new Map(earlier?.terms.map((one) => [one.id, JSON.stringify(one)]))
  const changed = terms.flatMap((one) => (was.get(one.id) === JSON.stringify(one) ? [] : [one.id]))
  const moved = sql`case when b.applicant_id is null or k.program_id is not distinct from b.program_id then null
    when k.wishes <> b.wishes then 'wishes' when k.score is distinct from b.score then 'result'
    when k.program_id = any(${changed}::int[]) or b.program_id = any(${changed}::int[]) then 'seats' else 'others' end`
  const list = await pagedList<Omit<PlaceRow, 'score'> & { score: number | null }>(
    ctx,
    {
      from: sql`distribution_places k join applicants t on t.id = k.applicant_id left join programs p on p.id = k.program_id
        left join distribution_places b on b.run_id = ${before} and b.applicant_id = k.applicant_id left join programs q on q.id = b.program_id`,
      select: sql`t.id, t.code, t.name, t.name_local, t.status, ${programRef('p')} as program, k.preference, cardinality(k.wishes) as wishes,
        k.score::float8 as score, ${programRef('q')} as before, ${moved} as moved`,
      where: [sql`k.run_id = ${id}`, applicants.scope(ctx, 'access_distribution')],
      search: ['t.search_text'],
      sort: { code: 't.code', name: 't.name', score: 'k.score', preference: 'k.preference' },
      order: ['score', 'desc'],
      filters: {
        program_id: (value) => sql`k.program_id = any(${parse(ids, value, ['filters', 'program_id'])}::int[])`,
        preference: (value) => sql`k.preference = any(${parse(ids, value, ['filters', 'preference'])}::int[])`,
        without: (value) =>
          value === true || value === 'true' ? sql`k.program_id is null` : sql`k.program_id is not null`,
        moved: (value) => (value === true || value === 'true' ? sql`${moved} is not null` : sql`${moved} is null`),
      },
    },
    body,
  )
  return {
    ...list,
    data: list.data.map(({ score, ...row }) => ({ ...row, score: score === null ? null : printScore(score) })),
  }
})

const ladder = handle(calls.ladder, async (ctx, { params: { id, applicant } }) => {
  await applicants.get(ctx, ctx.db, applicant, 'access_distribution')
  return { data: await ladderOf(ctx, id, applicant) }
})

const ladderNow = handle(calls.ladderNow, async (ctx, { params: { id } }) => {
  await applicants.get(ctx, ctx.db, id, 'assign_applicant')
  const { rows } = await sql<{
    run_id: number
  }>`select k.run_id from distribution_places k join distribution_runs r on r.id = k.run_id
    where k.applicant_id = ${id} and r.status <> 'discarded' order by k.run_id desc limit 1`.execute(ctx.db)
  return { data: rows[0] ? await ladderOf(ctx, rows[0].run_id, id) : null }
})

export const placeHandlers: readonly Handled[] = [programs, places, ladder, ladderNow]
