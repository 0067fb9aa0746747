import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { computeGrades } from '#areas/records/grading/grades/compute.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { cells, offerCourse, type TestOffering } from '#areas/records/grading/testing.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { seedTransfers, type TransferFixture } from '#areas/enrolment/transfers/testing.server.ts'
import { transfersServer } from '#areas/enrolment/transfers/transfers.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '../university.ts'
import { checkStored } from './checker.ts'

/** Terms are worked out again by what the bylaw said then, and by the bylaw of the study in which they lie. */
let uni: TestUniversity
let f: TransferFixture
let client: pg.Client
let head: Caller
let registrar: Caller
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
  client = new pg.Client({ connectionString: uni.database.ownerUrl })
  await client.connect()
  head = await uni.as('control_head')
  registrar = await uni.as('registrar')
  await q('delete from registrations')
  await q('update offerings set removed_at = now()')
}, 720_000)
afterAll(async () => {
  await client?.end()
  await uni?.close()
})

/** A course with the totals of students, approved and published. */
async function taught(
  course: number,
  totals: Record<number, number>,
  term_id: number,
  courses = f.courses,
): Promise<TestOffering> {
  const students = Object.keys(totals).map(Number)
  const o = await offerCourse(
    uni.database,
    { ...f, courses },
    { course, code: `e${course}-${term_id}`, students, term_id },
  )
  for (const [i, total] of Object.values(totals).entries()) {
    const parts = [Math.min(20, total), Math.min(20, Math.max(0, total - 20)), Math.max(0, total - 40)]
    const rows = cells(o, i, parts.map(String))
    await q(
      'insert into registration_marks (registration_id, offering_mark_id, mark) select $1, m, v::numeric from unnest($2::int[], $3::text[]) as x (m, v)',
      [o.registrations[i], rows.map((one) => one.offering_mark_id), rows.map((one) => one.mark)],
    )
  }
  await uni.database.db.transaction().execute((tx) => computeGrades(tx, [o.id]))
  await q(`update offerings set control_status = 'Published' where id = $1`, [o.id])
  return o
}
const finish = (term_id: number, ids: number[]) => head('POST', '/control/students/finish', { term_id, ids }).then(ok)
const RULES = ['a result is what its marks make it', 'the row of a term is what its courses make it']
/** What is found of results and terms; `statements` are done before, past every guard, and taken back. */
async function found(...statements: string[]): Promise<string[]> {
  await client.query('begin')
  try {
    await client.query('set local session_replication_role = replica')
    for (const one of statements) expect((await client.query(one)).rowCount, one).toBeGreaterThan(0)
    const all = await checkStored(client, { inside: true, only: RULES[0]! })
    return all
      .filter((one) => RULES.includes(one.rule))
      .map((one) => `${one.rule}: ${one.where} ${JSON.stringify(one.data)}`)
  } finally {
    await client.query('rollback')
  }
}

test('each term by the edition of its time: what is right is not told, what is wrong is', async () => {
  const [me, other] = [f.students[0]!, f.students[1]!]
  const old = await taught(0, { [me]: 58, [other]: 80 }, f.fall)
  await taught(1, { [me]: 70, [other]: 40 }, f.fall)
  await finish(f.fall, [me, other])
  expect(await found()).toEqual([])

  // From spring on: another scale, other levels, other warnings, another way of counting what is repeated.
  const now = ok(await registrar('GET', `/bylaws/settings/${f.bylaw}`))
  ok(
    await registrar('PUT', `/bylaws/set/Settings/${f.bylaw}`, {
      from_term_id: f.spring,
      repeat_rule: 'last',
      warning_gpa: '3.50',
      min_percentage_final_exam: '20',
      grade_types: now.grade_types.map((type: any) => ({
        ...type,
        ranges: type.ranges.map((one: any) => (one.letter === 'D' ? { ...one, points: '1.50', success: false } : one)),
      })),
      levels: now.levels.map((one: any) => (one.level === 2 ? { ...one, passed_hours: 9 } : one)),
    }),
  )
  expect(await q('select until_term_id from bylaw_editions')).toEqual([{ until_term_id: f.spring }])
  await taught(2, { [me]: 58, [other]: 90 }, f.spring)
  await taught(1, { [other]: 77 }, f.spring)
  await finish(f.spring, [me, other])
  expect(
    await q(`select r.term_id, r.letter, r.points, r.passed from registrations r where student_id = $1 order by id`, [
      me,
    ]),
  ).toMatchObject([{ points: '2.00', passed: true }, {}, { term_id: f.spring, points: '1.50', passed: false }])
  expect(await found()).toEqual([])
  // Computed again, results and terms stay as they were.
  await uni.database.db.transaction().execute((tx) => computeGrades(tx, [old.id]))
  expect(await found()).toEqual([])
  expect(await q('select points, passed from registrations where id = $1', [old.registrations[0]])).toEqual([
    { points: '2.00', passed: true },
  ])

  // A figure of the earlier term that only the settings of now would make.
  const wrong = (set: string, term: number) =>
    `update student_terms set ${set} where student_id = ${me} and term_id = ${term}`
  expect(await found(wrong('warnings = warnings + 1', f.fall))).toMatchObject([expect.stringContaining('warnings')])
  expect(await found(wrong('level = 1', f.fall))).toEqual([
    `the row of a term is what its courses make it: student ${me}, term ${f.fall} {"level":[1,2]}`,
  ])
  expect(await found(wrong('gpa = gpa - 0.01', f.spring))).toMatchObject([expect.stringContaining('gpa')])
  // A result graded by the settings of now.
  expect(
    (await found(`update registrations set points = 1.5, passed = false where id = ${old.registrations[0]}`)).join(
      '\n',
    ),
  ).toContain(`a result is what its marks make it: registration ${old.registrations[0]}`)
  expect(
    (await found(`update registrations set passed = false where id = ${old.registrations[0]}`)).join('\n'),
  ).toContain(`registration ${old.registrations[0]}`)
  // An edition that somebody changed or removed.
  expect(await found('delete from bylaw_editions')).not.toEqual([])
  expect(
    await found(`update bylaw_editions set settings = jsonb_set(settings, '{warning_gpa}', '"3.90"')`),
  ).not.toEqual([])
})

test('a study that ended by its own bylaw, the study after it with what was credited', async () => {
  const me = f.students[2]!
  const old = await taught(3, { [me]: 84 }, f.fall)
  await finish(f.fall, [me])
  const left = await uni.as('faculty_registrar', ['faculty', f.faculty])
  const joined = await uni.as('faculty_registrar', ['faculty', f.target.faculty])
  await q(
    `insert into program_courses (program_id, course_id, level, semester, kind) values ($1, $2, 1, 1, 'mandatory')`,
    [f.target.program, f.courses[3]],
  )
  const { id } = ok(
    await left('POST', `/transfer/internal/${me}/add`, { program_id: f.target.program, why: 'I want to.' }),
  )
  ok(await (await uni.as('faculty_registrar', ['faculty', f.faculty]))('PUT', `/transfer/internal/${id}/agree`, {}))
  const { equivalences } = ok(await joined('GET', `/transfer/internal/details/${id}`))
  ok(
    await joined('POST', `/transfer/internal/temp-courses/add/${id}`, {
      courses: equivalences.map((line: any) => ({
        id: line.id,
        course_id: line.course?.id ?? null,
        credit_hours: line.credit_hours,
        letter: line.letter,
        counts_in_gpa: line.counts_in_gpa,
      })),
    }),
  )
  ok(await joined('PUT', `/transfer/internal/${id}`, {}))
  // 72 is a C there and a B here.
  await taught(1, { [me]: 72 }, f.spring, f.target.courses)
  await finish(f.spring, [me])
  expect(await q('select r.letter from registrations r where student_id = $1 order by id', [me])).toEqual([
    { letter: 'B' },
    { letter: 'B' },
  ])
  expect(
    await q(
      'select cumulative_passed_hours::float8 as hours from student_terms where student_id = $1 order by term_id',
      [me],
    ),
  ).toEqual([{ hours: 3 }, { hours: 6 }])
  expect(await found()).toEqual([])
  expect(await found(`update course_credits set points = points - 0.5 where student_id = ${me}`)).toMatchObject([
    expect.stringContaining('cumulative_gpa'),
  ])
  // What is computed again after the move stays as it was graded.
  await uni.database.db.transaction().execute((tx) => computeGrades(tx, [old.id]))
  expect(await found()).toEqual([])
  expect(
    (await found(`update registrations set letter = 'A', points = 3.7 where id = ${old.registrations[0]}`)).join('\n'),
  ).toContain(`registration ${old.registrations[0]}`)
})
