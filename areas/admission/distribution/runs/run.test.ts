import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { offerSeatsJob } from '../seats/seat.server.ts'
import { distributeJob } from './run.server.ts'
import type { ApplicantLadder, PlaceRow, RunProgramStanding } from './run.contract.ts'

/** The demo university's admission by exam: over, and its applicants wait. */
const ADMISSION = 7
let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const codes = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const silent = Object.assign(async () => {}, { signal: new AbortController().signal })
/** Makes a preview as the job does; answers the id of its run. */
const preview = async (admission_id = ADMISSION): Promise<number> =>
  (await distributeJob.run(asSystem(u.services, 'test'), { admission_id }, silent)).id
const confirm = (id: number) => officer('PUT', `/distribution-runs/confirm/${id}`, {})
const standings = async (id: number) =>
  (await officer('GET', `/distribution-runs/programs/${id}`)).body as {
    data: RunProgramStanding[]
    details: {
      input_hash: string
      result_hash: string
      proof: { blockingPairs: number; bestForApplicants: string; assigned: number }
      before: { id: number } | null
      moves: Record<'better' | 'worse' | 'gained' | 'lost', number> | null
    }
  }
const places = async (id: number, filters: object = {}, perPage = 100) =>
  ok(await officer('POST', `/distribution-runs/places/${id}`, { perPage, filters })) as unknown as PlaceRow[]
const ladder = async (id: number, applicant: number) =>
  ok(await officer('GET', `/distribution-runs/ladder/${id}/${applicant}`)) as unknown as ApplicantLadder

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  officer = await u.as('admission_officer')
})
afterAll(() => u.close())

let first: number
test('a preview gives seats by ranking, proves itself and says why', async () => {
  first = await preview()
  const run = ok(await officer('GET', `/distribution-runs/${first}`))
  expect(run).toMatchObject({ status: 'previewed', round: 1, blocking_pairs: 0, admission_id: ADMISSION })
  const { data, details } = await standings(first)
  expect(details.proof).toMatchObject({ blockingPairs: 0, bestForApplicants: 'yes', assigned: run.assigned })
  expect(data.reduce((sum, p) => sum + p.filled, 0)).toBe(run.assigned)
  for (const program of data) expect(program.filled).toBeLessThanOrEqual(program.seats)
  // Somebody without the first wish is told of each dearer one by whom it was filled, or which condition was not met.
  const without = await places(first, { without: true })
  expect(without.length).toBeGreaterThan(5)
  const said = (await Promise.all(without.slice(0, 20).map(({ id }) => ladder(first, id)))).flatMap(
    ({ rungs }) => rungs,
  )
  for (const rung of said) expect(rung.reasons.length).toBeGreaterThan(0)
  expect(new Set(said.map(({ outcome }) => outcome))).toEqual(new Set(['refused', 'not_ranked']))
  expect(said.find(({ outcome }) => outcome === 'not_ranked')!.reasons[0]!.code).toMatch(/^ranking_/)
  // A full program took nobody who ranks below somebody it refused for want of seats.
  const full = data.find((p) => p.filled === p.seats && p.groups.length === 0)!
  const taken = await places(first, { program_id: full.program.id })
  expect(taken).toHaveLength(full.filled)
  const worst = Math.min(...taken.map(({ score }) => Number(score)))
  expect(Number(full.last_score)).toBe(worst)
  const open = new Set(data.flatMap(({ program, groups }) => (groups.length ? [] : [program.id])))
  const refused = said.filter(({ outcome, program }) => outcome === 'refused' && open.has(program.id))
  for (const rung of refused) expect(rung.rank).toBeGreaterThan(rung.last_rank!)
  // Where the conditions of the program are not met is not what the run says of somebody with a seat.
  const [seated] = taken
  expect((await ladder(first, seated!.id)).rungs.find(({ outcome }) => outcome === 'given')!.program.id).toBe(
    full.program.id,
  )
})

test('an admission whose weights are not 100 together ranks nobody', async () => {
  const change = (by: number) =>
    q('update admissions set weight_exam = weight_exam + $2 where id = $1', [ADMISSION, by])
  await change(-1)
  await expect(preview()).rejects.toMatchObject({
    reasons: [{ code: 'ranking_weights_sum', data: { sum: '0.99' } }],
  })
  await change(1)
})

test('the same again is the same; other seats move people, and that is why', async () => {
  const again = await preview()
  const [before, after] = [await standings(first), await standings(again)]
  expect(after.details).toMatchObject({
    input_hash: before.details.input_hash,
    result_hash: before.details.result_hash,
    before: { id: first },
    moves: { better: 0, worse: 0, gained: 0, lost: 0 },
  })
  const full = after.data.find((p) => p.filled === p.seats && p.wished_first > p.seats)!
  await q('update admission_programs set capacity = capacity + 2 where admission_id = $1 and program_id = $2', [
    ADMISSION,
    full.program.id,
  ])
  const more = await preview()
  const { details } = await standings(more)
  expect(details.moves!.better + details.moves!.gained).toBeGreaterThan(0)
  expect([details.moves!.worse, details.moves!.lost]).toEqual([0, 0])
  const moved = await places(more, { moved: true })
  expect(moved.some(({ program, moved: by }) => program?.id === full.program.id && by === 'seats')).toBe(true)
  // What stood on other seats is not confirmed any more.
  expect(codes(await confirm(again))).toEqual([409, ['distribution_outdated']])
  expect(ok(await officer('GET', `/distribution-runs/${again}`)).status).toBe('previewed')
  ok(await officer('PUT', `/distribution-runs/discard/${again}`, {}))
  expect(await places(again)).toEqual([])
  // The next one is compared with a run that still has its places.
  expect((await standings(await preview())).details.before).toEqual(expect.objectContaining({ id: more }))
})

test('other wishes and other results are told as what they are, and outdate a preview', async () => {
  const base = await preview()
  const [low] = await places(base, { without: true })
  await q('update applicants set exam_result = 100 where id = $1', [low!.id])
  await q('update applicants set percentage = 100, certificate_total = 320 where id = $1', [low!.id])
  const next = await preview()
  const found = (await places(next, { moved: true })).find(({ id }) => id === low!.id)
  expect(found).toMatchObject({ before: null, moved: 'result' })
  expect(codes(await confirm(base))).toEqual([409, ['distribution_outdated']])
  const [other] = (await places(next)).filter(({ preference }) => preference === 1)
  await q('delete from applicant_preferences where applicant_id = $1 and position = 0', [other!.id])
  const last = await preview()
  expect((await places(last, { moved: true }, 200)).find(({ id }) => id === other!.id)).toMatchObject({
    moved: 'wishes',
  })
})

test('confirming gives the seats; they are offered once results are shown', async () => {
  const run = await preview()
  const { data } = await standings(run)
  const given = await one<{ n: number }>(
    'select count(*)::int as n from distribution_places where run_id = $1 and program_id is not null',
    [run],
  )
  await q("update admissions set closes_at = now() + interval '1 day' where id = $1", [ADMISSION])
  expect(codes(await confirm(run))).toEqual([409, ['distribution_admission_open']])
  await q(
    "update admissions set closes_at = now() - interval '1 day', results_at = now() + interval '1 day' where id = $1",
    [ADMISSION],
  )
  // Of two at once one confirms.
  const statuses = (await Promise.all([confirm(run), confirm(run)])).map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, 409])
  const seats = () =>
    one<{ n: number }>(
      `select count(*)::int as n from applicants t join distribution_places p on p.applicant_id = t.id and p.run_id = $1 and p.program_id = t.program_id`,
      [run],
    )
  expect((await seats()).n).toBe(given.n)
  await offerSeatsJob.run(asSystem(u.services, 'test'), {}, silent)
  const offered = () =>
    one<{ n: number }>(
      `select count(*)::int as n from applicants t join distribution_places p on p.applicant_id = t.id and p.run_id = $1
       where t.status in ('FINAL_FEES_REQUIRED', 'APPROVED')`,
      [run],
    )
  expect((await offered()).n).toBe(0)
  // Fewer seats than are given is not possible.
  const program = data.find((p) => p.filled > 1)!
  const { id, held } = await one<{ id: number; held: number }>(
    `select x.id, (select count(*)::int from applicants t where t.program_id = x.program_id and t.admission_id = x.admission_id) as held
     from admission_programs x where admission_id = $1 and program_id = $2`,
    [ADMISSION, program.program.id],
  )
  expect(codes(await officer('PUT', `/admission-programs/${id}`, { capacity: held - 1 }))).toEqual([
    422,
    ['admission_program_taken@capacity'],
  ])
  ok(await officer('PUT', `/admission-programs/${id}`, { capacity: held }))
  // Somebody who has gone on with a seat stops it, and nobody loses one.
  const gone = await one<{ id: number }>(
    `select p.applicant_id as id from distribution_places p where p.run_id = $1 and p.program_id is not null limit 1`,
    [run],
  )
  ok(await officer('PUT', `/applicants/status/offer/${gone.id}`, {}))
  expect(codes(await officer('PUT', `/distribution-runs/take-back/${run}`, { reason: 'Too late.' }))).toEqual([
    409,
    ['distribution_seats_offered'],
  ])
  expect((await seats()).n).toBe(given.n)
  await q(`update applicants set status = 'DISTRIBUATION_REQUIRED' where id = $1`, [gone.id])
  // Taken back, everybody waits again; then once more, and offered.
  ok(await officer('PUT', `/distribution-runs/take-back/${run}`, { reason: 'A faculty asked for it.' }))
  expect((await seats()).n).toBe(0)
  await q('update admissions set results_at = null where id = $1', [ADMISSION])
  const last = await preview()
  ok(await confirm(last))
  await offerSeatsJob.run(asSystem(u.services, 'test'), {}, silent)
  expect(
    await one(
      `select count(*) filter (where t.status = 'APPROVED')::int > 0 as taken_up, count(*) filter (where t.status = 'DISTRIBUATION_REQUIRED')::int as left
       from applicants t join distribution_places p on p.applicant_id = t.id and p.run_id = $1 and p.program_id is not null`,
      [last],
    ),
  ).toEqual({ taken_up: true, left: 0 })
  expect(codes(await officer('PUT', `/distribution-runs/take-back/${last}`, { reason: 'Too late.' }))).toEqual([
    409,
    ['distribution_seats_offered'],
  ])
  // The second round has the seats that are left, and those who have none.
  const free = await one<{ id: number; program_id: number }>(
    `select t.id, t.program_id from applicants t join distribution_places p on p.applicant_id = t.id and p.run_id = $1 where t.status = 'APPROVED' order by p.score limit 1`,
    [last],
  )
  ok(await officer('POST', `/applicants/cancel-admission/${free.id}`, { reason: 'Goes elsewhere.' }))
  const second = await preview()
  const run2 = ok(await officer('GET', `/distribution-runs/${second}`))
  expect(run2.round).toBe(2)
  expect((await standings(second)).data.find(({ program: p }) => p.id === free.program_id)!.seats).toBeGreaterThan(0)
  // What a run gave is never rewritten.
  await expect(q('update distribution_places set score = 1 where run_id = $1', [second])).rejects.toMatchObject({
    constraint: 'distribution_place_kept',
  })
})

test('a run in which nobody was given a seat is not confirmed', async () => {
  await q("update applicants set program_id = null where admission_id = 3 and status = 'DISTRIBUATION_REQUIRED'")
  await q(
    'update admission_programs set capacity = (select count(*) from applicants t where t.admission_id = 3 and t.program_id = admission_programs.program_id) where admission_id = 3',
  )
  await q("update admissions set closes_at = now() - interval '1 hour' where id = 3")
  await q(
    `update applicants set status = 'DISTRIBUATION_REQUIRED' where id = (select id from applicants where admission_id = 3 and status = 'REVIEWED' limit 1)`,
  )
  expect(codes(await confirm(await preview(3)))).toEqual([409, ['distribution_nobody']])
})

test('nobody waits, or somebody has asked already', async () => {
  // Nor in the job, which may begin when everything has changed.
  const made = () => one<{ n: number }>('select count(*)::int as n from distribution_runs')
  const before = await made()
  await expect(preview(99_999_999)).rejects.toMatchObject({ status: 422, reasons: [{ code: 'not_found' }] })
  await expect(preview(6)).rejects.toMatchObject({ status: 409, reasons: [{ code: 'distribution_nobody_waits' }] })
  expect(await made()).toEqual(before)
  expect(codes(await officer('POST', '/applicants/bulk/distribution', { admission_id: 6 }))).toEqual([
    409,
    ['distribution_nobody_waits'],
  ])
  expect((await officer('POST', '/applicants/bulk/distribution', { admission_id: 99_999 })).status).toBe(422)
  ok(await officer('POST', '/applicants/bulk/distribution', { admission_id: ADMISSION }))
  expect(codes(await officer('POST', '/applicants/bulk/distribution', { admission_id: ADMISSION }))).toEqual([
    409,
    ['distribution_under_way'],
  ])
})

/** Somebody who waits, with the first wish, all of whose conditions are met unless told. */
async function waiting(): Promise<{ id: number; wish: number }> {
  return one(
    `select t.id, (select w.program_id from applicant_preferences w where w.applicant_id = t.id order by position limit 1) as wish from applicants t
     where t.admission_id = $1 and t.status = 'DISTRIBUATION_REQUIRED' and t.program_id is null and t.percentage < 100 order by t.percentage desc limit 1`,
    [ADMISSION],
  )
}
const seats = (program: number, change: string) =>
  q(`update admission_programs set ${change} where admission_id = $1 and program_id = $2`, [ADMISSION, program])

test('a seat is given by hand where there is one, by conditions or with a reason', async () => {
  const { id, wish } = await waiting()
  const give = (body: object) => officer('POST', `/applicants/assign/${id}`, body)
  const held = await one<{ n: number }>(
    'select count(*)::int as n from applicants where admission_id = $1 and program_id = $2',
    [ADMISSION, wish],
  )
  await q(
    'delete from admission_quotas where admission_program_id in (select id from admission_programs where admission_id = $1 and program_id = $2)',
    [ADMISSION, wish],
  )
  await seats(wish, `capacity = ${held.n}, min_percentage = 100, max_age = 100`)
  expect(codes(await give({ program_id: wish }))).toEqual([409, ['ranking_certificate', 'seat_none@program_id']])
  await seats(wish, `capacity = ${held.n + 1}`)
  expect(codes(await give({ program_id: wish }))).toEqual([409, ['ranking_certificate']])
  expect(codes(await give({ program_id: wish, exception: true }))).toEqual([422, ['reason_required@reason']])
  expect(codes(await give({ program_id: 99_999 }))).toEqual([409, ['seat_not_offered@program_id']])
  // The last seat, by two at once.
  const other = await one<{ id: number }>(
    `select t.id from applicants t where t.admission_id = $1 and t.status = 'DISTRIBUATION_REQUIRED' and t.program_id is null and t.id <> $2 limit 1`,
    [ADMISSION, id],
  )
  const body = { program_id: wish, exception: true, reason: 'As the council decided.' }
  const both = await Promise.all([give(body), officer('POST', `/applicants/assign/${other.id}`, body)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const winner = both[0].status === 200 ? id : other.id
  expect(
    await one(
      'select action, reason from step_history where workflow = $1 and record_id = $2 order by id desc limit 1',
      ['applicant', winner],
    ),
  ).toEqual({ action: 'seat_given', reason: 'As the council decided.' })
  // Twice is too much; another one is a change, which says why.
  expect(codes(await officer('POST', `/applicants/assign/${winner}`, body))).toEqual([
    409,
    ['applicant_late', 'seat_none@program_id', 'seat_same'],
  ])
  const change = (to: number | null) =>
    officer('POST', `/applicants/change/desire/${winner}`, { program_id: to, reason: 'Asked for it.', exception: true })
  expect(codes(await change(wish))).toEqual([409, ['seat_none@program_id', 'seat_same']])
  await q("update applicants set status = 'APPROVED' where id = $1", [winner])
  expect(codes(await change(null))).toEqual([409, ['applicant_late']])
  await q(
    `update applicants set status = 'accepted', student_id = (select max(s.id) from students s
       where s.id not in (select a.student_id from applicants a where a.student_id is not null)) where id = $1`,
    [winner],
  )
  expect(codes(await change(null))).toEqual([409, ['applicant_late']])
  await q("update applicants set status = 'DISTRIBUATION_REQUIRED', student_id = null where id = $1", [winner])
  expect(await one('select program_id from applicants where id = $1', [winner])).toEqual({ program_id: wish })
  ok(await change(null))
  expect(codes(await change(wish))).toEqual([409, ['applicant_late']])
  // A wish by its place.
  expect(codes(await officer('PUT', `/applicants/distribution/${winner}`, { preference: 15 }))).toEqual([
    422,
    ['seat_no_wish@preference'],
  ])
})

test('seats of groups are kept for them, and no more of a group are admitted than may be', async () => {
  const { id, wish } = await waiting()
  await q('update applicants set nationality_id = 64 where id = $1', [id])
  const held = await one<{ n: number }>(
    'select count(*)::int as n from applicants where admission_id = $1 and program_id = $2',
    [ADMISSION, wish],
  )
  await seats(wish, `capacity = ${held.n + 1}, min_percentage = null, max_age = null`)
  const program = await one<{ id: number }>(
    'select id from admission_programs where admission_id = $1 and program_id = $2',
    [ADMISSION, wish],
  )
  const quota = async (group: string, reserved: number | null, maximum: number | null) => {
    await q('delete from admission_quotas where admission_program_id = $1', [program.id])
    await q(
      'insert into admission_quotas (admission_program_id, position, quota_group, reserved, maximum) values ($1, 0, $2, $3, $4)',
      [program.id, group, reserved, maximum],
    )
  }
  const give = () =>
    officer('POST', `/applicants/assign/${id}`, { program_id: wish, exception: true, reason: 'A test.' })
  await quota('foreign', 50, null)
  expect(codes(await give())).toEqual([409, ['seat_reserved@program_id']])
  await quota('egyptian', null, 0)
  expect(codes(await give())).toEqual([409, ['seat_group_full@program_id']])
  await quota('egyptian', 50, null)
  const { body } = await officer('POST', '/applicants/bulk/assign', {
    ids: [id, 1],
    program_id: wish,
    exception: true,
    reason: 'A test.',
  })
  expect(body.data).toMatchObject({ done: [id], failed: [{ id: 1 }] })
})

test('a transfer keeps the program for which the equivalence was done', async () => {
  const { id } = await one<{ id: number }>(
    "select id from applicants where admission_id = 3 and status in ('EQUIVALENCE_DONE', 'FINAL_FEES_REQUIRED') limit 1",
  )
  const { program_id } = await one<{ program_id: number }>(
    'select x.program_id from admission_programs x join applicants t on t.id = $1 and t.admission_id = x.admission_id and t.program_id <> x.program_id limit 1',
    [id],
  )
  expect(
    reasons(await officer('POST', `/applicants/change/desire/${id}`, { program_id, reason: 'Asked for it.' })),
  ).toContain('seat_equivalent')
})

test('whoever reaches a faculty gives seats to those who wish for it, and distributes nobody', async () => {
  const { id, wish } = await waiting()
  const { faculty_id } = await one<{ faculty_id: number }>('select faculty_id from programs where id = $1', [wish])
  const { id: other } = await one<{ id: number }>(
    `select f.id from faculties f where not exists (select from applicant_preferences w join programs p on p.id = w.program_id
      where w.applicant_id = $1 and p.faculty_id = f.id) limit 1`,
    [id],
  )
  const near = await u.as('admission_officer', ['faculty', faculty_id])
  const far = await u.as('admission_officer', ['faculty', other])
  expect((await far('POST', `/applicants/assign/${id}`, { program_id: wish })).status).toBe(404)
  expect([200, 409]).toContain((await near('POST', `/applicants/assign/${id}`, { program_id: wish })).status)
  expect((await near('POST', '/applicants/bulk/distribution', { admission_id: ADMISSION })).status).toBe(403)
  expect([403, 404]).toContain((await near('PUT', `/distribution-runs/confirm/${first}`, {})).status)
  // Another of its round was confirmed.
  expect(codes(await confirm(first))).toEqual([409, ['distribution_outdated']])
  // Of a run it sees its own applicants.
  const all = (await officer('POST', `/distribution-runs/places/${first}`, { perPage: 1 })).body.meta.count
  const some = await far('POST', `/distribution-runs/places/${first}`, { perPage: 1 })
  expect(some.status === 403 || some.body.meta.count < all).toBe(true)
  expect([403, 404]).toContain((await far('GET', `/distribution-runs/ladder/${first}/${id}`)).status)
  expect(codes(await officer('GET', `/distribution-runs/ladder/${first}/1`))).toEqual([
    409,
    ['distribution_not_in_run'],
  ])
  // And its own programs.
  const { data: own } = (await near('GET', `/distribution-runs/programs/${first}`)).body as {
    data: RunProgramStanding[]
  }
  const faculties = await q<{ faculty_id: number }>('select distinct faculty_id from programs where id = any($1)', [
    own.map((one) => one.program.id),
  ])
  expect(faculties).toEqual([{ faculty_id }])
  for (const role of ['student', 'instructor', 'finance_officer']) {
    const caller = await u.as(role)
    expect((await caller('GET', `/distribution-runs/${first}`)).status).toBe(403)
    expect((await caller('POST', `/applicants/assign/${id}`, { program_id: wish })).status).toBe(403)
  }
})
