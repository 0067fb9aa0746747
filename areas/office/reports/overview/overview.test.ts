import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { SEEDED_ROLES } from '#access/roles.contract.ts'
import { into, offerCourse, seed, statusOf, REGISTERED } from '#areas/records/grading/testing.server.ts'
import type { Fixture } from '#areas/records/grading/testing.server.ts'
import { controlCalls } from '#areas/records/grading/control/control.contract.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { offering } from '#areas/study/offerings/offering.contract.ts'
import { offeringsServer } from '#areas/study/offerings/offerings.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { registration } from '#areas/enrolment/registration/records/registration.contract.ts'
import { student } from '#areas/records/students/student/student.contract.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { openTestApp, testActor } from '#kit/server/testing.ts'
import type { TestApp, TestClient, TestReach } from '#kit/server/testing.ts'
import { reportsServer } from '../reports.server.ts'
import { overviewCalls } from './overview.contract.ts'
import { REGISTERED_STATES, REQUEST_STATES } from './overview.rules.ts'

let t: TestApp
let f: Fixture
/** Program and students of the other faculty. */
let other: { program: number; students: number[] }
const DAY = 86_400_000
const NOW = Date.now()
const ago = (days: number) => new Date(NOW - days * DAY).toISOString()

/** Somebody with the rights of a seeded role, as far as `reach`. */
const someone = (
  role: string,
  reach: TestReach = 'all',
  more: Partial<Record<PermissionKey, TestReach>> = {},
): TestClient => {
  const { rights } = SEEDED_ROLES.find((r) => r.key === role)!
  return t.as(testActor({ ...Object.fromEntries(Object.keys(rights).map((key) => [key, reach])), ...more }))
}
const countsOf = async (who: TestClient, query = {}) => (await who.ask(overviewCalls.counts, { query })).data
const facultiesOf = async (who: TestClient, query = {}) => (await who.ask(overviewCalls.faculty, { query })).data
const activitiesOf = async (who: TestClient, query = {}) => (await who.ask(overviewCalls.activities, { query })).data

/**
 * Two faculties. Six students of the first, three of the second. The spring term is the current one, the fall term is in
 * control and has results of four of its six students.
 */
beforeAll(async () => {
  t = await openTestApp([reportsServer, studentsServer, offeringsServer, registrationServer, gradingServer])
  const { database } = t
  f = await seed(database)
  const put = (table: string, rows: readonly Record<string, unknown>[]) => into(database, table, rows)
  const q = (text: string, values: unknown[] = []) => database.pool.query(text, values)
  await q(`insert into current_terms (key, term_id) values ('current_term', $1), ('current_control_term', $2)`, [
    f.spring,
    f.fall,
  ])
  const [bylaw] = await put('bylaws', [{ code: 'B2', name: 'B2', name_local: 'لائحة', faculty_id: f.otherFaculty }])
  const [program] = (await put('programs', [
    {
      code: 'P2',
      name: 'P2',
      name_local: 'برنامج',
      bylaw_id: bylaw,
      faculty_id: f.otherFaculty,
      program_type: 'credit_hours',
      min_credit_hours: 6,
    },
  ])) as [number]
  const students = await put(
    'students',
    [1, 2, 3].map((n) => ({
      code: `C00${n}`,
      name: `C ${n}`,
      name_local: 'طالب',
      faculty_id: f.otherFaculty,
      program_id: program,
      bylaw_id: bylaw,
      advisor_id: n === 1 ? f.otherInstructor : null,
    })),
  )
  other = { program, students }
  await q(`update students set warnings = 1 where id = any($1)`, [[f.students[0], students[0]]])
  await q(`select decide_status(array[$1::int], 'graduated', 'Decision 1', university_today())`, [f.students[5]])
  await q(`update students set removed_at = now() where id = $1`, [students[2]])

  // Control of the fall term, with results of most.
  await offerCourse(database, f, { control_status: 'Approved' })
  await offerCourse(database, f, { course: 1, control_status: 'Draft', students: [] })
  await offerCourse(database, f, { course: 2, control_status: 'Frozen', faculty_id: f.otherFaculty, students: [] })
  const gpas = ['4.00', '3.10', '1.20', '2.00']
  await database.db.transaction().execute(async (tx) => {
    const { insertRows } = await import('#db/bulk.ts')
    await insertRows(
      tx,
      'student_terms',
      gpas.map((gpa, i) => ({
        student_id: f.students[i],
        term_id: f.fall,
        registered_hours: 3,
        attempted_hours: 3,
        passed_hours: 3,
        term_points: '9',
        gpa,
        cumulative_hours: 3,
        cumulative_passed_hours: 3,
        cumulative_points: '9',
        cumulative_gpa: gpa,
        level: 1,
        standing: gpa === '1.20' ? 'warned' : 'good',
      })),
    )
  })

  // Study in the spring term: one offering with meetings and a wait list, one of the other faculty, one closed.
  const states = [
    REGISTERED,
    REGISTERED,
    statusOf('DropRequest', 'Fresh'),
    statusOf('RegisterRequest', 'Fresh'),
    statusOf('Withdrawn', 'Fresh'),
  ]
  const one = await offerCourse(database, f, { term_id: f.spring, students: f.students.slice(0, 5), status: states })
  const two = await offerCourse(database, f, {
    term_id: f.spring,
    course: 1,
    faculty_id: f.otherFaculty,
    students: other.students.slice(0, 2),
    status: [REGISTERED, statusOf('AddRequest', 'Fresh')],
  })
  const closed = await offerCourse(database, f, { term_id: f.spring, course: 2, students: [] })
  await q(`update offerings set is_open = false where id = $1`, [closed.id])
  const [group] = await put('offering_groups', [{ offering_id: one.id, number: 1 }])
  const [slot] = await put('offering_slots', [
    { offering_id: one.id, term_id: f.spring, group_id: group, type: 'Lecture', quota: 2 },
  ])
  await q(`insert into registration_slots (registration_id, offering_slot_id) select unnest($1::int[]), $2`, [
    one.registrations.slice(0, 2),
    slot,
  ])
  await put('wait_list', [{ offering_id: one.id, student_id: f.students[5], offering_slot_ids: [slot] }])
  await q(`update registrations set created_at = $2 where id = $1`, [one.registrations[3], ago(4)])

  // Windows: register open for one faculty, exam in five days for all, results in a month, one of the other faculty.
  const groups = await put(
    'stage_groups',
    [f.faculty, f.otherFaculty].map((faculty_id, i) => ({
      code: `G${i}`,
      name: `G${i}`,
      name_local: 'مجموعة',
      faculty_id,
    })),
  )
  const stages = new Map(
    (await q('select id, code from stage_codes')).rows.map((r: { id: number; code: string }) => [r.code, r.id]),
  )
  const stage = (code: string, group_id: number | null, from: number, to: number) => ({
    term_id: f.spring,
    stage_code_id: stages.get(code),
    stage_group_id: group_id,
    starts_at: ago(-from),
    ends_at: ago(-to),
  })
  await put('term_stages', [
    stage('register', groups[0]!, -3, 4),
    stage('register', groups[1]!, -3, 4),
    stage('exam', null, 5, 9),
    stage('results', null, 30, 40),
    stage('withdraw', null, -9, -5),
  ])

  // What happened: yesterday two came, one was accepted and one left again; last week one came to the other faculty.
  const step = (
    i: number,
    student_id: number,
    offering_id: number,
    at: string,
    action: string,
    from: string | null,
    to: string | null,
  ) => ({ registration_id: i, student_id, offering_id, at, action, from_status: from, to_status: to })
  const asks = statusOf('RegisterRequest', 'Fresh')
  const [a, b] = one.registrations as [number, number]
  await put('registration_history', [
    step(a, f.students[0]!, one.id, ago(1), 'request', null, asks),
    step(a, f.students[0]!, one.id, ago(1), 'accept', asks, REGISTERED),
    step(b, f.students[1]!, one.id, ago(1), 'enroll', null, REGISTERED),
    step(b, f.students[1]!, one.id, ago(1), 'remove', REGISTERED, null),
    step(two.registrations[0]!, other.students[0]!, two.id, ago(2), 'enroll', null, REGISTERED),
  ])
  await put('step_history', [
    {
      workflow: 'offering_control',
      record_id: one.id,
      at: ago(0),
      action: 'submit',
      from_state: 'Draft',
      to_state: 'Submitted',
    },
  ])
})
afterAll(() => t.close())

describe('the wrong person', () => {
  test('without the right to the dashboard gets nothing', async () => {
    for (const role of ['instructor', 'student', 'academic_advisor', 'finance_officer', 'applicant'])
      for (const call of Object.values(overviewCalls)) expect((await someone(role).send(call)).status).toBe(403)
    for (const call of Object.values(overviewCalls)) expect((await t.as(null).send(call)).status).toBe(401)
  })
  test('with the dashboard alone sees no figure at all', async () => {
    const who = t.as(testActor({ admin_system: 'all' }))
    expect(await countsOf(who)).toMatchObject({ students: null, registrations: null, offerings: null, control: null })
    expect(await facultiesOf(who)).toEqual({ faculties: [], results: null })
    const { per_day, activities_per_month } = await activitiesOf(who)
    for (const row of [...per_day, ...activities_per_month])
      expect([row.registered, row.accepted, row.left]).toEqual([0, 0, 0])
  })
})

test('the registrar sees all of it', async () => {
  const figures = await countsOf(someone('registrar'))
  expect(figures).toMatchObject({
    term: { id: f.spring },
    control_term: { id: f.fall },
    students: { statuses: { studying: 7, graduated: 1, suspended: 0 }, warned: 2, without_advisor: 6 },
    registrations: {
      total: 4,
      students: 4,
      requests: { total: 3, RegisterRequest: 1, AddRequest: 1, DropRequest: 1, WithdrawRequest: 0, ExcuseRequest: 0 },
    },
    offerings: { total: 3, open: 2, unplaced: 1, seats: 2, taken: 2, waiting: 1, waited_for: 1 },
    control: { Draft: 1, Submitted: 0, Reviewed: 0, Approved: 1, Published: 0, Frozen: 1 },
  })
  expect(figures.registrations!.requests.oldest!.slice(0, 16)).toBe(ago(4).slice(0, 16))
  // Open ones first; what is over or far away is not told.
  expect(figures.windows.map((w) => [w.stage_code.code, w.stage_group?.code ?? null])).toEqual([
    ['register', 'G0'],
    ['register', 'G1'],
    ['exam', null],
  ])
  const { faculties, results } = await facultiesOf(someone('registrar'))
  const [commerce, engineering] = faculties
  expect([commerce!.faculty!.code, engineering!.faculty!.code]).toEqual(['FCO', 'FEC'])
  expect(commerce).toMatchObject({ studying: 2, registered: 1, requests: 1, offerings: 1, control: { Frozen: 1 } })
  expect(engineering).toMatchObject({
    studying: 5,
    registered: 3,
    requests: 2,
    offerings: 2,
    control: { Draft: 1, Approved: 1 },
  })
  expect(engineering!.programs).toMatchObject([{ program: { id: f.program }, studying: 5, registered: 3, requests: 2 }])
  expect(results).toMatchObject({ term: { id: f.fall }, students: 4, mean: '2.58', warned: 1 })
  expect(results!.bands.map((b) => b.students)).toEqual([0, 0, 1, 0, 1, 0, 1, 1])
})

test('every figure is the number of rows of its list', async () => {
  const who = someone('registrar', { faculty: [f.faculty] }, { access_control: { faculty: [f.faculty] } })
  const { students, registrations, offerings, control } = await countsOf(who)
  const rows = async (list: never, filters: Record<string, unknown>): Promise<number> =>
    ((await who.ask(list, { body: { filters } })) as { meta: { count: number } }).meta.count
  const [people, records, offered] = [student, registration, offering].map(
    (r) => resourceCalls(r as never).list as never,
  ) as [never, never, never]
  expect(await rows(people, { status: ['studying'] })).toBe(students!.statuses.studying)
  expect(await rows(people, { status: ['studying'], warnings: { from: 1 } })).toBe(students!.warned)
  expect(await rows(records, { term_id: [f.spring], state: REGISTERED_STATES })).toBe(registrations!.total)
  expect(await rows(records, { term_id: [f.spring], state: REQUEST_STATES })).toBe(registrations!.requests.total)
  expect(await rows(offered, { term_id: f.spring })).toBe(offerings!.total)
  expect(await rows(offered, { term_id: f.spring, is_open: true })).toBe(offerings!.open)
  for (const [seats, count] of [
    ['full', offerings!.full],
    ['unplaced', offerings!.unplaced],
    ['waiting', offerings!.waited_for],
  ] as const)
    expect(await rows(offered, { term_id: f.spring, seats: [seats] })).toBe(count)
  for (const control_status of ['Draft', 'Approved', 'Frozen'] as const)
    expect(await rows(controlCalls.list as never, { term_id: f.fall, control_status: [control_status] })).toBe(
      control![control_status],
    )
})

test('a dean sees the own faculty, and nothing of the other', async () => {
  const dean = someone('dean', { faculty: [f.otherFaculty] })
  const figures = await countsOf(dean)
  expect(figures).toMatchObject({
    students: { statuses: { studying: 2, graduated: 0 }, warned: 1, without_advisor: 1 },
    registrations: { total: 1, students: 1, requests: { total: 1, AddRequest: 1 } },
    offerings: { total: 1, seats: 0, taken: 0, waiting: 0 },
    control: { Draft: 0, Approved: 0, Frozen: 1 },
  })
  expect(figures.windows.map((w) => w.stage_group?.code ?? null)).toEqual(['G1', null])
  const { faculties, results } = await facultiesOf(dean)
  expect(faculties.map((x) => x.faculty?.id)).toEqual([f.otherFaculty])
  expect(faculties[0]!.programs.map((p) => p.program.id)).toEqual([other.program])
  expect(results).toMatchObject({ students: 0, mean: null })
  const { per_day, activities_per_month } = await activitiesOf(dean)
  expect(per_day.reduce((n, d) => n + d.registered, 0)).toBe(1)
  expect(activities_per_month.reduce((n, m) => n + m.left + m.accepted + m.control, 0)).toBe(0)
})

test('who both heads a faculty and teaches in another sees both', async () => {
  const who = t.as(
    testActor(
      { admin_system: { faculty: [f.otherFaculty] }, access_registration: 'taught' },
      { instructor_id: f.instructor },
    ),
  )
  // Both faculties' offerings are taught by this one; students outside them are not counted.
  expect((await countsOf(who)).registrations).toMatchObject({ total: 4, requests: { total: 3 } })
  const stranger = t.as(
    testActor({ admin_system: 'all', access_registration: 'taught' }, { instructor_id: f.otherInstructor }),
  )
  expect((await countsOf(stranger)).registrations).toMatchObject({ total: 0, requests: { total: 0, oldest: null } })
})

test('the president, who has no control, is told of it by the offerings', async () => {
  const president = someone('president')
  expect((await countsOf(president)).control).toMatchObject({ Draft: 1, Approved: 1, Frozen: 1 })
  expect((await facultiesOf(president)).faculties.map((x) => x.control?.Frozen)).toEqual([1, 0])
})

test('days of the registration period, and twelve months', async () => {
  const { window, per_day, activities_per_month } = await activitiesOf(someone('registrar'))
  expect(window).toEqual({ from: ago(3).slice(0, 10), to: ago(0).slice(0, 10) })
  expect(per_day.map(({ day: _, ...moves }) => moves)).toEqual([
    { registered: 0, accepted: 0, left: 0 },
    { registered: 1, accepted: 0, left: 0 },
    { registered: 2, accepted: 1, left: 1 },
    { registered: 0, accepted: 0, left: 0 },
  ])
  expect(activities_per_month).toHaveLength(12)
  expect(activities_per_month.at(-1)!.month).toBe(ago(0).slice(0, 7))
  expect(activities_per_month.reduce((n, m) => n + m.registered, 0)).toBe(3)
  expect(activities_per_month.reduce((n, m) => n + m.control, 0)).toBe(1)
})

test('days begin where the reader lives', async () => {
  const registrar = someone('registrar')
  const days = async (zone: string) =>
    (await activitiesOf(registrar, { zone })).per_day.filter((d) => d.registered).map((d) => d.day)
  const local = (zone: string, iso: string) => new Date(iso).toLocaleDateString('sv', { timeZone: zone })
  for (const zone of ['Africa/Cairo', 'Pacific/Kiritimati', 'Pacific/Niue'])
    expect(await days(zone)).toEqual([local(zone, ago(2)), local(zone, ago(1))])
  expect((await registrar.send(overviewCalls.activities, { query: { zone: 'Nowhere/At_All' } })).status).toBe(422)
})

test('another term can be looked at; one that does not exist is not there', async () => {
  const registrar = someone('registrar')
  const figures = await countsOf(registrar, { term_id: f.fall })
  expect(figures).toMatchObject({
    term: { id: f.fall },
    control_term: { id: f.fall },
    registrations: { total: 6, students: 6, requests: { total: 0, oldest: null } },
    offerings: { total: 3 },
    windows: [],
  })
  expect((await activitiesOf(registrar, { term_id: f.fall })).window).toBeNull()
  for (const call of Object.values(overviewCalls)) {
    expect((await registrar.send(call, { query: { term_id: 999_999 } })).status).toBe(404)
    expect((await registrar.send(call, { query: { term_id: 'x' } })).status).toBe(422)
  }
})
