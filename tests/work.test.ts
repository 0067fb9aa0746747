import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { registrationWorld } from './registration-world.ts'
import type { RegistrationWorld } from './registration-world.ts'
import { ok, testUniversity } from './university.ts'
import type { Caller, TestUniversity } from './university.ts'

/** What stands on people's homes: what waits for each, and nothing of others. */
let u: TestUniversity
let w: RegistrationWorld

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  w = await registrationWorld(u)
}, 180_000)
afterAll(() => u?.close())

interface Work {
  waiting: { key: string; data: Record<string, unknown>; link: string; since: string | null; until: string | null }[]
  today: { key: string; data: Record<string, unknown>; link: string; start: string; end: string }[]
}
const workOf = async (who: Caller): Promise<Work> => ok(await who('GET', '/users/work'))
const line = async (who: Caller, key: string) => (await workOf(who)).waiting.find((item) => item.key === key)
const within = (reach: 'faculty', id: number): ['faculty', number] => [reach, id]

it('requests wait for the advisor and for who decides within the faculty, and for nobody else', async () => {
  await w.windows('register')
  const advisor = await w.advisor()
  const colleague = await w.advisor()
  const [mine, other] = [await w.student({ advisor: advisor.id }), await w.student()]
  const offering = await w.offer('MA101')
  const asked = { offerings: [{ offering_id: offering.id, offering_slot_ids: [offering.lectures[0]] }] }
  expect(await line(advisor.as, 'registration.work_advised')).toBeUndefined()
  for (const student of [mine, other]) ok(await student.as('PUT', '/registrations/students/request-offering', asked))

  expect(await line(advisor.as, 'registration.work_advised')).toMatchObject({
    data: { count: 1, requests: 1 },
    link: '/my_advising',
    since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  })
  expect(await line(colleague.as, 'registration.work_advised')).toBeUndefined()
  const registrar = await u.as('registrar')
  expect(await line(registrar, 'registration.work_requests')).toMatchObject({ data: { count: 2, requests: 2 } })
  const elsewhere = await u.as('faculty_registrar', within('faculty', w.otherFaculty))
  expect(await line(elsewhere, 'registration.work_requests')).toBeUndefined()
  for (const none of [registrar, elsewhere, mine.as])
    expect(await line(none, 'registration.work_advised')).toBeUndefined()

  // Answered: it waits no longer.
  ok(await advisor.as('PUT', '/registrations/students/accept-all-requested-offerings', { student_id: mine.id }))
  expect(await line(advisor.as, 'registration.work_advised')).toBeUndefined()
})

it('a student is told of the open stage that concerns him or her, with the hours', async () => {
  const student = await w.student()
  const far = await w.student({ faculty: 'other' })
  await w.windows('register')
  const group = await w.query<{ id: number }>(
    `insert into stage_groups (code, name, name_local, faculty_id) values ('G', 'G', 'G', $1) returning id`,
    [w.faculty],
  )
  await w.query('update term_stages set stage_group_id = $1', [group[0]!.id])
  expect(await line(student.as, 'registration.work_register')).toMatchObject({ data: { count: 0 } })
  expect(await line(far.as, 'registration.work_register')).toBeUndefined()
  await w.windows('register', 'add_drop')
  expect((await workOf(student.as)).waiting.map(({ key }) => key)).toEqual(['registration.work_register'])
  await w.windows()
  expect((await workOf(student.as)).waiting).toEqual([])
})

it('offerings wait for the next step of control within reach', async () => {
  const reviewer = await u.as('control_head')
  const elsewhere = await u.as('control_head', within('faculty', w.otherFaculty))
  const offering = await w.offer('PH101')
  expect(await line(reviewer, 'grading.work_review')).toBeUndefined()
  await w.query(`update offerings set control_status = 'Submitted' where id = $1`, [offering.id])
  expect(await line(reviewer, 'grading.work_review')).toMatchObject({ data: { count: 1 } })
  expect(await line(elsewhere, 'grading.work_review')).toBeUndefined()
  expect(await line(await u.as('registrar'), 'grading.work_review')).toBeUndefined()
})

it('marks of a course of a faculty wait within its window, those of the whole university within the window of any', async () => {
  const teacher = await u.as('instructor', undefined, { type: 1 })
  const offering = await w.offer('MA101')
  const student = await w.student()
  await w.query(
    `with i as (insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, 'TEACHES', 'T', 'T', $2) returning id)
     insert into offering_instructors (offering_id, instructor_id, role) select $3, id, 'leader' from i`,
    [teacher.user_id, w.faculty, offering.id],
  )
  await w.query(
    `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
     select $1, o.id, o.term_id, o.course_id, 262160, 3 from offerings o where o.id = $2`,
    [student.id, offering.id],
  )
  const as = await u.signIn(teacher.user_id)
  await w.windows()
  await w.query(
    `with g as (insert into stage_groups (code, name, name_local, faculty_id) values ('OTHER', 'O', 'O', $1) returning id)
     insert into term_stages (term_id, stage_code_id, stage_group_id, starts_at, ends_at)
     select $2, k.id, g.id, now() - interval '1 day', now() + interval '1 day' from g, stage_codes k where k.code = 'grade_entry'`,
    [w.otherFaculty, w.term],
  )
  expect(await line(as, 'grading.work_marks')).toBeUndefined()
  await w.query('update offerings set faculty_id = null where id = $1', [offering.id])
  expect(await line(as, 'grading.work_marks')).toMatchObject({ data: { count: 1 } })
})

it("today's meetings are those of the one who looks, in the day of the university", async () => {
  await w.windows('register')
  const [student, other] = [await w.student(), await w.student()]
  const [{ day }] = (await w.query<{ day: number }>(
    `select (extract(dow from now() at time zone university_zone())::int + 1) % 7 as day`,
  )) as [{ day: number }]
  const now = await w.offer('EN101', { day })
  const later = await w.offer('HU101', { day: (day + 1) % 7 })
  for (const offering of [now, later])
    ok(
      await student.as('PUT', '/registrations/students/request-offering', {
        offerings: [{ offering_id: offering.id, offering_slot_ids: [offering.lectures[0]] }],
      }),
    )
  expect((await workOf(student.as)).today).toMatchObject([
    { key: 'scheduling.work_lecture', data: { course: 'EN101' } },
  ])
  expect((await workOf(other.as)).today).toEqual([])
  // Not one that is cancelled, nor on a day without lectures.
  const today = async () => (await workOf(student.as)).today.length
  await w.query(
    `insert into meeting_occurrences (offering_id, offering_slot_id, date, cancelled_at, cancelled_reason)
     values ($1, $2, university_today(), now(), 'Illness')`,
    [now.id, now.lectures[0]],
  )
  expect(await today()).toBe(0)
  await w.query('delete from meeting_occurrences')
  expect(await today()).toBe(1)
  await w.query(`insert into calendar_events (layer, name, name_local, start_date, end_date, no_teaching)
    values ('university', 'Holiday', 'إجازة', university_today(), university_today(), true)`)
  expect(await today()).toBe(0)
  await w.query('delete from calendar_events')

  // Who teaches it is one tap from taking attendance there; who studies, from the own week.
  const teacher = await u.as('instructor', undefined, { type: 1 })
  await w.query(
    `with i as (insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, 'TODAY', 'T', 'T', $2) returning id)
     insert into offering_slot_instructors select $3, id from i`,
    [teacher.user_id, w.faculty, now.lectures[0]],
  )
  const [{ date }] = (await w.query<{ date: string }>('select university_today()::text as date')) as [{ date: string }]
  expect((await workOf(await u.signIn(teacher.user_id))).today).toMatchObject([
    { link: `/offerings/attendance/${now.id}?meeting=${now.lectures[0]}&date=${date}` },
  ])
  expect((await workOf(student.as)).today).toMatchObject([{ link: '/offerings/my_schedule' }])
})

it('who is not signed in is told nothing', async () => {
  const answer = await u.app.inject({ method: 'GET', url: '/api/users/work' })
  expect(answer.statusCode).toBe(401)
})

it('a day begins and ends by the clock of the university', async () => {
  expect(
    await w.query(`select day_begins('2026-12-12') = '2026-12-11T22:00:00Z' as begins,
      day_ends('2026-12-12') = '2026-12-12T21:59:00Z' as ends`),
  ).toEqual([{ begins: true, ends: true }])
})

it('no day becomes an instant by a cast, which takes the midnight of the session', () => {
  const cast = /(_on|_date|_day)\)*::timestamptz/
  const found = globSync('areas/**/*.server.ts').filter((file) => cast.test(readFileSync(file, 'utf8')))
  expect(found).toEqual([])
})
