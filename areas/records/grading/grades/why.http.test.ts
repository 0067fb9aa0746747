import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, seed, statusOf, type Fixture, type TestOffering } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let student: Caller
let repeated: TestOffering
let first: TestOffering

beforeAll(async () => {
  uni = await testUniversity([catalogueServer, studentsServer, gradingServer])
  f = await seed(uni.database)
  const { pool } = uni.database
  // A course repeated after failing earns 3.00 points at most.
  await pool.query('update bylaws set repeat_max_points = 3 where id = $1', [f.bylaw])
  const root = await uni.as('root')
  const { rows } = await pool.query('select user_id from students where id = $1', [f.students[0]])
  student = await uni.signIn(rows[0].user_id)
  repeated = await offerCourse(uni.database, f, { code: '1', status: statusOf('Registered', 'Repeat') })
  first = await offerCourse(uni.database, f, { code: '2', course: 1 })
  for (const of of [repeated, first])
    ok(
      await root('PUT', '/offerings/offering-students-grades/update', {
        offering_id: of.id,
        cells: cells(of, 0, ['18', '19', '57']),
      }),
    )
})
afterAll(() => uni.close())

const show = (of: TestOffering, control: string) =>
  uni.database.pool.query('update offerings set control_status = $2 where id = $1', [of.id, control])
const course = async (of: TestOffering) => ok(await student('GET', `/students/courses/${of.id}`))

test('a student reads why 94 is a B, once both are to be seen', async () => {
  expect((await course(repeated)).why).toBe(null)
  await show(repeated, 'Published')
  const now = await course(repeated)
  expect([now.total, now.letter, now.why]).toEqual(['94.00', 'B', { code: 'repeat', earned: 'A', least: null }])
  expect(now.marks.map((one: { mark: string; at: string | null }) => [one.mark, typeof one.at])).toEqual([
    ['18', 'string'],
    ['19', 'string'],
    ['57', 'string'],
  ])
  // Marks that are not shown explain nothing.
  await uni.database.pool.query(
    `update bylaws set grades_visibility = grades_visibility || '{"marks":null}' where id = $1`,
    [f.bylaw],
  )
  const hidden = await course(repeated)
  expect([hidden.letter, hidden.why, hidden.marks[0].at]).toEqual(['B', null, null])
  await uni.database.pool.query(
    `update bylaws set grades_visibility = grades_visibility || '{"marks":"Published"}' where id = $1`,
    [f.bylaw],
  )
})

test('a letter that the marks earn needs no reason', async () => {
  await show(first, 'Published')
  const now = await course(first)
  expect([now.letter, now.why]).toEqual(['A', null])
})
