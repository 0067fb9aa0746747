import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { parseHundredths, printHundredths, toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { computeGrades } from '../grades/compute.server.ts'
import { gradeOf, type Mark } from '../grading.rules.ts'
import { computeTerms, termBylaw, type StudentTerm } from '../terms.rules.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, into, offerCourse, seed, statusOf, type Fixture, type TestOffering } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller
let team: Caller
let instructor: Caller

beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, gradingServer], { work: true })
  f = await seed(uni.database)
  head = await uni.as('control_head')
  team = await uni.as('control_team', ['faculty', f.faculty])
  instructor = await uni.as('instructor', undefined, { type: 1 })
  await uni.database.pool.query('update instructors set user_id = $1 where id = $2', [instructor.user_id, f.instructor])
})
afterAll(() => uni.close())
let n = 0
beforeEach(async () => {
  n++
  await uni.database.pool.query(
    'delete from student_terms; delete from registrations; update offerings set removed_at = now(); update students set gpa = null, passed_hours = 0, warnings = 0, level = 1',
  )
})

/** An offering with marks, straight in a control status. */
async function taught(
  course: number,
  marks: readonly (readonly (string | null)[])[],
  more: { term_id?: number; control_status?: string; status?: string | string[]; credit_hours?: number } = {},
): Promise<TestOffering> {
  const { control_status = 'Approved', ...rest } = more
  const o = await offerCourse(uni.database, f, {
    course,
    code: `t${n}`,
    students: f.students.slice(0, marks.length),
    ...rest,
  })
  const rows = marks.flatMap((row, i) => cells(o, i, row)).filter((cell) => cell.mark !== null)
  if (rows.length) {
    await uni.database.pool.query(
      `insert into registration_marks (registration_id, offering_mark_id, mark, absent)
       select r, m, nullif(v, 'A')::numeric, v = 'A' from unnest($1::int[], $2::int[], $3::text[]) as x(r, m, v)`,
      [rows.map((c) => c.registration_id), rows.map((c) => c.offering_mark_id), rows.map((c) => c.mark)],
    )
  }
  await uni.database.db.transaction().execute((tx) => computeGrades(tx, [o.id]))
  await uni.database.pool.query('update offerings set control_status = $1 where id = $2', [control_status, o.id])
  return o
}
const full = (total: number): string[] => [
  `${Math.min(20, total)}`,
  `${Math.min(20, Math.max(0, total - 20))}`,
  `${Math.max(0, total - 40)}`,
]
const finish = (body: object, who = head) => who('POST', '/control/students/finish', body)
const rowsOf = async (student: number) =>
  (
    await uni.database.pool.query(
      // A row as JSON: hours are numbers in it, GPA and points texts as they are written.
      `select to_jsonb(t) || jsonb_build_object('gpa', gpa::text, 'cumulative_gpa', cumulative_gpa::text,
         'term_points', term_points::text, 'cumulative_points', cumulative_points::text) as row
       from student_terms t where student_id = $1 order by term_id`,
      [student],
    )
  ).rows.map(({ row }) => row)

describe('finishing', () => {
  test('needs a term, and the right', async () => {
    const refused = await finish({})
    expect([refused.status, refused.body.message, reasons(refused)]).toEqual([
      422,
      'invalid_input',
      ['FinishTermError@term_id'],
    ])
    expect((await finish({ term_id: f.fall }, team)).status).toBe(403)
    expect((await finish({ term_id: 99999 })).status).toBe(404)
  })

  test('writes rows, standing, level and eligibility; who waits for control is named', async () => {
    await taught(0, [full(90), full(80), full(40)])
    await taught(1, [full(70), full(60), full(45)], { control_status: 'Frozen' })
    const waiting = await taught(2, [full(50), full(50)], { control_status: 'Reviewed' })
    // The second student has left the course: nothing waits for it.
    await uni.database.pool.query('update registrations set status = $1 where id = $2', [
      statusOf('Withdrawn'),
      waiting.registrations[1],
    ])
    const { job_id, data } = (await finish({ term_id: f.fall })).body
    expect(job_id).toBeNull()
    expect(data).toEqual({
      term_id: f.fall,
      finished: 2,
      changed: 2,
      not_finished: 1,
      dismissed: 0,
      students: [
        {
          student: expect.objectContaining({ code: 'S001' }),
          without_result: 0,
          untyped: false,
          below: [{ id: waiting.id, name: 'CS103 CS103', name_local: expect.any(String), control_status: 'Reviewed' }],
        },
      ],
    })
    expect(await rowsOf(f.students[1]!)).toMatchObject([
      {
        registered_hours: 9,
        attempted_hours: 6,
        passed_hours: 6,
        gpa: '2.50',
        cumulative_gpa: '2.50',
        term_points: '15.00',
        level: 2,
        standing: 'good',
        warned: false,
        graduation: null,
      },
    ])
    expect(await rowsOf(f.students[2]!)).toMatchObject([
      { gpa: '0.00', passed_hours: 0, level: 1, standing: 'warned', warned: true, warnings: 1 },
    ])
    expect(
      (
        await uni.database.pool.query('select gpa, passed_hours::float8, level, warnings from students where id = $1', [
          f.students[1],
        ])
      ).rows[0],
    ).toEqual({ gpa: '2.50', passed_hours: 6, level: 2, warnings: 0 })
    const results = ok(await head('GET', `/control/students/passed-semesters/${f.students[2]}`))
    expect(results[0]).toMatchObject({ standing: 'warned', may_graduate: false })
    expect(results[0].graduation.map((one: any) => one.code)).toEqual([
      'graduation_hours',
      'graduation_gpa',
      'graduation_requirements',
    ])

    // Again: nothing changes; once the last offering is approved, the first is finished as well.
    expect((await finish({ term_id: f.fall })).body.data).toMatchObject({ finished: 2, changed: 0, not_finished: 1 })
    await uni.database.pool.query(`update offerings set control_status = 'Approved' where id = $1`, [waiting.id])
    expect((await finish({ term_id: f.fall })).body.data).toMatchObject({ finished: 3, changed: 1, not_finished: 0 })
  })

  test('is refused under a bylaw that does not say by what it works', async () => {
    await taught(0, [full(80)])
    const type = (to: string | null) =>
      uni.database.pool.query('update bylaws set program_type = $1, version = version + 1 where id = $2', [to, f.bylaw])
    await type(null)
    const asked = { term_id: f.fall, ids: [f.students[0]] }
    expect(ok(await head('POST', '/control/students/finish/foreseen', asked))).toEqual({
      ready: 0,
      waiting: 1,
      again: 0,
    })
    expect((await finish(asked)).body.data).toMatchObject({
      finished: 0,
      not_finished: 1,
      students: [{ student: { id: f.students[0] }, untyped: true, below: [] }],
    })
    expect(ok(await head('POST', '/control/students', { filters: { term_id: f.fall, waiting: true } }))).toMatchObject([
      { untyped: true, finished: false },
    ])
    await type('credit_hours')
    expect((await finish(asked)).body.data).toMatchObject({ finished: 1, not_finished: 0 })
  })

  test('is told before: how many are ready and how many wait, as finishing then finds them', async () => {
    const foreseen = async (body: object, who = head) => who('POST', '/control/students/finish/foreseen', body)
    await taught(0, [full(80), full(70), full(60)])
    await taught(1, [full(60)], { control_status: 'Submitted' })
    expect((await foreseen({ term_id: f.fall }, team)).status).toBe(403)
    expect(ok(await foreseen({ term_id: f.fall }))).toEqual({ ready: 2, waiting: 1, again: 0 })
    expect(ok(await foreseen({ term_id: f.fall, ids: [f.students[0]] }))).toEqual({ ready: 0, waiting: 1, again: 0 })
    expect(await rowsOf(f.students[1]!)).toEqual([])
    const report = ok(await finish({ term_id: f.fall }))
    expect([report.finished, report.not_finished]).toEqual([2, 1])
    expect(ok(await foreseen({ term_id: f.fall }))).toEqual({ ready: 2, waiting: 1, again: 2 })
    expect(reasons(await foreseen({}))).toEqual(['FinishTermError@term_id'])
  })

  test('warnings in a row lead to dismissal; a repeated course counts once by the bylaw', async () => {
    await taught(0, [full(40)])
    ok(await finish({ term_id: f.fall }))
    await taught(0, [full(45)], { term_id: f.spring, status: statusOf('Registered', 'Repeat') })
    await taught(1, [full(80)], { term_id: f.spring })
    ok(await finish({ term_id: f.spring }))
    expect(await rowsOf(f.students[0]!)).toMatchObject([
      { cumulative_gpa: '0.00', warnings: 1, standing: 'warned' },
      {
        gpa: '1.50',
        cumulative_gpa: '1.50',
        cumulative_hours: 9,
        cumulative_passed_hours: 3,
        warnings: 2,
        standing: 'dismissed',
      },
    ])
  })

  test('a mark changed in an earlier term follows through later rows; a frozen one stays', async () => {
    const o = await taught(0, [full(40)], { control_status: 'Published' })
    await taught(1, [full(80)], { term_id: f.spring })
    ok(await finish({ term_id: f.fall }))
    ok(await finish({ term_id: f.spring }))
    const registration = o.registrations[0]!
    const [grade] = ok(await head('GET', `/control/students/term-grades/${f.students[0]}/${f.fall}`))
    expect(grade).toMatchObject({ registration_id: registration, letter: 'F', abilities: ['edit_marks'] })
    const change = {
      marks: [{ offering_mark_id: o.scheme[2], mark: '50', version: grade.marks[o.scheme[2]].version }],
      reason: 'A page was not counted',
    }
    const path = `/control/students/update-term-grades/${registration}`
    expect((await team('PUT', path, change)).status).toBe(403)
    expect((await head('PUT', path, { ...change, reason: '' })).status).toBe(422)
    expect(reasons(await head('PUT', path, { ...change, marks: [{ ...change.marks[0], mark: '61' }] }))).toEqual([
      'mark_maximum@marks.0.mark',
    ])
    expect(
      (await head('PUT', path, { ...change, marks: [{ ...change.marks[0], version: 1 }] })).body.errors,
    ).toMatchObject([{ code: 'changed_meanwhile', data: { theirs: '0', yours: '50' } }])
    const done = (await head('PUT', path, change)).body
    expect(done).toMatchObject({ terms_changed: 2, data: { total: '90.00', letter: 'A' } })
    expect((await rowsOf(f.students[0]!)).map((row) => row.cumulative_gpa)).toEqual(['4.00', '3.50'])
    const trail = await uni.database.pool.query(
      `select reason, new ->> 'mark' as mark from audit_log where table_name = 'registration_marks' and record_id = $1 order by id desc limit 1`,
      [registration],
    )
    expect(trail.rows[0].reason).toBe('A page was not counted')
    await uni.database.pool.query(`update offerings set control_status = 'Frozen' where id = $1`, [o.id])
    const version = done.data.marks[o.scheme[2]].version
    expect(
      (await head('PUT', path, { ...change, marks: [{ ...change.marks[0], mark: '10', version }] })).body.message,
    ).toBe('control_status')
  })

  test('a mark of nobody, behind closed names, or beside a scheme that is not whole is not changed', async () => {
    const { pool } = uni.database
    const o = await taught(0, [[null, null, null]], { control_status: 'Published' })
    const put = async (registration: number) => {
      const answer = await head('PUT', `/control/students/update-term-grades/${registration}`, {
        marks: [{ offering_mark_id: o.scheme[0], mark: '5', version: null }],
        reason: 'A page was not counted',
      })
      return [answer.status, ...reasons(answer)]
    }
    expect(await put(99_999_999)).toEqual([404, 'not_found'])
    await pool.query('delete from offering_marks where id = $1', [o.scheme[2]])
    expect(await put(o.registrations[0]!)).toEqual([409, 'scheme_final_exam', 'scheme_total'])
    await pool.query('insert into anonymous_offerings (offering_id) values ($1)', [o.id])
    expect(await put(o.registrations[0]!)).toEqual([409, 'names_closed'])
    expect(
      (await pool.query('select from registration_marks where registration_id = $1', [o.registrations[0]])).rows,
    ).toEqual([])
  })

  test('an incomplete result becomes complete by its missing mark, on a frozen offering too', async () => {
    const o = await taught(0, [['15', '15', null]], {
      status: statusOf('Incomplete', 'Fresh'),
      control_status: 'Frozen',
    })
    ok(await finish({ term_id: f.fall }))
    expect(await rowsOf(f.students[0]!)).toMatchObject([{ gpa: null, passed_hours: 0 }])
    const path = `/control/students/update-term-grades/${o.registrations[0]}`
    expect(
      (
        await head('PUT', path, {
          marks: [{ offering_mark_id: o.scheme[0], mark: '20', version: null }],
          reason: 'try another',
        })
      ).body.message,
    ).toBe('mark_exists_frozen')
    const done = (
      await head('PUT', path, {
        marks: [{ offering_mark_id: o.scheme[2], mark: '50', version: null }],
        reason: 'Sat the exam later',
      })
    ).body
    expect(done).toMatchObject({ terms_changed: 1, data: { main: 'Complete', letter: 'B', total: '80.00' } })
    const history = await uni.database.pool.query(
      'select action, to_status from registration_history where registration_id = $1',
      [o.registrations[0]],
    )
    expect(history.rows).toEqual([{ action: 'complete', to_status: statusOf('Complete', 'Fresh') }])
  })

  test('a state set after approval has its grade when the term is finished', async () => {
    const o = await taught(0, [full(80), full(80)])
    await uni.database.pool.query(
      `with decided as (insert into absence_cases (registration_id, status, absences, planned, share) values ($2, 'banned', 5, 10, 50))
       update registrations set status = $1 where id = $2`,
      [statusOf('Banned', 'Fresh'), o.registrations[0]],
    )
    expect(
      (await uni.database.pool.query('select letter from registrations where id = $1', [o.registrations[0]])).rows[0]
        .letter,
    ).toBeNull()
    ok(await finish({ term_id: f.fall }))
    expect(
      (await uni.database.pool.query('select letter, passed from registrations where id = $1', [o.registrations[0]]))
        .rows[0],
    ).toEqual({ letter: 'BAN', passed: false })
    expect(await rowsOf(f.students[0]!)).toMatchObject([{ gpa: '0.00', warned: true }])
  })

  test('computing again lists what was changed behind its back, and writes nothing', async () => {
    await taught(0, [full(80), full(70)])
    ok(await finish({ term_id: f.fall }))
    expect((await head('POST', '/control/students/recompute', { term_id: f.fall })).body).toEqual({
      checked: 2,
      differences: [],
      more: 0,
    })
    await uni.database.pool.query('update student_terms set gpa = 4 where student_id = $1', [f.students[0]])
    const { differences } = (await head('POST', '/control/students/recompute', { term_id: f.fall })).body
    expect(differences).toMatchObject([
      { student: { code: 'S001' }, term: { code: '2025-1' }, field: 'gpa', stored: '4.00', computed: '3.00' },
    ])
    expect((await rowsOf(f.students[0]!))[0].gpa).toBe('4.00')
    expect((await finish({ term_id: f.fall, ids: [f.students[0]] })).body.data.changed).toBe(1)
  })

  test('from an offering: only its students, and only from Approved', async () => {
    const o = await taught(0, [full(80)], { control_status: 'Reviewed' })
    await taught(1, [full(80), full(80)])
    expect((await head('PUT', `/control/offerings/finish-control-status/${o.id}`, {})).body.message).toBe(
      'control_status',
    )
    await uni.database.pool.query(`update offerings set control_status = 'Published' where id = $1`, [o.id])
    expect((await head('PUT', `/control/offerings/finish-control-status/${o.id}`, {})).body.data).toMatchObject({
      finished: 1,
      not_finished: 0,
    })
  })

  test('many students are finished by a job that reports', async () => {
    const many = await into(
      uni.database,
      'students',
      Array.from({ length: 320 }, (_, i) => ({
        code: `M${i}`,
        name: `Many ${i}`,
        name_local: 'كثير',
        faculty_id: f.faculty,
        program_id: f.program,
        bylaw_id: f.bylaw,
      })),
    )
    const o = await offerCourse(uni.database, f, { code: `j${n}`, students: many, control_status: 'Approved' })
    await sql`insert into registration_marks (registration_id, offering_mark_id, mark) select r, m, 15 from unnest(${o.registrations}::int[]) r, unnest(${o.scheme}::int[]) m`.execute(
      uni.database.db,
    )
    await uni.database.db.transaction().execute((tx) => computeGrades(tx, [o.id]))
    const { job_id } = (await finish({ term_id: f.fall })).body
    let job: any
    for (let i = 0; i < 100 && job?.state !== 'done'; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      job = ok(await head('GET', `/jobs/${job_id}`))
    }
    expect(job).toMatchObject({
      state: 'done',
      progress: 100,
      result: { finished: 320, changed: 320, not_finished: 0 },
    })
    await uni.database.pool.query(
      `delete from student_terms; delete from registrations; update students set removed_at = now() where code like 'M%'`,
    )
  })
})

describe('students in control', () => {
  test('list: who is finished and who waits; filters; nothing of other faculties', async () => {
    await taught(0, [full(90), full(80)])
    await taught(1, [full(70)], { control_status: 'Draft' })
    ok(await finish({ term_id: f.fall }))
    const list = async (body: object, who = head) =>
      (await who('POST', '/control/students', body)).body.data?.map((row: any) => [
        row.code,
        row.courses,
        row.below_approved,
        row.finished,
        row.gpa,
      ])
    expect(await list({ filters: { term_id: f.fall } })).toEqual([
      ['S001', 2, 1, false, null],
      ['S002', 1, 0, true, '3.00'],
    ])
    expect(await list({ filters: { term_id: f.fall, finished: true } })).toEqual([['S002', 1, 0, true, '3.00']])
    expect(await list({ filters: { term_id: f.fall, waiting: true } })).toEqual([['S001', 2, 1, false, null]])
    expect(await list({ filters: { term_id: f.fall, standing: 'good' }, search: 'student 2' })).toHaveLength(1)
    expect(await list({ filters: { term_id: f.spring } })).toEqual([])
    const outside = await uni.as('control_head', ['faculty', f.otherFaculty])
    expect(await list({ filters: { term_id: f.fall } }, outside)).toEqual([])
    expect((await outside('GET', `/control/students/${f.students[0]}/${f.fall}`)).status).toBe(404)
    expect((await outside('GET', `/control/students/academic/taken-courses/${f.students[0]}`)).status).toBe(404)
    expect((await finish({ term_id: f.fall, ids: f.students }, outside)).body.data).toMatchObject({
      finished: 0,
      not_finished: 0,
    })
    expect((await instructor('POST', '/control/students', {})).status).toBe(403)
  })

  test('one student: marks, terms, the row', async () => {
    await taught(0, [full(90)])
    ok(await finish({ term_id: f.fall }))
    const data = ok(await team('GET', `/control/students/${f.students[0]}/${f.fall}`))
    expect(data).toMatchObject({
      student: { code: 'S001', gpa: '4.00' },
      terms: [{ id: f.fall }],
      result: { gpa: '4.00' },
      registrations: [{ letter: 'A', abilities: [] }],
      abilities: [],
    })
    expect(ok(await head('GET', `/control/students/academic/taken-courses/${f.students[0]}`))).toMatchObject([
      { course: { code: 'CS101' }, letter: 'A', main: 'Registered', attempt: 'Fresh' },
    ])
  })
})

test('rows of terms are those of the pure rules, whatever the marks and states', async () => {
  const mark = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 60 }).map(String) },
    { weight: 1, arbitrary: fc.constant('A') },
  )
  const states = ['Registered', 'Registered', 'Registered', 'Absent', 'Withdrawn', 'Incomplete'] as const
  const course = fc.record({
    term: fc.integer({ min: 0, max: 1 }),
    course: fc.integer({ min: 0, max: 3 }),
    hours: fc.integer({ min: 25, max: 900 }),
    students: fc.array(fc.tuple(mark, fc.constantFrom(...states)), { minLength: 3, maxLength: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(course, { selector: (c) => `${c.term}/${c.course}`, minLength: 1, maxLength: 6 }),
      async (offered) => {
        n++
        await uni.database.pool.query('delete from student_terms; delete from registrations')
        const terms = [f.fall, f.spring]
        for (const one of offered) {
          await taught(
            one.course,
            one.students.map(([value]) => ['10', '15', value]),
            {
              term_id: terms[one.term],
              status: one.students.map(([, main]) => statusOf(main, 'Fresh')),
              credit_hours: one.hours / 100,
            },
          )
        }
        for (const term_id of terms) ok(await finish({ term_id }))
        const bylaw = await bylawSettings(uni.database.db, f.bylaw)
        for (let s = 0; s < 3; s++) {
          const record: StudentTerm[] = terms.map((term_id, t) => ({
            term_id,
            term_type: t === 0 ? 'fall' : 'spring',
            registrations: offered
              .filter((one) => one.term === t)
              .map((one) => {
                const [value, main] = one.students[s]!
                const marks: Record<number, Mark> = {
                  1: 1000,
                  2: 1500,
                  3: value === 'A' ? 'A' : parseHundredths(value)!,
                }
                const scheme = {
                  categories: [
                    { id: 1, maximum: 2000, final_exam: false },
                    { id: 2, maximum: 2000, final_exam: false },
                    { id: 3, maximum: 6000, final_exam: true },
                  ],
                  places: 0,
                  grade_type: 'letter',
                } as const
                const grade = gradeOf({
                  scheme: { ...scheme, categories: [...scheme.categories] },
                  marks,
                  main,
                  audit: false,
                  attempt: 'Fresh',
                  bylaw,
                })
                return {
                  course_id: one.course,
                  credit_hours: one.hours,
                  points: grade.points,
                  outcome: grade.outcome,
                  counts_in_gpa: grade.counts_in_gpa,
                  counts_in_attempted_hours: grade.counts_in_attempted_hours,
                }
              }),
          }))
          const wanted = computeTerms({
            bylaw: termBylaw(bylaw),
            terms: record.filter((term) => term.registrations.length > 0),
          })
          const stored = await rowsOf(f.students[s]!)
          expect(
            stored.map((row) => [
              row.gpa,
              row.cumulative_gpa,
              row.cumulative_points,
              toHundredths(row.attempted_hours),
              toHundredths(row.cumulative_passed_hours),
              row.warnings,
              row.level,
            ]),
          ).toEqual(
            wanted.map((row) => [
              row.gpa === null ? null : printHundredths(row.gpa),
              row.cumulative_gpa === null ? null : printHundredths(row.cumulative_gpa),
              printHundredths(row.cumulative_points),
              row.registered_hours,
              row.cumulative_passed_hours,
              row.warnings,
              row.level,
            ]),
          )
          for (const row of stored) {
            expect(row.cumulative_passed_hours).toBeLessThanOrEqual(row.cumulative_hours)
            expect(row.attempted_hours).toBeLessThanOrEqual(row.registered_hours)
          }
        }
        for (const term_id of terms) expect((await finish({ term_id })).body.data.changed).toBe(0)
        expect((await head('POST', '/control/students/recompute', { term_id: f.spring })).body.differences).toEqual([])
      },
    ),
    { numRuns: 15 },
  )
})
