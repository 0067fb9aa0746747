/** What an applicant is told of a distribution, and runs as files that anybody can check. */
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { perServices, together } from '#kit/server/unit/together.ts'
import { limitKeys } from '#areas/admission/applicants/apply/key.server.ts'
import { QUOTA_GROUPS } from '#areas/admission/admissions/words.contract.ts'
import { slotAtOf, type ProgramTerms } from '../input.rules.ts'
import { printScore } from '../ranking.rules.ts'
import { rungsOf, standingsOfRun, type KeptPlace } from '../runs/ladder.server.ts'
import { distributionResultCalls as calls, type OwnResult } from './result.contract.ts'

type Asked = Pick<OwnResult, 'id' | 'code' | 'status' | 'results_at' | 'seat'> &
  KeptPlace & { told: boolean; run_id: number | null; score: number | null }

interface Wanted {
  readonly id: number
  /** Of the key, in hexadecimal digits. */
  readonly hash: string
}
/** On the day of results everybody asks: what is asked for meanwhile shares a statement. */
const find = perServices((services) =>
  together(
    async (wanted: readonly Wanted[]): Promise<readonly (Asked | undefined)[]> => {
      const { rows } = await sql<Asked & { hash: string }>`select t.id, x.hash, t.code, t.status, a.results_at,
          t.status in ('DISTRIBUATION_REQUIRED', 'EQUIVALENCE_DONE', 'FINAL_FEES_REQUIRED', 'APPROVED', 'accepted')
            and (a.results_at is null or a.results_at <= now()) as told,
          case when p.id is not null then json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'name_local', p.name_local) end as seat,
          k.run_id, k.preference, k.score::float8 as score, coalesce(k.wishes, '{}') as wishes, coalesce(k.slots, '{}') as slots,
          coalesce(k.ranks, '{}') as ranks, k.reasons
        from unnest(${wanted.map(({ id }) => id)}::int[], ${wanted.map(({ hash }) => hash)}::text[]) as x (id, hash)
          join applicants t on t.id = x.id and t.key_hash = decode(x.hash, 'hex') and t.removed_at is null
          join admissions a on a.id = t.admission_id left join programs p on p.id = t.program_id
          left join lateral (select k.* from distribution_places k join distribution_runs r on r.id = k.run_id
            where k.applicant_id = t.id and r.status = 'confirmed' order by k.run_id desc limit 1) k on true`.execute(
        services.db,
      )
      const found = new Map(rows.map(({ hash, ...row }) => [`${row.id} ${hash}`, row]))
      return wanted.map(({ id, hash }) => found.get(`${id} ${hash}`))
    },
    { most: 64, lanes: 2, apart: ({ id, hash }) => `${id} ${hash}` },
  ),
)
/**
 * The result of an application, as soon as it may be told. Only wrong keys are counted.
 *
 * @throws {Refusal} 404 `application_unknown`; 429 after too many wrong keys
 */
async function ownResult(ctx: Ctx, id: number, key: string): Promise<OwnResult> {
  const asked = await find(ctx.services)({ id, hash: hashToken(key).toString('hex') })
  if (!asked) {
    await limitKeys(ctx)
    throw refuse(404, 'application_unknown')
  }
  const { told, seat, run_id, score, id: _id, code, status, results_at, ...place } = asked
  const shown = { id, code, status, results_at }
  if (!told || (run_id === null && !seat))
    return { ...shown, out: false, seat: null, run: null, score: null, rungs: [] }
  if (run_id === null) return { ...shown, out: true, seat, run: null, score: null, rungs: [] }
  const run = await standingsOfRun(ctx.db, run_id)
  return {
    ...shown,
    out: true,
    seat,
    run: run.code,
    score: score === null ? null : printScore(score),
    rungs: await rungsOf(ctx.db, run, place),
  }
}

/** Applicants of one page. */
const TOGETHER = 5000
interface Line {
  applicant_id: number
  program_id: number | null
  wishes: number[]
  slots: number[]
  ranks: number[]
}
async function* placesOf(db: Db, run: number): AsyncGenerator<readonly Line[]> {
  for (let after = 0; ;) {
    const { rows } = await sql<Line>`select applicant_id, program_id, wishes, slots, ranks from distribution_places
      where run_id = ${run} and applicant_id > ${after} order by applicant_id limit ${TOGETHER}`.execute(db)
    if (rows.length) yield rows
    if (rows.length < TOGETHER) return
    after = rows.at(-1)!.applicant_id
  }
}

/** The run of a file, whose every applicant stands in it. @throws {Refusal} 403 for whoever sees a part alone; 404; 409 */
async function wholeRun(ctx: Ctx, id: number) {
  if (!reachesAll(ctx, 'access_distribution')) throw refuse(403, 'not_allowed')
  const { rows } = await sql<{
    code: string
    terms: (ProgramTerms & { id: number })[]
    ranked: number[]
    kept: boolean
  }>`select r.code, r.terms, r.standings -> 'ranked' as ranked, exists (select from distribution_places k where k.run_id = r.id) as kept
    from distribution_runs r where r.id = ${id}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  if (!rows[0].kept) throw refuse(409, 'distribution_places_gone')
  return rows[0]
}

/** What a run stood on, in the published format: applicants and programs are known by their ids. */
async function* instanceOf(ctx: Ctx, id: number, run: Awaited<ReturnType<typeof wholeRun>>): AsyncGenerator<string> {
  const { terms, ranked } = run
  const placeOf = new Map(terms.map((one, p) => [one.id, p]))
  const slotAt = slotAtOf(terms)
  const rankAt = Int32Array.from([0, ...ranked])
  for (let p = 1; p < rankAt.length; p++) rankAt[p]! += rankAt[p - 1]!
  const ranking = new Int32Array(rankAt.at(-1)!)
  const groupName = (group: number): string => QUOTA_GROUPS[group]!.value
  yield '{"applicants":['
  let first = true
  for await (const lines of placesOf(ctx.db, id)) {
    let text = ''
    for (const { applicant_id, wishes, slots, ranks } of lines) {
      const groups = new Set<string>()
      for (const [i, program] of wishes.entries()) {
        const p = placeOf.get(program)
        // A rank says nothing where the program does not rank the applicant.
        if (p === undefined || slots[i]! < 0) continue
        const limit = terms[p]!.limits[slots[i]! - slotAt[p]!]
        if (limit) groups.add(groupName(limit.group))
        ranking[rankAt[p]! + ranks[i]!] = applicant_id
      }
      const offered = wishes.filter((program) => placeOf.has(program))
      text += `${first ? '' : ','}{"id":${applicant_id},"groups":${JSON.stringify([...groups])},"preferences":[${offered.join(',')}]}`
      first = false
    }
    yield text
  }
  yield '],"programs":['
  for (const [p, { id: program, capacity, limits }] of terms.entries()) {
    const of = (key: 'reserved' | 'maximum') =>
      Object.fromEntries(limits.flatMap((one) => (one[key] === null ? [] : [[groupName(one.group), one[key]]])))
    yield `${p ? ',' : ''}{"id":${program},"capacity":${capacity},"ranking":[${ranking.subarray(rankAt[p], rankAt[p + 1]).join(',')}],"maximum":${JSON.stringify(of('maximum'))},"reserved":${JSON.stringify(of('reserved'))}}`
  }
  yield ']}\n'
}

async function* resultOf(ctx: Ctx, id: number): AsyncGenerator<string> {
  yield '{"assignment":{'
  let first = true
  for await (const lines of placesOf(ctx.db, id)) {
    const given = lines.filter((one) => one.program_id !== null).map((one) => `"${one.applicant_id}":${one.program_id}`)
    if (given.length) yield `${first ? '' : ','}${given.join(',')}`
    first &&= given.length === 0
  }
  yield '}}\n'
}

const file = (name: string, parts: AsyncGenerator<string>): FileResult => ({
  name,
  type: 'json',
  content: Readable.from(parts, { objectMode: false }),
})

export const distributionResultHandlers: readonly Handled[] = [
  handle(calls.own, async (ctx, { params: { id, key } }) => ({ data: await ownResult(ctx, id, key) })),
  handle(calls.instance, async (ctx, { params: { id } }) => {
    const run = await wholeRun(ctx, id)
    return file(`${run.code}.instance.json`, instanceOf(ctx, id, run))
  }),
  handle(calls.result, async (ctx, { params: { id } }) => {
    const { code } = await wholeRun(ctx, id)
    return file(`${code}.result.json`, resultOf(ctx, id))
  }),
]
