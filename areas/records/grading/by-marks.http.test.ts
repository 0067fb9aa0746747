import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from './grading.server.ts'
import { offerCourse, seed, type Fixture, type TestOffering } from './testing.server.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller
let instructor: Caller
let registrar: Caller
let o: TestOffering

/** A medical bylaw: by the year, 60 % to pass, a course out of 150. */
beforeAll(async () => {
  uni = await testUniversity([catalogueServer, gradingServer])
  f = await seed(uni.database)
  head = await uni.as('control_head')
  instructor = await uni.as('instructor', undefined, { type: 1 })
  registrar = await uni.as('registrar')
  await uni.database.pool.query('update instructors set user_id = $1 where id = $2', [instructor.user_id, f.instructor])
  ok(
    await registrar('PUT', `/bylaws/set/Settings/${f.bylaw}`, {
      program_type: 'annual',
      pass_share: '60',
      ratings: [
        { code: 'EX', name: 'Excellent', name_local: 'ممتاز', from_share: '85' },
        { code: 'VG', name: 'Very good', name_local: 'جيد جدًا', from_share: '75' },
        { code: 'P', name: 'Pass', name_local: 'مقبول', from_share: '60' },
        { code: 'W', name: 'Weak', name_local: 'ضعيف', from_share: '0' },
      ],
    }),
  )
  await uni.database.pool.query('update courses set max_mark = 150 where id = $1', [f.courses[0]])
  o = await offerCourse(uni.database, f)
})
afterAll(() => uni.close())

const grid = async () => ok(await instructor('GET', `/offerings/offering-students-grades/${o.id}`))
/** Marks of one student in the order of the scheme. */
const enter = async (i: number, marks: readonly string[]) => {
  const { scheme } = await grid()
  return instructor('PUT', '/offerings/offering-students-grades/update', {
    offering_id: o.id,
    cells: marks.map((mark, k) => ({
      registration_id: o.registrations[i],
      offering_mark_id: scheme[k].id,
      mark,
      version: null,
    })),
  })
}

test('the scheme sums to what the course is out of: a named one is taken in proportion', async () => {
  // 20, 20 and 60 of a course out of 150.
  expect((await grid()).scheme_problems).toMatchObject([
    { code: 'scheme_total', data: { total: '100', maximum: '150' } },
  ])
  expect(reasons(await enter(0, ['10', '10', '50']))).toEqual(['scheme_total'])
  const { yw, fin } = f.categories
  const own = await registrar('PUT', `/offerings/mark-scheme/${o.id}`, {
    items: [
      { mark_category_id: yw, max: '60' },
      { mark_category_id: fin, max: '60' },
    ],
  })
  expect(own.status).toBe(422)
  expect(own.body.errors).toMatchObject([{ code: 'scheme_total', data: { total: '120', maximum: '150' } }])
  const set = ok(await registrar('PUT', `/offerings/mark-scheme/${o.id}`, { mark_id: f.mark }))
  expect(set.scheme.map((one: any) => one.max)).toEqual(['30.00', '30.00', '90.00'])
  expect((await grid()).scheme_problems).toEqual([])
  // A plan that says otherwise is heard first.
  const maximum = async () =>
    (await uni.database.pool.query('select offering_maximum($1) as n', [o.id])).rows[0].n as number
  const plan = (max: number | null) =>
    uni.database.pool.query('update program_courses set max_mark = $1 where course_id = $2', [max, f.courses[0]])
  await plan(200)
  expect(await maximum()).toBe(200)
  await plan(null)
  expect(await maximum()).toBe(150)
})

test('results are marks out of the maximum with a rating: no letter, no points', async () => {
  ok(await enter(0, ['27', '25', '80']))
  ok(await enter(1, ['20', '20', '49']))
  // 28 of 90 is above 30 % of the written exam, 26 is not.
  ok(await enter(2, ['30', '30', '30']))
  ok(await enter(3, ['30', '30', '26']))
  expect(reasons(await enter(4, ['31', '0', '0']))).toEqual(['mark_maximum@cells.0.mark'])
  const { rows, bylaws } = await grid()
  expect(rows.slice(0, 4).map((row: any) => [row.total, row.maximum, row.letter, row.points, row.passed])).toEqual([
    ['132.00', 150, 'EX', null, true],
    ['89.00', 150, 'W', null, false],
    ['90.00', 150, 'P', null, true],
    ['86.00', 150, 'W', null, false],
  ])
  expect(bylaws[f.bylaw].marks).toMatchObject({ pass_share: 6000, later_sitting_capped: true })
  const student = ok(await head('GET', `/control/students/${f.students[0]}/${f.fall}`))
  expect(student.student.by_marks).toBe(true)
  expect(student.registrations[0]).toMatchObject({ total: '132.00', maximum: 150, rating: { name: 'Excellent' } })
  // Once marks stand in it, the scheme stays what it was, also when the course is out of more from now on.
  await uni.database.pool.query('update courses set max_mark = 200 where id = $1', [f.courses[0]])
  expect((await grid()).scheme_problems).toEqual([])
})

test('what a person reads of it has the maximum and the name of the rating', async () => {
  const pdf = await instructor('GET', `/offerings/export-student-grades/${o.id}/marks`)
  expect(pdf.status).toBe(200)
  const results = ok(await head('GET', `/control/offerings/reports/control-results?term_id=${f.fall}`))
  // The mean is one of shares: 88, 59.33, 60 and 57.33 percent.
  expect(results.totals).toMatchObject({ results: 4, passed: 2, mean: '66.17' })
  expect(results.scales[0]).toMatchObject({ gives: ['EX', 'VG', 'P', 'W'] })
})

test('terms are not finished for who studies by marks: there is no GPA', async () => {
  await uni.database.pool.query(`update offerings set control_status = 'Published' where id = $1`, [o.id])
  const listed = ok(await head('POST', '/control/students', { filters: { term_id: [f.fall] } }))
  expect(listed[0]).toMatchObject({ by_marks: true, finished: false, abilities: [] })
  const done = await head('POST', '/control/students/finish', { term_id: f.fall })
  expect(done.body.data).toMatchObject({ finished: 0, not_finished: 0 })
  const { rows } = await uni.database.pool.query('select count(*)::int as n from student_terms')
  expect(rows[0].n).toBe(0)
})

test('a bylaw under which somebody registered keeps its way of counting', async () => {
  const back = await registrar('PUT', `/bylaws/set/Settings/${f.bylaw}`, { program_type: 'credit_hours' })
  expect(reasons(back)).toEqual(['bylaw_type_in_use@program_type'])
  ok(await registrar('PUT', `/bylaws/set/Settings/${f.bylaw}`, { program_type: 'term', from_term_id: f.spring }))
})

test('a rating on which published results stand stays; one that nobody has goes', async () => {
  const { ratings } = ok(await registrar('GET', `/bylaws/settings/${f.bylaw}`))
  const without = (code: string) =>
    registrar('PUT', `/bylaws/set/Settings/${f.bylaw}`, {
      ratings: ratings.filter((one: any) => one.code !== code),
      from_term_id: f.spring,
    })
  const refused = await without('EX')
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    expect.arrayContaining([expect.objectContaining({ code: 'grade_in_use', data: { letter: 'EX', count: 1 } })]),
  ])
  await expect(
    uni.database.pool.query(`delete from bylaw_ratings where bylaw_id = $1 and code = 'EX'`, [f.bylaw]),
  ).rejects.toMatchObject({ constraint: 'grade_with_results' })
  ok(await without('VG'))
})
