import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { actOn } from '#areas/records/grading/guard.server.ts'
import { offerCourse, statusOf } from '#areas/records/grading/testing.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { seedTransfers, type TransferFixture } from '../testing.server.ts'
import { transfersServer } from '../transfers.server.ts'

/** What courses count as stands on results: what becomes of it when these change. */
let uni: TestUniversity
let f: TransferFixture
let left: Caller
let joined: Caller
let head: Caller

const q = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await uni.database.pool.query(text, values)).rows
beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    settingsServer,
    studentsServer,
    registrationServer,
    gradingServer,
    transfersServer,
  ])
  f = await seedTransfers(uni.database)
  left = await uni.as('faculty_registrar', ['faculty', f.faculty])
  joined = await uni.as('faculty_registrar', ['faculty', f.target.faculty])
  head = await uni.as('control_head')
}, 720_000)
afterAll(() => uni?.close())

const details = async (id: number) => ok(await joined('GET', `/transfer/internal/details/${id}`)) as any
/** Decides on every course, as it stands or otherwise. */
const decide = async (id: number, change: (line: any) => object = () => ({})) => {
  const { equivalences } = await details(id)
  return joined('POST', `/transfer/internal/temp-courses/add/${id}`, {
    courses: equivalences.map((line: any) => ({
      id: line.id,
      course_id: line.course?.id ?? null,
      credit_hours: line.credit_hours,
      letter: line.letter,
      counts_in_gpa: line.counts_in_gpa,
      ...change(line),
    })),
  })
}
const AS_DS201 = () => ({ course_id: f.target.courses[0], credit_hours: 3, letter: 'B', counts_in_gpa: true })
const ready = async (student_id: number): Promise<number> => {
  ok(await head('POST', '/control/students/finish', { term_id: f.fall, ids: [student_id] }))
  const { id } = ok(
    await left('POST', `/transfer/internal/${student_id}/add`, { program_id: f.target.program, why: 'I want to.' }),
  ) as { id: number }
  ok(await (await uni.as('faculty_registrar', ['faculty', f.faculty]))('PUT', `/transfer/internal/${id}/agree`, {}))
  // An earlier decision would propose otherwise.
  ok(await decide(id, (line) => (line.source.code === 'CS102' ? AS_DS201() : {})))
  return id
}
/** Corrects a result as control does. */
const correct = (student_id: number, course: number, letter: string, points: number, total: number) =>
  uni.database.db.transaction().execute(async (tx) => {
    await actOn(tx, 'load')
    await sql`update registrations set letter = ${letter}, points = ${points}, total = ${total}, passed = ${points > 0}
      where student_id = ${student_id} and course_id = ${f.courses[course]!} and term_id = ${f.fall}`.execute(tx)
  })
const execute = (id: number) => joined('PUT', `/transfer/internal/${id}`, {})
const creditsOf = (student_id: number) =>
  q(
    `select c.code, k.letter, k.points, k.counts_in_gpa from course_credits k join courses c on c.id = k.course_id
    where k.student_id = $1 order by c.code`,
    [student_id],
  )
const outdated = async (who: Caller, student_id: number): Promise<any[]> =>
  ok(await who('POST', '/outdated-decisions', { student_id })) as any[]

test('a course that was corrected after it was decided upon: executing waits until that is decided again', async () => {
  const me = f.students[0]!
  const id = await ready(me)
  await correct(me, 1, 'C', 2.3, 66)
  const refused = await execute(id)
  expect([refused.status, reasons(refused)]).toEqual([409, ['transfer_source_changed']])
  expect(refused.body.errors[0].data).toMatchObject({ what: 'CS102', before: 'B · 3.00', now: 'C · 2.30' })
  expect((await details(id)).against.map((one: any) => one.code)).toEqual(['transfer_source_changed'])
  // As it was: it stands again.
  await correct(me, 1, 'B', 3, 80)
  expect((await details(id)).against).toEqual([])
  // Failed: it counts as nothing, and that has to be said.
  await correct(me, 1, 'F', 0, 20)
  expect(reasons(await decide(id))).toEqual(['equivalence_source_failed@courses.1.course_id'])
  ok(
    await decide(id, (line) =>
      line.source.code === 'CS102' ? { course_id: null, letter: null, credit_hours: null, counts_in_gpa: false } : {},
    ),
  )
  expect((await details(id)).equivalences[1].source).toMatchObject({ code: 'CS102', grade: 'F' })
  ok(await execute(id))
  expect(await creditsOf(me)).toMatchObject([{ code: 'CS101', letter: 'A+' }])
})

test('a credited course whose result is corrected is outdated: its faculty takes the new result, or keeps the credit with a reason', async () => {
  const [me, other] = [f.students[1]!, f.students[2]!]
  for (const one of [me, other]) ok(await execute(await ready(one)))
  const advisor = await uni.as(null)
  await q('update instructors set user_id = $1 where id = $2', [advisor.user_id, f.instructor])
  await q('update students set advisor_id = $1 where id = $2', [f.instructor, me])
  // A term is finished in the new study, so that its row stands on the credits.
  const spring = await offerCourse(uni.database, f, {
    course: 3,
    code: 's9',
    students: [me],
    term_id: f.spring,
    status: statusOf('Registered', 'Fresh'),
  })
  await q(
    `update registrations set letter = 'A', points = 3.7, total = 90, passed = true, counts_in_gpa = true, counts_in_attempted_hours = true
    where offering_id = $1`,
    [spring.id],
  )
  await q(`update offerings set control_status = 'Published' where id = $1`, [spring.id])
  ok(await head('POST', '/control/students/finish', { term_id: f.spring, ids: [me] }))
  const figures = async () =>
    (await q('select gpa, passed_hours::float8 as passed from students where id = $1', [me]))[0]
  // (4 × 3 + 3 × 3 + 3.7 × 3) / 9
  expect(await figures()).toEqual({ gpa: '3.57', passed: 9 })

  await correct(me, 0, 'C', 2.3, 66)
  await correct(other, 1, 'F', 0, 20)
  expect(await outdated(joined, me)).toMatchObject([
    {
      kind: 'credit',
      becomes: 'waits',
      decision: { code: 'CS101' },
      changes: [{ what: { code: 'CS101' }, before: { name: 'A · 4.00' }, now: { name: 'C · 2.30' } }],
      abilities: ['renew', 'keep'],
    },
  ])
  // The faculty that was left sees it and does not decide; others see nothing.
  expect((await outdated(left, me)).map((one) => one.abilities)).toEqual([[]])
  const [third] = (await q(`insert into faculties (code, name, name_local) values ('F3', 'F3', 'ك') returning id`)) as [
    { id: number },
  ]
  expect(await outdated(await uni.as('faculty_registrar', ['faculty', third.id]), me)).toEqual([])
  const [credit] = await outdated(joined, me)
  const renew = (who: Caller, id: number) => who('POST', '/outdated-decisions/renew', { kind: 'credit', ids: [id] })
  expect((await renew(left, credit.id)).status).toBe(403)
  const work = ok(await joined('GET', '/users/work')) as any
  expect(work.waiting.find((one: any) => one.key === 'kit.work_outdated')).toMatchObject({
    data: { count: 2 },
    link: '/outdated-decisions',
  })

  ok(await renew(joined, credit.id))
  expect(await creditsOf(me)).toMatchObject([
    { code: 'CS101', letter: 'C', points: '2.40' },
    { code: 'DS201', letter: 'B' },
  ])
  // (2.4 × 3 + 3 × 3 + 3.7 × 3) / 9: the row of the later term was computed again.
  expect(await figures()).toEqual({ gpa: '3.03', passed: 9 })
  expect(
    await q('select revised_since from student_terms where student_id = $1 and revised_since is not null', [me]),
  ).toEqual([])
  expect(await outdated(joined, me)).toEqual([])
  // The paper of equivalences says what counts.
  expect(
    (
      await q(
        `select e.letter, e.source_grade from equivalences e join course_credits k on k.equivalence_id = e.id where k.id = $1`,
        [credit.id],
      )
    )[0],
  ).toEqual({ letter: 'C', source_grade: 'C' })

  // Of the other it is kept as it is, with the reason; what it stands on is the result as it is now.
  const [kept] = await outdated(joined, other)
  ok(
    await joined('POST', '/outdated-decisions/keep', {
      kind: 'credit',
      ids: [kept.id],
      reason: 'The council decided so.',
    }),
  )
  expect(await outdated(joined, other)).toEqual([])
  expect(await creditsOf(other)).toMatchObject([{ code: 'CS101' }, { code: 'DS201', letter: 'B' }])
  await correct(other, 1, 'B', 3, 80)
  const [again] = await outdated(joined, other)
  expect(again.changes).toMatchObject([{ before: { name: 'F · 0.00' }, now: { name: 'B · 3.00' } }])
  await correct(other, 1, 'F', 0, 20)
  expect(await outdated(joined, other)).toEqual([])
})

test('what is not passed any more is credited no longer once its faculty says so', async () => {
  const me = f.students[3]!
  const id = await ready(me)
  ok(await execute(id))
  await correct(me, 1, 'F', 0, 20)
  const [credit] = await outdated(joined, me)
  ok(await joined('POST', '/outdated-decisions/renew', { kind: 'credit', ids: [credit.id] }))
  expect(await creditsOf(me)).toMatchObject([{ code: 'CS101' }])
  expect((await q('select gpa, passed_hours::float8 as passed from students where id = $1', [me]))[0]).toEqual({
    gpa: '4.00',
    passed: 3,
  })
  expect((await details(id)).equivalences[1]).toMatchObject({ state: 'none', course: null })
  expect(await outdated(joined, me)).toEqual([])
})

test('a correction between deciding and executing, at the same moment: the credit never stands on what is not any more', async () => {
  const me = f.students[4]!
  const id = await ready(me)
  const [, answer] = await Promise.all([correct(me, 1, 'F', 0, 20), execute(id)])
  if (answer.status === 200) expect(await outdated(joined, me)).toMatchObject([{ kind: 'credit' }])
  else expect(reasons(answer)).toEqual(['transfer_source_changed'])
})
