/** What goes wrong in an internship year, through HTTP: who moves on in mid-rotation, falls ill, joins late; places that are lost. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, reasons, type Answer, type Caller } from '#tests/university.ts'
import type { RotationPlanRun } from './plan/plan.contract.ts'
import { internshipWorld, type InternshipWorld } from './testing.server.ts'

let w: InternshipWorld
let office: Caller
let other: number
type Intern = Awaited<ReturnType<InternshipWorld['intern']>>
const refused = (answer: Answer, status: number, ...codes: string[]) =>
  expect([answer.status, ...reasons(answer).toSorted()]).toEqual([status, ...codes.toSorted()])

beforeAll(async () => {
  // The year began eight weeks ago.
  w = await internshipWorld(-56, [], { work: true })
  office = w.office
  other = ok(await office('PUT', '/emtyaz-hospitals', { code: 'H2', name: 'City hospital', name_local: 'اسم' })).id
  await w.q('update emtyaz_years set electives = 0 where id = $1', [w.year])
}, 120_000)
afterAll(() => w?.uni.close())

async function added(who: Intern, training_id: number, from: number, more: object = {}) {
  return ok(
    await office('PUT', '/emtyaz/course/add_emtyaz', {
      rotations: [{ student_id: who.student_id, training_id, starts_on: await w.day(from), ...more }],
    }),
  ) as { done: number[]; failed: { errors: { code: string }[] }[] }
}
async function placed(who: Intern, training_id: number, from: number, more: object = {}): Promise<number> {
  const { done } = await added(who, training_id, from, more)
  expect(ok(await office('PUT', '/emtyaz/course/accept_emtyaz', { ids: done })).failed).toEqual([])
  return done[0]!
}
const offering = (rotation: number) => w.one(`select offering_id as id from emtyaz_rotations where id = $1`, [rotation])
const yearOf = async (who: Intern) => ok(await office('GET', `/emtyaz/student_registration/${who.intern_id}`))
const sheet = async (by: Caller, of: number) => ok(await by('GET', `/emtyaz/offering-students-grades/${of}`))
async function mark(by: Caller, of: number, share = 0.9): Promise<Answer> {
  const { criteria, interns } = await sheet(by, of)
  return by('PUT', '/emtyaz/offering-grades/update', {
    offering_id: of,
    rows: interns
      .filter((one: { outcome: string | null }) => one.outcome !== 'interrupted')
      .map(({ rotation_id, version }: { rotation_id: number; version: number }) => ({
        rotation_id,
        version,
        marks: criteria.map((one: { id: number; max_mark: number }) => ({
          criterion_id: one.id,
          points: one.max_mark * share,
        })),
      })),
  })
}
async function repaired(): Promise<RotationPlanRun> {
  ok(await office('POST', '/emtyaz/plans/repair', { year_id: w.year, seconds: 3 }))
  for (let i = 0; i < 600; i++) {
    const run = ok(await office('GET', `/emtyaz/plans/of/${w.year}`)) as RotationPlanRun
    if (run.state !== 'running') return run
    await new Promise((done) => setTimeout(done, 50))
  }
  throw new Error('the search does not end')
}
const take = async (run: RotationPlanRun) => ok(await office('POST', `/emtyaz/plans/take/${run.id}`))
/** Nobody is in the year any more. */
async function emptied(): Promise<void> {
  await w.q(`update emtyaz_rotations set removed_at = now(), status = 'removed' where year_id = $1`, [w.year])
  await w.q(`update emtyaz_interns set removed_at = now() where year_id = $1`, [w.year])
  await w.q(`update emtyaz_trainings set removed_at = now() where year_id = $1`, [w.year])
}
const rotationsIn = (training: number) =>
  w.one(
    `select count(*)::int as id from emtyaz_rotations where training_id = $1 and status = 'accepted' and removed_at is null`,
    [training],
  )

test('who changes the hospital in mid-rotation: both parts count, the second is marked, and each supervisor knows', async () => {
  const [first, second] = [await w.training(w.types[0], 2), await w.training(w.types[0], 2, { hospital_id: other })]
  const who = await w.intern()
  const [here, there] = [await w.supervisor(first), await w.supervisor(second)]
  const begun = await placed(who, first, -28)
  // Twice in the same training type is refused while the first one goes on.
  expect((await added(who, second, -14)).failed[0]?.errors.map(({ code }) => code)).toContain('rotation_twice')
  ok(await office('PUT', `/emtyaz/interrupt/${begun}`, { on: await w.day(-15), reason: 'Moves to the city' }))
  const told = (user: number) =>
    w.one(
      `select count(*)::int as id from notifications where user_id = $1 and key = 'internship.notice_interrupted'`,
      [user],
    )
  expect([await told(here.user_id), await told(who.user_id), await told(there.user_id)]).toEqual([1, 1, 0])
  expect((await yearOf(who)).requirements[0]).toMatchObject({ done: 14, lacking: 14, to_make_up: 14 })
  // A day longer than what lacks is refused by nobody, one with an overlap is.
  const rest = await added(who, second, -15, { is_makeup: true, ends_on: await w.day(-1) })
  const overlap = ok(await office('PUT', '/emtyaz/course/accept_emtyaz', { ids: rest.done }))
  expect(overlap.failed[0].errors).toMatchObject([{ code: 'rotation_meanwhile_of' }])
  ok(await office('PUT', '/emtyaz/course/reject_emtyaz', { ids: rest.done, reason: 'A day too early' }))
  const goes = await placed(who, second, -14, { is_makeup: true, ends_on: await w.day(-1) })
  expect((await yearOf(who)).requirements[0]).toMatchObject({ done: 14, planned: 14, lacking: 0 })
  // Who supervised the first part has nothing to mark, and does not see the second.
  refused(await there('GET', `/emtyaz/offering-students-grades/${await offering(begun)}`), 404, 'not_found')
  refused(await here('GET', `/emtyaz/offering-students-grades/${await offering(goes)}`), 404, 'not_found')
  ok(await mark(there, await offering(goes)))
  const head = await w.uni.as('super_admin')
  for (const step of ['submit', 'review', 'approve', 'publish'])
    ok(await head('PUT', `/emtyaz/${step}-control-status/${await offering(goes)}`, {}))
  expect((await yearOf(who)).requirements[0]).toMatchObject({ done: 28, lacking: 0, to_make_up: 0 })
  // It does not go on any more where it was left: the days are taken.
  expect((await office('PUT', `/emtyaz/resume/${begun}`, { reason: 'By mistake' })).status).toBe(409)
})

test('who falls ill for longer than is allowed lacks days at once, is given them by a repair, and is not done before', async () => {
  await emptied()
  const ward = await w.training(w.types[0], 2)
  const surgery = await w.training(w.types[1], 2)
  const who = await w.intern()
  const id = await placed(who, ward, -28)
  await placed(who, surgery, 28)
  const { version } = ok(await office('GET', `/emtyaz-interns/${who.intern_id}`))
  ok(
    await office('PUT', `/emtyaz-interns/${who.intern_id}`, {
      version,
      leaves: [{ kind: 'illness', starts_on: await w.day(-20), ends_on: await w.day(-12) }],
    }),
  )
  // Nine days, two of which need not be made up.
  expect((await yearOf(who)).requirements[0]).toMatchObject({ planned: 21, lacking: 7, to_make_up: 7 })
  const teacher = await w.supervisor(ward)
  expect((await sheet(teacher, await offering(id))).interns).toMatchObject([{ leave: 9 }])
  refused(
    await office('PUT', `/emtyaz/complete/${who.intern_id}`, {}),
    409,
    'emtyaz_type_missing',
    'emtyaz_type_missing',
  )
  const run = await repaired()
  expect([run.state, run.changes]).toMatchObject(['proposed', { removed: 0, added: 1 }])
  await take(run)
  expect((await yearOf(who)).requirements[0]).toMatchObject({ planned: 28, lacking: 0 })
  const made = await w.q(
    `select ends_on - starts_on + 1 as days from emtyaz_rotations where student_id = $1 and is_makeup and status = 'accepted'`,
    [who.student_id],
  )
  expect(made).toEqual([{ days: 7 }])
})

test('a hospital leaves with forty people in it: they are told of, nobody new comes, and a repair moves these forty alone', async () => {
  await emptied()
  await w.q('update emtyaz_training_types set removed_at = now() where id = $1', [w.types[1]])
  const [leaves, stays] = [await w.training(w.types[0], 40), await w.training(w.types[0], 30, { hospital_id: other })]
  const interns: Intern[] = []
  for (let i = 0; i < 60; i++) interns.push(await w.intern())
  const from = await w.day(28)
  const { done } = ok(
    await office('PUT', '/emtyaz/course/add_emtyaz', {
      rotations: interns.map(({ student_id }, i) => ({
        student_id,
        training_id: i < 40 ? leaves : stays,
        starts_on: from,
      })),
    }),
  )
  ok(await office('PUT', '/emtyaz/course/accept_emtyaz', { ids: done }))
  expect([await rotationsIn(leaves), await rotationsIn(stays)]).toEqual([40, 20])
  ok(await office('PUT', `/emtyaz/training/${leaves}`, { withdrawn_from: await w.day(20) }))
  expect(ok(await office('GET', `/emtyaz/training/${leaves}`)).overfull).toMatchObject([{ taken: 40, places: 0 }])
  expect((await added(await w.intern(), leaves, 28)).failed[0]?.errors.map(({ code }) => code)).toEqual([
    'rotation_withdrawn',
  ])
  const run = await repaired()
  // Forty lose their place, and one more has none yet.
  expect([run.state, run.changes]).toEqual(['proposed', { kept: 20, accepted: 0, added: 41, removed: 40, interns: 41 }])
  await take(run)
  expect(await rotationsIn(leaves)).toBe(0)
  expect(await rotationsIn(stays)).toBe(61)
  expect(ok(await office('GET', `/emtyaz/training/${stays}`)).overfull).toEqual([])
  // With too few places elsewhere there is no plan, and it is said how many lack.
  ok(await office('PUT', `/emtyaz/training/${stays}`, { places: 2 }))
  const none = await repaired()
  expect([none.state, none.reasons.map(({ code }) => code)]).toEqual(['none', ['emtyaz_plan_department']])
  expect(none.reasons[0]?.data).toMatchObject({ needed: 61 })
}, 120_000)

test('places are lowered below those who are there: they stay until they are moved, as few as it takes', async () => {
  await emptied()
  const ward = await w.training(w.types[0], 3)
  const there = [await w.intern(), await w.intern(), await w.intern()]
  for (const who of there) await placed(who, ward, 28)
  ok(await office('PUT', `/emtyaz/training/${ward}`, { places: 1 }))
  expect(ok(await office('GET', `/emtyaz/training/${ward}`)).overfull).toMatchObject([{ taken: 3, places: 1 }])
  const late = await added(await w.intern(), ward, 28)
  expect(ok(await office('PUT', '/emtyaz/course/accept_emtyaz', { ids: late.done })).failed[0].errors).toMatchObject([
    { code: 'rotation_full' },
  ])
  ok(await office('PUT', '/emtyaz/course/reject_emtyaz', { ids: late.done, reason: 'There is no place' }))
  // Who supervises sees them all, and the intern keeps the place until it is decided.
  expect(await rotationsIn(ward)).toBe(3)
  const run = await repaired()
  expect([run.state, run.changes]).toMatchObject(['proposed', { kept: 1, removed: 2, added: 3 }])
  await take(run)
  expect(ok(await office('GET', `/emtyaz/training/${ward}`)).overfull).toEqual([])
})

test('a graduate of another university joins late: nothing before that day, the rest by a repair, or why it does not fit', async () => {
  await emptied()
  await w.q('update emtyaz_training_types set removed_at = null where id = $1', [w.types[1]])
  const [ward, surgery] = [await w.training(w.types[0], 2), await w.training(w.types[1], 2)]
  // Who is entered here without having studied here, and has not graduated yet, does not join.
  const who = await w.intern({ year: null })
  await w.q(`select decide_status(array[$1::int], 'studying', 'Entered', university_today())`, [who.student_id])
  const joins = async (day: number) =>
    office('PUT', '/emtyaz-interns', { year_id: w.year, student_id: who.student_id, joined_on: await w.day(day) })
  refused(await joins(3), 422, 'emtyaz_not_graduated@student_id')
  await w.q(
    `select decide_status(array[$1::int], 'graduated', 'Graduated from another university', university_today(), 'earlier')`,
    [who.student_id],
  )
  expect((await joins(900)).status).toBe(422)
  const intern_id = ok(await joins(40)).id
  const late = Object.assign(who, { intern_id })
  expect((await added(late, ward, 28)).failed[0]?.errors.map(({ code }) => code)).toEqual(['rotation_before_joining'])
  const run = await repaired()
  expect([run.state, run.changes]).toMatchObject(['proposed', { removed: 0, added: 2 }])
  await take(run)
  const days = await w.q<{ from: number }>(
    `select starts_on - university_today() as from from emtyaz_rotations where student_id = $1 and status = 'accepted' order by 1`,
    [who.student_id],
  )
  expect(days).toHaveLength(2)
  for (const { from } of days) expect(from).toBeGreaterThanOrEqual(40)
  // With three weeks of the year left it does not fit.
  const later = await w.intern({ year: null })
  const end = 12 * 28 - 56
  ok(
    await office('PUT', '/emtyaz-interns', {
      year_id: w.year,
      student_id: later.student_id,
      joined_on: await w.day(end - 21),
    }),
  )
  const none = await repaired()
  expect([none.state, none.reasons.map(({ code }) => code)]).toEqual(['none', ['emtyaz_plan_trainee']])
  expect(surgery).toBeGreaterThan(0)
})
