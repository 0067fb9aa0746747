/** A course that is renamed after its result was approved: what was approved keeps its words, what runs follows. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { offeringsServer } from '#areas/study/offerings/offerings.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { composeTranscript } from '#areas/records/students/transcript/compose.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, seed, type Fixture, type TestOffering } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let root: Caller
let student: Caller
let past: TestOffering
let running: TestOffering
const query = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows
const step = async (word: string, body: object = {}, id = past.id) =>
  ok(await root('PUT', `/control/offerings/${word}-control-status/${id}`, body))
const rename = async (body: object) => {
  const course = ok(await root('GET', `/courses/${f.courses[0]}`))
  ok(await root('PUT', `/courses/${f.courses[0]}`, { ...body, version: course.version }))
}

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    offeringsServer,
    registrationServer,
    studentsServer,
    gradingServer,
  ])
  f = await seed(uni.database)
  root = await uni.as('root')
  const [account] = await query('select user_id from students where id = $1', [f.students[0]])
  student = await uni.signIn(account.user_id)
  past = await offerCourse(uni.database, f, { code: '1' })
  running = await offerCourse(uni.database, f, { code: '2', term_id: f.spring })
  ok(
    await root('PUT', '/offerings/offering-students-grades/update', {
      offering_id: past.id,
      cells: past.registrations.flatMap((_, i) => cells(past, i, ['15', '15', '45'])),
    }),
  )
  for (const word of ['submit', 'review', 'approve', 'publish']) await step(word)
  await rename({ code: 'INF900', name: 'Informatics', name_local: 'المعلوماتية', credit_hours: 4 })
})
afterAll(() => uni.close())

const WAS = { code: 'CS101', name: 'CS101', name_local: 'اسم CS101' }
const IS = { code: 'INF900', name: 'Informatics', name_local: 'المعلوماتية' }

test('own courses, the record, results and lists say of the past what was approved, and of what runs what it is called now', async () => {
  const [at, now] = await Promise.all([
    student('GET', `/students/courses?term_id=${f.fall}`),
    student('GET', `/students/courses?term_id=${f.spring}`),
  ])
  expect(ok(at).courses[0].course).toMatchObject({ ...WAS, credit_hours: 3 })
  expect(ok(now).courses[0].course).toMatchObject(IS)
  const history = ok(await root('GET', `/students/${f.students[0]}/courses_history`))
  expect(history.map((one: any) => one.course.code)).toEqual(['INF900', 'CS101'])
  for (const [id, words] of [
    [past.id, WAS],
    [running.id, IS],
  ] as const) {
    expect(ok(await root('GET', `/offerings/offering-students-grades/${id}`)).offering.course).toMatchObject(words)
    expect(ok(await root('GET', `/offerings/${id}`)).course).toMatchObject(words)
  }
  const taken = ok(await root('GET', `/control/students/academic/taken-courses/${f.students[0]}`))
  expect((taken.rows ?? taken).map((one: any) => one.course.code)).toEqual(['INF900', 'CS101'])
  const list = ok(await root('POST', '/registrations', { filters: { student_id: [f.students[0]] } }))
  expect(list.map((one: any) => one.course.code).toSorted()).toEqual(['CS101', 'INF900'])
})

test('lists find the past by both, and show what was approved; exports too', async () => {
  for (const [search, found] of [
    ['CS101', ['CS101']],
    ['Informatics', ['CS101', 'INF900']],
    ['المعلوماتية', ['CS101', 'INF900']],
  ] as const) {
    for (const path of ['/offerings', '/control/offerings']) {
      const rows = ok(await root('POST', path, { search }))
      expect(rows.map((one: any) => one.course.code).toSorted(), `${path} ${search}`).toEqual(found)
    }
    const rows = ok(await root('POST', '/registrations', { search, filters: { student_id: [f.students[1]] } }))
    expect(rows.map((one: any) => one.course.code).toSorted(), search).toEqual(found)
  }
  for (const path of ['/registrations/export', '/offerings/export']) {
    const file = await root('POST', path, {})
    expect(file.status, path).toBe(200)
    const text = JSON.stringify(
      (await readSheet(file.bytes)).sheets[0]!.rows.map((row) => row.map((cell) => cell.text)),
    )
    for (const word of [WAS.name_local, IS.name_local]) expect(text, path).toContain(word)
  }
})

test('a transcript prints what was approved', async () => {
  const composed = await composeTranscript(
    asSystem(uni.services, 'test'),
    { id: f.students[0]!, staff: true, access: 'access_student' },
    'en',
    { kind: 'official' },
  )
  const paper = JSON.stringify(composed.compose('T-1', '2026-01-01', '2026-01-01'))
  expect(paper).toContain('CS101')
  expect(paper).not.toContain('INF900')
  expect(paper).not.toContain('Informatics')
})

test('the words stand as long as it is approved: nobody changes them, and a second approval says what it is called then', async () => {
  const words = () =>
    query('select code, name, credit_hours::float8 from offering_words where offering_id = $1', [past.id])
  expect(await words()).toEqual([{ code: 'CS101', name: 'CS101', credit_hours: 3 }])
  for (const statement of [
    `update offering_words set name = 'x'`,
    'delete from offering_words',
    `insert into offering_words (offering_id, code, name, name_local, credit_hours) values (${running.id}, 'x', 'x', 'x', 1)`,
  ])
    await expect(query(statement), statement).rejects.toThrow('keeps its words')
  await expect(uni.database.program.pool.query('delete from offering_words')).rejects.toThrow('permission denied')
  await step('undo', { reason: 'A page was missing' })
  expect(await words()).toHaveLength(1)
  await step('undo', { reason: 'A page was missing' })
  expect(await words()).toEqual([])
  expect(ok(await root('GET', `/offerings/offering-students-grades/${past.id}`)).offering.course).toMatchObject(IS)
  await step('approve')
  expect(await words()).toEqual([{ code: 'INF900', name: 'Informatics', credit_hours: 4 }])
})
