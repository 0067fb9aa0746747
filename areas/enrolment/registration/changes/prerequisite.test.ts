import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { evaluateRequisites, type Requisite } from '#areas/study/catalogue/requisites.rules.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { actOn } from '#areas/records/grading/guard.server.ts'
import { offerCourse, seed, statusOf, type Fixture, type TestOffering } from '#areas/records/grading/testing.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { basisJob } from '#kit/server/workflow/basis.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { registrationServer } from '../registration.server.ts'

let uni: TestUniversity
let f: Fixture
let passed: TestOffering
let registrar: Caller
let elsewhere: Caller
let advisor: Caller
const people: Caller[] = []
const q = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await uni.database.pool.query(text, values)).rows

/** Corrects a result as control does, by a unit of work of the program. */
const correct = (i: number, letter: string, points: number) =>
  asSystem(uni.services, 'test').write(async (tx) => {
    await actOn(tx, 'correction')
    await sql`update registrations set letter = ${letter}, points = ${points}, total = ${points * 25}, passed = ${points > 0}
      where id = ${passed.registrations[i]!}`.execute(tx)
  })
const outdated = async (who: Caller, i: number): Promise<any[]> =>
  ok(await who('POST', '/outdated-decisions', { student_id: f.students[i] })) as any[]

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    settingsServer,
    studentsServer,
    gradingServer,
    registrationServer,
  ])
  f = await seed(uni.database)
  registrar = await uni.as('registrar', ['faculty', f.faculty])
  elsewhere = await uni.as('registrar', ['faculty', f.otherFaculty])
  advisor = await uni.as('academic_advisor', undefined, { type: 1 })
  await q('update instructors set user_id = $1 where id = $2', [advisor.user_id, f.instructor])
  advisor = await uni.signIn(advisor.user_id)
  for (const id of f.students) {
    const { user_id } = await uni.as('student', undefined, { type: 3 })
    await q('update students set user_id = $1, advisor_id = $2 where id = $3', [user_id, f.instructor, id])
    people.push(await uni.signIn(user_id))
  }
  passed = await offerCourse(uni.database, f, { course: 0, code: 'p' })
  await q(
    `update registrations set letter = 'A', points = 4, total = 100, passed = true, counts_in_gpa = true,
    counts_in_attempted_hours = true where offering_id = $1`,
    [passed.id],
  )
  await q(`update offerings set control_status = 'Published' where id = $1`, [passed.id])
}, 720_000)
afterAll(() => uni?.close())

test('which attempt a later registration is follows a correction, with its line in the history', async () => {
  const later = await offerCourse(uni.database, f, {
    course: 0,
    code: 'l',
    term_id: f.spring,
    students: f.students.slice(0, 2),
    status: statusOf('Registered', 'Improve'),
  })
  const [mine, other] = later.registrations
  const attempt = async (id?: number) =>
    (await q('select (status & 112)::int as attempt from registrations where id = $1', [id]))[0].attempt
  await correct(0, 'F', 0)
  expect([await attempt(mine), await attempt(other)]).toEqual([32, 64])
  await correct(0, 'A', 4)
  expect(await attempt(mine)).toBe(64)
  expect(
    (await q('select action from registration_history where registration_id = $1 order by id', [mine])).map(
      (one) => one.action,
    ),
  ).toEqual(['attempt', 'attempt'])
  // Whoever writes: what no unit of work of the program did has followed within a minute.
  await uni.database.db.transaction().execute(async (tx) => {
    await actOn(tx, 'load')
    await sql`update registrations set letter = 'F', points = 0, passed = false where id = ${passed.registrations[0]!}`.execute(
      tx,
    )
  })
  expect(await attempt(mine)).toBe(64)
  const progress = Object.assign(async () => {}, { signal: new AbortController().signal })
  await basisJob.run(asSystem(uni.services, 'test'), undefined, progress)
  expect(await attempt(mine)).toBe(32)
  await correct(0, 'A', 4)
  const kept = () => q(`select decision_id from decision_facts where kind = 'attempt'`)
  expect(await kept()).toEqual([])
  // What is as it was before it was followed is outdated no more.
  const write = (letter: string, points: number) =>
    uni.database.db.transaction().execute(async (tx) => {
      await actOn(tx, 'load')
      await sql`update registrations set letter = ${letter}, points = ${points}, passed = ${points > 0} where id = ${passed.registrations[0]!}`.execute(
        tx,
      )
    })
  await write('F', 0)
  expect(await kept()).toEqual([{ decision_id: mine }])
  await write('A', 4)
  expect(await kept()).toEqual([])
})

test('a running course whose prerequisite is lost waits for the registrar; student and advisor are told', async () => {
  await q('update courses set prerequisites = $1 where id = $2', [
    JSON.stringify({ course: f.courses[0], min_grade: 'C' }),
    f.courses[1],
  ])
  const running = await offerCourse(uni.database, f, { course: 1, code: 'r', term_id: f.spring })
  const progress = Object.assign(async () => {}, { signal: new AbortController().signal })
  await correct(2, 'B', 3)
  expect(await outdated(registrar, 2)).toEqual([])
  // Passed still, but less than the course asks for.
  await correct(2, 'D', 2)
  const lost = {
    kind: 'prerequisite',
    id: running.registrations[2],
    decision: { code: 'CS102' },
    changes: [{ what: { code: 'CS101' }, before: { name: 'B · 3.00' }, now: { name: 'D · 2.00' } }],
  }
  expect(await outdated(registrar, 2)).toMatchObject([{ ...lost, abilities: ['renew', 'keep'] }])
  expect(await outdated(advisor, 2)).toMatchObject([{ ...lost, abilities: [] }])
  expect(ok(await people[2]!('POST', '/outdated-decisions', {}))).toMatchObject([{ ...lost, abilities: [] }])
  expect(await outdated(elsewhere, 2)).toEqual([])
  expect(ok(await people[1]!('POST', '/outdated-decisions', {}))).toEqual([])
  await basisJob.run(asSystem(uni.services, 'test'), undefined, progress)
  await basisJob.run(asSystem(uni.services, 'test'), undefined, progress)
  expect(
    (await q(`select user_id from notifications where key = 'registration.notice_prerequisite' order by 1`)).map(
      (one) => one.user_id,
    ),
  ).toEqual([advisor.user_id, people[2]!.user_id].toSorted((a, b) => a - b))
  // Enough again, though not what it was.
  await correct(2, 'C', 2.3)
  expect(await outdated(registrar, 2)).toEqual([])

  await correct(3, 'F', 0)
  await correct(4, 'F', 0)
  const [third, fourth] = [running.registrations[3]!, running.registrations[4]!]
  const step = (which: string, id: number, more: object = {}) =>
    registrar('POST', `/outdated-decisions/${which}`, { kind: 'prerequisite', ids: [id], ...more })
  ok(await step('keep', third, { reason: 'The council decided so.' }))
  expect(await outdated(registrar, 3)).toEqual([])
  expect(
    (await q('select action, reason, overrides from registration_history where registration_id = $1', [third]))[0],
  ).toMatchObject({
    action: 'keep',
    reason: 'The council decided so.',
    overrides: [{ code: 'prerequisites' }],
  })
  // What was set aside is lost no more.
  await correct(3, 'A', 4)
  await correct(3, 'F', 0)
  expect(await outdated(registrar, 3)).toEqual([])
  ok(await step('renew', fourth))
  expect(await q('select id from registrations where id = $1', [fourth])).toEqual([])
  expect(await outdated(registrar, 4)).toEqual([])

  // A result that control takes back is lost as well, and comes back with the next step.
  const steps = (status: string) =>
    uni.database.db.transaction().execute(async (tx) => {
      await actOn(tx, 'load')
      await sql`update offerings set control_status = ${status} where id = ${passed.id}`.execute(tx)
    })
  await steps('Reviewed')
  expect(await outdated(registrar, 5)).toMatchObject([
    { kind: 'prerequisite', changes: [{ before: { name: 'A · 4.00' }, now: null }] },
  ])
  await steps('Published')
  expect(await outdated(registrar, 5)).toEqual([])
})

test('the database judges prerequisites as the rules of registration do', async () => {
  const courses = f.courses
  const [student] = f.students
  const { letters, results } = {
    letters: { A: 400, B: 300, C: 230, D: 200, F: 0 } as const,
    results: await q(
      `select r.course_id, r.letter, (r.points * 100)::int as points from registrations r join offerings o on o.id = r.offering_id
      where r.student_id = $1 and r.passed and o.control_status = 'Published'`,
      [student],
    ),
  }
  const leaf = fc.record({ course: fc.constantFrom(...courses) }).chain(({ course }) =>
    fc.oneof(
      fc.constant<Requisite>({ course }),
      fc.constantFrom(...Object.keys(letters), 'X').map((min_grade): Requisite => ({ course, min_grade })),
      fc.constantFrom('1.00', '3.00', '4.00').map((min_points): Requisite => ({ course, min_points })),
    ),
  )
  const { node } = fc.letrec<{ node: Requisite }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.array(tie('node'), { maxLength: 3 }).map((all): Requisite => ({ all })),
      fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((any): Requisite => ({ any })),
    ),
  }))
  await fc.assert(
    fc.asyncProperty(node, async (requisite) => {
      const [{ met }] = await q('select requisite_met($1, $2) as met', [student, JSON.stringify(requisite)])
      expect(met).toBe(evaluateRequisites(requisite, results, letters).met)
    }),
    { numRuns: 150 },
  )
})
