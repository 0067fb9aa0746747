import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { offerCourse } from '#areas/records/grading/testing.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { seedTransfers, type TransferFixture } from './testing.server.ts'
import { transfersServer } from './transfers.server.ts'

let uni: TestUniversity
let f: TransferFixture
let clerk: Caller
let registrar: Caller
let elsewhere: Caller
let dean: Caller
let head: Caller
const people = new Map<number, Caller>()

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
  clerk = await uni.as('faculty_registrar', ['faculty', f.faculty])
  registrar = await uni.as('registrar')
  elsewhere = await uni.as('faculty_registrar', ['faculty', f.target.faculty])
  dean = await uni.as('dean', ['faculty', f.faculty])
  head = await uni.as('control_head')
  for (const id of f.students) {
    const { user_id } = await uni.as('student', undefined, { type: 3 })
    await q('update students set user_id = $1 where id = $2', [user_id, id])
    people.set(id, await uni.signIn(user_id))
  }
}, 180_000)
afterAll(() => uni?.close())

const CALCULUS = { code: 'MTH 101', name: 'Calculus', credit_hours: 3.5, grade: 'B+', percent: '81' }
const add = (student: number, courses: object[], who = clerk, more: object = {}) =>
  who('POST', `/transfer/external/add-external/${student}`, { university_id: f.universities.cairo, courses, ...more })

test('courses from elsewhere: entered, decided on, credited; finished terms stay, figures follow at once and later', async () => {
  const me = f.students[0]!
  ok(await head('POST', '/control/students/finish', { term_id: f.fall, ids: [me] }))
  const before = await q(`select to_jsonb(t) - 'graduation_basis' as row from student_terms t where student_id = $1`, [
    me,
  ])
  const entered = ok(await add(me, [CALCULUS, { code: 'HIS 1', name: 'History', credit_hours: 2 }])) as any
  expect(entered).toMatchObject({
    status: 'entered',
    against: [{ code: 'transfer_undecided', data: { count: 2 } }],
    equivalences: [{ state: 'none', source: { credit_hours: 3.5, grade: 'B+' } }, { state: 'none' }],
  })
  const [calculus, history] = entered.equivalences
  const decide = (courses: object[], who = clerk) =>
    who('PUT', `/students/equivalence/${entered.id}/edit-courses`, { courses })
  // CS101 is passed here; CS104 is not.
  expect(reasons(await decide([{ id: calculus.id, course_id: f.courses[0] }]))).toContain(
    'equivalence_passed_already@courses.0.course_id',
  )
  await q(
    `insert into program_courses (program_id, course_id, level, semester, kind) values ($1, $2, 1, 3, 'mandatory')`,
    [f.program, f.courses[3]],
  )
  ok(
    await decide([
      { id: calculus.id, course_id: f.courses[3], credit_hours: 2.5, letter: 'B', counts_in_gpa: true },
      { id: history.id, course_id: null },
    ]),
  )
  // Nobody decides on the own courses, also not an officer who studies; the faculty of somebody else sees nothing.
  const [{ user_id }] = await q('select user_id from students where id = $1', [me])
  await q('update students set user_id = $2 where id = $1', [me, clerk.user_id])
  expect(reasons(await clerk('PUT', `/students/equivalence/${entered.id}`, {}))).toEqual(['step_own'])
  await q('update students set user_id = $2 where id = $1', [me, user_id])
  expect((await elsewhere('GET', `/transfer/external/${entered.id}`)).status).toBe(404)
  expect((await people.get(f.students[1]!)!('GET', `/transfer/external/${entered.id}`)).status).toBe(404)
  expect((await people.get(me)!('PUT', `/students/equivalence/${entered.id}`, {})).status).toBe(403)
  expect(reasons(await registrar('PUT', `/transfer/external/${entered.id}`, {}))).toEqual(['transfer_of_student'])
  // Who entered and decided may execute: one officer does the whole. Of two at one moment one wins.
  const shown = ok(await clerk('GET', `/transfer/external/${entered.id}`)) as any
  expect([shown.abilities, shown.refused ?? {}]).toEqual([['execute', 'delete'], {}])
  const answers = await Promise.all([clerk, clerk].map((who) => who('PUT', `/students/equivalence/${entered.id}`, {})))
  expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])

  // (4 × 3 + 3 × 3 + 2.3 × 3 + 3 × 2.5) / 11.5
  const [student] = await q('select gpa, passed_hours::float8 as passed, program_id from students where id = $1', [me])
  expect(student).toEqual({ gpa: '3.08', passed: 11.5, program_id: f.program })
  expect(
    await q(`select to_jsonb(t) - 'graduation_basis' as row from student_terms t where student_id = $1`, [me]),
  ).toEqual(before)
  const plan = (await people.get(me)!('GET', '/students/study-plan')).body.data
  expect(plan.groups.flatMap((one: any) => one.courses).find((one: any) => one.course.code === 'CS104').state).toBe(
    'met',
  )
  const grades = (await people.get(me)!('GET', '/students/terms_grades')).body.data
  expect(grades.credits).toMatchObject([
    { course: { code: 'CS104' }, source: { institution: { name: 'Cairo University' } } },
  ])

  const [{ id: other }] = await q(
    `insert into courses (code, name, name_local, faculty_id, credit_hours) values ('CS200', 'CS200', 'مقرر', $1, 3) returning id`,
    [f.faculty],
  )
  f.courses.push(other)
  const spring = await offerCourse(uni.database, f, { course: 4, code: 'x', students: [], term_id: f.spring })
  await q(
    `insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status, letter, points, total, passed, counts_in_gpa, counts_in_attempted_hours)
     values ($1, $2, $3, $4, 3, $5, 'A', 4, 97, true, true, true)`,
    [me, spring.id, f.spring, other, String(262144n | 16n)],
  )
  await q(`update offerings set control_status = 'Published' where id = $1`, [spring.id])
  ok(await head('POST', '/control/students/finish', { term_id: f.spring, ids: [me] }))
  const [row] = await q(
    'select cumulative_gpa, cumulative_passed_hours::float8 as passed from student_terms where student_id = $1 and term_id = $2',
    [me, f.spring],
  )
  expect(row).toEqual({ cumulative_gpa: '3.27', passed: 14.5 })

  // The same course of the same institution again: the decision is remembered for the program.
  const again = ok(await add(f.students[1]!, [{ ...CALCULUS, code: 'mth-١٠١', percent: '90' }])) as any
  expect(again.equivalences[0]).toMatchObject({
    course: { code: 'CS104' },
    credit_hours: 2.5,
    origin: 'decision',
    letter: 'A',
    counts_in_gpa: true,
  })
  ok(await registrar('DELETE', `/transfer/external/${again.id}`, { reason: 'Entered for the wrong person.' }))
  expect((await registrar('PUT', `/students/equivalence/${again.id}`, {})).status).toBe(409)
})

test('what counts is certified on a paper with a number, among the papers of the student, and verified by its code', async () => {
  const [me, other] = f.students as [number, number]
  const issue = (who: Caller, student_id: number, lang = 'en') =>
    who('POST', '/students/equivalent_exportPDF', { student_id, lang })
  // Nobody was credited anything, or nobody of one's reach.
  expect(reasons(await issue(clerk, other))).toEqual(['no_equivalence'])
  expect((await issue(elsewhere, me)).status).toBe(404)
  expect((await issue(people.get(me)!, me)).status).toBe(403)
  const file = await issue(clerk, me)
  expect([file.status, file.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  const year = new Date().getUTCFullYear()
  const papers = (await people.get(me)!('GET', `/students/${me}/papers`)).body.data
  expect(papers).toMatchObject([
    { kind: 'equivalence', serial: `EQ-${year}-000001`, lang: 'en', area: 'transfers', disclosure: 'name' },
  ])
  // The student opens the very file, and says what others see.
  const opened = await people.get(me)!('GET', `/students/${me}/papers/${papers[0].id}/file`)
  expect(opened.bytes.equals(file.bytes)).toBe(true)
  ok(await people.get(me)!('PUT', `/students/${me}/papers/${papers[0].id}/disclosure`, { disclosure: 'everything' }))
  const told = ok(await uni.nobody('GET', `/papers/${papers[0].address.split('/').at(-1)}`)) as any
  expect([told.state, told.paper.area]).toEqual(['valid', 'transfers'])
  expect(told.paper.facts.map((one: any) => [one.label.name, one.value.name])).toEqual([
    ['Program', expect.any(String)],
    ['Courses credited', '1'],
    ['Hours credited', '2.5'],
  ])
  // Where the other papers are issued it is one of them, in both languages.
  const kinds = (await registrar('GET', `/students/${me}/papers`)).body.meta.issue
  expect(kinds).toContainEqual({
    kind: 'equivalence',
    title: { name: 'Equivalence of courses', name_local: 'معادلة المقررات' },
    area: 'transfers',
    languages: ['ar', 'en'],
    refused: null,
  })
  const again = ok(await registrar('POST', `/students/${me}/papers`, { kind: 'equivalence', lang: 'ar' }))
  expect(again.serial).toBe(`EQ-${year}-000002`)
  ok(await registrar('POST', `/students/${me}/papers/${again.id}/revoke`, { reason: 'Printed twice' }))
  // What an earlier study was credited with ended with it.
  const [{ id: former }] = await q(
    `insert into former_studies (student_id, faculty_id, program_id, bylaw_id, level, passed_hours, warnings)
     select id, faculty_id, program_id, bylaw_id, level, 0, 0 from students where id = $1 returning id`,
    [me],
  )
  expect(reasons(await issue(clerk, me))).toEqual(['no_equivalence'])
  await q('delete from former_studies where id = $1', [former])
})

test('a term abroad: courses come one by one into one record, with papers', async () => {
  const body = (code: string) => ({
    student_id: f.students[2],
    university_id: f.universities.berlin,
    course: { code, name: code, credit_hours: 6 },
  })
  const [one, other] = await Promise.all(
    ['A1', 'A2'].map((code) => clerk('POST', '/transfer/external/add_study_abroad_course', body(code))),
  )
  expect([ok(one!).id, ok(other!).kind]).toEqual([ok(other!).id, 'study_abroad'])
  const { id } = ok(one!) as { id: number }
  const lines = ok(await clerk('GET', `/transfer/external/external-temp-courses/${id}`)) as any[]
  expect(lines.map((line) => line.source.code).toSorted()).toEqual(['A1', 'A2'])
  expect(ok(await clerk('GET', `/transfer/external/external-temp-courses/${id}/details/${lines[0].id}`))).toMatchObject(
    { earlier: [] },
  )
  const typed = ok(
    await clerk('POST', `/transfer/external/external-temp-courses/add/${id}`, {
      courses: [{ id: lines[0].id, code: lines[0].source.code, name: 'Systems', credit_hours: 7.5 }],
      remove: [lines[1].id],
      version: (ok(await clerk('GET', `/transfer/external/${id}`)) as any).version,
    }),
  ) as any
  expect(typed.equivalences.map((line: any) => [line.source.name, line.source.credit_hours])).toEqual([
    ['Systems', 7.5],
  ])
  expect((await clerk('POST', '/transfer/external/equivalent/export_excel', {})).status).toBe(200)
  expect((await clerk('GET', `/transfer/external/decision/${id}/en`)).status).toBe(200)
  expect((await elsewhere('POST', '/transfer/external/add_study_abroad_course', body('A3'))).status).toBe(404)
})

test('leaving the university: refused with a debt and beside an internal transfer; approved once, and then all is closed', async () => {
  const me = f.students[3]!
  const own = people.get(me)!
  const ask = (who = own) =>
    who('POST', '/transfer/out/request', {
      student_id: me,
      destination: 'Ain Shams University',
      why: 'My family moves.',
    })
  const { id: internal } = ok(
    await own('POST', `/transfer/internal/${me}/add`, { program_id: f.target.program, why: 'To try.' }),
  ) as any
  expect(reasons(await ask())).toEqual(['transfer_out_while_internal'])
  const against = async () =>
    ok(await own('POST', `/transfer/internal/${me}/lookup`, {})).against.map((one: { code: string }) => one.code)
  expect(await against()).toEqual(['internal_transfer_pending'])
  const unknown = await own('POST', `/transfer/internal/${me}/add`, { program_id: 99_999_999, why: 'To try.' })
  expect([unknown.status, reasons(unknown)]).toEqual([422, ['reference_missing@program_id']])
  const late = await own('POST', `/transfer/internal/${internal}/edit`, {
    program_id: f.target.program,
    why: 'Another reason.',
    version: 99,
  })
  expect([late.status, reasons(late)]).toEqual([409, ['changed_meanwhile']])
  ok(await own('DELETE', `/transfer/internal/${internal}`, {}))
  await q(`insert into student_holds (student_id, kind) values ($1, 'unpaid_invoice')`, [me])
  expect(reasons(await ask())).toEqual(['transfer_debt'])
  await q('update student_holds set lifted_at = now()')
  expect(
    (
      await elsewhere('POST', '/transfer/out/request', {
        student_id: me,
        destination: 'Ain Shams University',
        why: 'For him.',
      })
    ).status,
  ).toBe(404)

  // Both at one moment: one of them is refused.
  const both = await Promise.all([
    ask(),
    own('POST', `/transfer/internal/${me}/add`, { program_id: f.target.program, why: 'To try.' }),
  ])
  expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
  if (both[1]!.status === 200) {
    ok(await own('DELETE', `/transfer/internal/${both[1]!.body.data.id}`, {}))
    ok(await ask())
  }
  expect(reasons(await ask())).toEqual(['transfer_out_pending'])
  expect(await against()).toEqual(['transfer_while_out'])
  const terms = await q('delete from current_terms returning key, term_id')
  expect(reasons(await ask())).toEqual(['transfer_no_term'])
  for (const { key, term_id } of terms)
    await q('insert into current_terms (key, term_id) values ($1, $2)', [key, term_id])
  const [{ id }] = ok(await own('GET', '/transfer/out')) as any[]
  expect((await own('POST', `/transfer/out/approve/${id}`, {})).status).toBe(403)
  expect((await clerk('POST', `/transfer/out/approve/${id}`, {})).status).toBe(403)
  const running = await offerCourse(uni.database, f, { course: 3, code: 'run', students: [me], term_id: f.spring })
  const asked = await offerCourse(uni.database, f, {
    course: 2,
    code: 'ask',
    students: [me],
    term_id: f.spring,
    status: String(1048576n | 16n),
  })
  const answers = await Promise.all([0, 1].map(() => dean('POST', `/transfer/out/approve/${id}`, {})))
  expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
  expect(await q('select status from students where id = $1', [me])).toEqual([{ status: 'transferred' }])
  // It stands among the decisions on the status, with where to.
  const decided = await q(
    'select from_status, to_status, decision from student_status_decisions where student_id = $1',
    [me],
  )
  expect(decided).toEqual([
    { from_status: 'studying', to_status: 'transferred', decision: expect.stringMatching(/^Transfer: ./) },
  ])
  expect(
    await q('select status & 17592186044416 <> 0 as left from registrations where id = $1', [running.registrations[0]]),
  ).toEqual([{ left: true }])
  expect(await q('select from registrations where id = $1', [asked.registrations[0]])).toHaveLength(0)
  // What has its result stays in the record.
  expect(await q('select count(*)::int as n from registrations where student_id = $1 and passed', [me])).toEqual([
    { n: 3 },
  ])
  // The dean decides on the status otherwise as well, within the own faculty.
  const decision = { status: 'suspended', decision: 'Council decision 14', decided_on: '2026-01-15' }
  ok(await dean('POST', `/students/status/${f.students[4]}`, decision))
  expect(await q('select status from students where id = $1', [f.students[4]])).toEqual([{ status: 'suspended' }])
  // Irreversible: no way leads back, and nothing new is asked for.
  expect((await dean('POST', `/transfer/out/reject/${id}`, { reason: 'Too late.' })).status).toBe(409)
  expect((await own('POST', `/transfer/out/delete/${id}`, { reason: 'Too late.' })).status).toBe(409)
  expect(reasons(await ask())).toEqual(['transfer_not_studying'])
  expect((await dean('POST', '/transfer/out/export', {})).status).toBe(200)
  expect((await own('GET', '/students/terms_grades')).status).toBe(200)
})
