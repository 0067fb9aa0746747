import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { actOn } from '#areas/records/grading/guard.server.ts'
import { cells, into, offerCourse, type TestOffering } from '#areas/records/grading/testing.server.ts'
import { levelResultsServer } from '#areas/records/level-results/level-results.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { seedTransfers, type TransferFixture } from '#areas/enrolment/transfers/testing.server.ts'
import { transfersServer } from '#areas/enrolment/transfers/transfers.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '../university.ts'

/** One mark, and everything that was decided upon it: a level, a scholarship, a paper, a credited course, a course that asks for it. */
let uni: TestUniversity
let f: TransferFixture
let first: TestOffering
let me: number
const who: Record<string, Caller> = {}
const q = async (text: string, values: unknown[] = []): Promise<any[]> =>
  (await uni.database.pool.query(text, values)).rows

beforeAll(async () => {
  uni = await testUniversity(
    [
      kitServer,
      catalogueServer,
      settingsServer,
      studentsServer,
      registrationServer,
      gradingServer,
      levelResultsServer,
      transfersServer,
      feesServer,
    ],
    { work: true },
  )
  f = await seedTransfers(uni.database)
  me = f.students[0]!
  who.head = await uni.as('control_head')
  who.dean = await uni.as('dean', ['faculty', f.faculty])
  who.left = await uni.as('faculty_registrar', ['faculty', f.faculty])
  who.joined = await uni.as('faculty_registrar', ['faculty', f.target.faculty])
  who.registrar = await uni.as('registrar')
  who.finance = await uni.as('finance_officer')
  // Who holds every office sees all of it in one list.
  who.everybody = await uni.as('registrar')
  await q(
    `insert into role_assignments (user_id, role_id) select $1, id from roles
    where key = any('{control_head,finance_officer,faculty_registrar}')`,
    [who.everybody.user_id],
  )
  who.everybody = await uni.signIn(who.everybody.user_id)
  who.elsewhere = await uni.as('registrar', [
    'faculty',
    (await into(uni.database, 'faculties', [{ code: 'F3', name: 'F3', name_local: 'ك' }]))[0]!,
  ])
  who.instructor = await uni.as('instructor', undefined, { type: 1 })
  await q('update instructors set user_id = $1 where id = $2', [who.instructor.user_id, f.instructor])
  who.advisor = await uni.as('academic_advisor', undefined, { type: 1 })
  await q('update instructors set user_id = $1 where id = $2', [who.advisor.user_id, f.otherInstructor])
  const [{ user_id }] = await q('select user_id from students where id = $1', [me])
  await q(`insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'student'`, [user_id])
  for (const one of ['instructor', 'advisor'] as const) who[one] = await uni.signIn(who[one]!.user_id)
  who.student = await uni.signIn(user_id)

  // The study that is left is by marks: three courses decide its first year.
  await q('delete from registrations')
  await q('update offerings set removed_at = now()')
  await q(
    `update bylaws set program_type = 'annual', pass_share = 50, max_carried = 2, max_chances = 4 where id = $1`,
    [f.bylaw],
  )
  await q(`update programs set program_type = 'annual' where id = $1`, [f.program])
  await q('delete from bylaw_levels where bylaw_id = $1', [f.bylaw])
  await into(
    uni.database,
    'bylaw_levels',
    [1, 2].map((n) => ({ bylaw_id: f.bylaw, level: n, name: `Year ${n}`, name_local: `الفرقة ${n}`, passed_hours: 0 })),
  )
  await q('delete from program_courses where program_id = $1', [f.program])
  await into(
    uni.database,
    'program_courses',
    f.courses.slice(0, 3).map((course_id, i) => ({
      program_id: f.program,
      course_id,
      level: 1,
      semester: i + 1,
      kind: 'mandatory',
    })),
  )
  const [{ year_id }] = await q('select year_id from terms where id = $1', [f.fall])
  await into(uni.database, 'years', [
    { code: '2026', name: '2026', name_local: '٢٠٢٦', start_date: '2026-09-01', end_date: '2027-08-31' },
  ])
  await into(uni.database, 'student_years', [
    { student_id: me, year_id, bylaw_id: f.bylaw, program_id: f.program, level: 1, enrolment: 'new' },
  ])
  const taught: TestOffering[] = []
  for (const course of [0, 1, 2]) {
    const o = await offerCourse(uni.database, f, { course, code: `a${course}`, students: [me] })
    taught.push(o)
    ok(
      await who.instructor('PUT', '/offerings/offering-students-grades/update', {
        offering_id: o.id,
        cells: cells(o, 0, ['15', '15', '50']),
      }),
    )
    for (const step of ['submit', 'review', 'approve', 'publish'])
      ok(await who.head('PUT', `/control/offerings/${step}-control-status/${o.id}`, {}))
  }
  first = taught[0]!

  const level = ok(await who.head('POST', '/control/levels/preview', { bylaw_id: f.bylaw, year_id, level: 1 }))
  ok(await who.head('POST', '/control/levels/apply', { id: level.id }))
  // By marks there is no GPA; this student came with one.
  await q('update students set gpa = 3.6, advisor_id = $2 where id = $1', [me, f.otherInstructor])
  const rule = ok(
    await who.finance('POST', `/scholarship/create-automatic-scholarship/${f.bylaw}`, {
      code: 'GPA3',
      name: 'Honours',
      name_local: 'تفوق',
      basis: 'gpa',
      from_value: '3.50',
      percent: '20.00',
      types: ['hours'],
      priority: 1,
    }),
  )
  ok(await who.finance('POST', `/scholarship/apply-automatic/${rule.id}`, { year_id }))
  await vi.waitFor(
    async () => expect(await q('select student_id from scholarship_grants')).toEqual([{ student_id: me }]),
    { timeout: 90_000, interval: 100 },
  )
  ok(await who.registrar('POST', `/students/${me}/papers`, { kind: 'transcript', lang: 'en' }))

  const { id } = ok(
    await who.left('POST', `/transfer/internal/${me}/add`, { program_id: f.target.program, why: 'I want to.' }),
  )
  ok(await (await uni.as('faculty_registrar', ['faculty', f.faculty]))('PUT', `/transfer/internal/${id}/agree`, {}))
  const { equivalences } = ok(await who.joined('GET', `/transfer/internal/details/${id}`))
  ok(
    await who.joined('POST', `/transfer/internal/temp-courses/add/${id}`, {
      courses: equivalences.map((line: any) => ({
        id: line.id,
        course_id: line.course?.id ?? null,
        credit_hours: line.credit_hours,
        letter: line.letter,
        counts_in_gpa: line.counts_in_gpa,
      })),
    }),
  )
  ok(await who.joined('PUT', `/transfer/internal/${id}`, {}))
  await q('update students set advisor_id = $2 where id = $1', [me, f.otherInstructor])
  // In the new study a course runs that asks for the credited one.
  await q('update courses set prerequisites = $1 where id = $2', [
    JSON.stringify({ course: f.courses[0] }),
    f.target.courses[1],
  ])
  await offerCourse(
    uni.database,
    { ...f, courses: f.target.courses },
    { course: 1, code: 'r', students: [me], term_id: f.spring, faculty_id: f.target.faculty },
  )
}, 720_000)
afterAll(() => uni?.close())

/** The instructor corrects the mark of the final exam: a second person looks, the dean decides. */
async function correct(mark: string): Promise<void> {
  const { id } = ok(
    await who.instructor!('PUT', '/grades-recheck', {
      registration_id: first.registrations[0],
      offering_mark_id: first.scheme[2],
      why: 'A page was not marked',
    }),
  )
  const assessor = await uni.as('control_team', ['faculty', f.faculty])
  ok(await assessor('POST', `/grades-recheck/update-status/${id}`, { status: 'under_review' }))
  ok(await assessor('PUT', `/grades-recheck/${id}`, { mark, finding: 'Counted again' }))
  const dean = await uni.as('dean', ['faculty', f.faculty])
  ok(await dean('POST', `/grades-recheck/update-status/${id}`, { status: 'accepted' }))
}
const outdated = async (name: string, more: object = {}): Promise<any[]> =>
  ok(await who[name]!('POST', '/outdated-decisions', { perPage: 100, ...more })) as any[]
const kinds = async (name: string, more: object = {}) => (await outdated(name, more)).map((one) => one.kind).toSorted()
const waiting = async (name: string, key = 'kit.work_outdated'): Promise<number> =>
  ok(await who[name]!('GET', '/users/work')).waiting.find((one: any) => one.key === key)?.data.count ?? 0

const FIVE = ['credit', 'level_result', 'paper_student', 'prerequisite', 'scholarship']

test('one corrected mark shows everything that stood on it at once, to whom it concerns', async () => {
  expect(await kinds('everybody')).toEqual([])
  await correct('5')
  expect(
    await q('select letter, points, maximum, total::text, passed from registrations where id = $1', [
      first.registrations[0],
    ]),
  ).toEqual([{ letter: 'W', points: null, maximum: 100, total: '35.00', passed: false }])
  // In one list: of everybody, and of the student, as the record and the preflight ask for it.
  expect(await kinds('everybody')).toEqual(FIVE)
  expect(await kinds('everybody', { student_id: me })).toEqual(FIVE)
  for (const one of await outdated('everybody', { student_id: me }))
    expect(one).toMatchObject({
      student: { id: me },
      decides: true,
      changes: [{ what: { code: 'CS101' }, before: { name: 'VG · 80 / 100' }, now: { name: 'W · 35 / 100' } }],
    })
  expect(await waiting('everybody')).toBe(5)
  // Each sees what concerns the office, and finds on the home what waits for it.
  const concerned = async (name: string) => [await kinds(name), await kinds(name, { mine: true }), await waiting(name)]
  expect(await concerned('head')).toEqual([['level_result', 'paper_student', 'prerequisite'], ['level_result'], 1])
  expect(await concerned('joined')).toEqual([['credit', 'paper_student', 'prerequisite', 'scholarship'], ['credit'], 1])
  expect(await concerned('registrar')).toEqual([FIVE, ['credit', 'paper_student', 'prerequisite'], 3])
  expect(await concerned('finance')).toEqual([['prerequisite', 'scholarship'], ['scholarship'], 1])
  expect(await concerned('dean')).toEqual([['credit', 'level_result'], ['level_result'], 1])
  expect(await concerned('left')).toEqual([['credit'], [], 0])
  expect(await concerned('advisor')).toEqual([['credit', 'paper_student', 'prerequisite'], [], 0])
  expect(await concerned('elsewhere')).toEqual([[], [], 0])
  // The student sees what he or she was told of, on the own home too, and decides nothing.
  expect(await concerned('student')).toEqual([['credit', 'prerequisite'], [], 0])
  expect(await waiting('student', 'kit.work_own_outdated')).toBe(2)
  expect(await waiting('everybody', 'kit.work_own_outdated')).toBe(0)

  await correct('50')
  expect([
    await kinds('everybody'),
    await waiting('everybody'),
    await waiting('student', 'kit.work_own_outdated'),
  ]).toEqual([[], 0, 0])
})

test('a course that asks for a credited one stands on the credit: kept it counts, ended it does not', async () => {
  const step = async (which: string, more: object = {}) => {
    const [{ id }] = await outdated('joined', { kind: 'credit' })
    return ok(await who.joined!('POST', `/outdated-decisions/${which}`, { kind: 'credit', ids: [id], ...more }))
  }
  const running = (kind: string) => ['credit', 'prerequisite'].includes(kind)
  const two = async () => (await kinds('everybody')).filter(running)
  await correct('4')
  expect(await two()).toEqual(['credit', 'prerequisite'])
  await step('keep', { reason: 'The council decided so.' })
  expect(await two()).toEqual([])
  // Passed again: another result than the one on which it was kept, and nothing is lacking.
  await correct('50')
  expect(await two()).toEqual(['credit'])
  await step('renew')
  expect(await two()).toEqual([])
  await correct('3')
  expect(await two()).toEqual(['credit', 'prerequisite'])
  await step('renew')
  expect(await q('select c.code from course_credits k join courses c on c.id = k.course_id order by 1')).toEqual([
    { code: 'DS201' },
  ])
  expect(await two()).toEqual(['prerequisite'])
})

test('a credited course that is worth less than what is asked for is told with the credit', async () => {
  await q('update courses set prerequisites = $1 where id = $2', [
    JSON.stringify({ course: f.courses[1], min_grade: 'B' }),
    f.target.courses[1],
  ])
  await q('delete from decision_facts where kind = $1', ['prerequisite'])
  const [credit] = await q('select id, letter from course_credits where course_id = $1', [f.target.courses[0]])
  expect(credit.letter).toBe('B')
  const worth = (letter: string, points: string) =>
    uni.database.db.transaction().execute(async (tx) => {
      await actOn(tx, 'load')
      await sql`update course_credits set letter = ${letter}, points = ${points}::numeric where id = ${credit.id}`.execute(
        tx,
      )
    })
  const lacking = async () => (await outdated('everybody', { kind: 'prerequisite' })).map((one) => one.changes)
  await worth('C', '2.40')
  expect(await lacking()).toMatchObject([
    [{ fact: 'credit', what: { code: 'DS201' }, before: { name: 'B · 3.00' }, now: { name: 'C · 2.40' } }],
  ])
  await worth('A', '3.70')
  expect(await lacking()).toEqual([])
})

test('a scholarship is judged again by its rule, a paper is kept valid with a reason: each by its office alone', async () => {
  const [grant] = await outdated('everybody', { kind: 'scholarship' })
  const [paper] = await outdated('everybody', { kind: 'paper_student' })
  const step = (name: string, which: string, { kind, id }: any, more: object = {}) =>
    who[name]!('POST', `/outdated-decisions/${which}`, { kind, ids: [id], ...more })
  const reason = { reason: 'The council decided so.' }
  expect((await step('registrar', 'renew', grant)).status).toBe(403)
  expect((await step('finance', 'keep', paper, reason)).status).toBe(404)
  expect((await step('advisor', 'keep', paper, reason)).status).toBe(403)
  ok(await step('registrar', 'keep', paper, reason))
  expect(await q('select revoked_at from papers where id = $1', [paper.id])).toEqual([{ revoked_at: null }])
  // The rule is of the bylaw that was left: who is not in it deserves it no more.
  ok(await step('finance', 'renew', grant))
  expect(await q('select status from scholarship_grants where id = $1', [grant.id])).toEqual([{ status: 'lost' }])
  expect(await kinds('everybody')).toEqual(['level_result'])
  // What is lost, or revoked, is no decision any more that could be outdated.
  await correct('49')
  expect(await kinds('everybody')).toEqual(['level_result', 'paper_student'])
  await q(`update papers set revoked_at = now(), revoked_reason = 'wrong' where id = $1`, [paper.id])
  expect(await kinds('everybody')).toEqual(['level_result'])
})
