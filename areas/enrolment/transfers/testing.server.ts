/** Two faculties with a bylaw and a program each, courses in common, and students with published results. */
import type { TestDatabase } from '#db/testing.ts'
import { into, namedByCode, offerCourse, seed, seedBylaw, statusOf } from '#areas/records/grading/testing.server.ts'
import type { Fixture } from '#areas/records/grading/testing.server.ts'

export interface TransferFixture extends Fixture {
  /** Of the other faculty. */
  target: { faculty: number; bylaw: number; program: number; courses: number[] }
  summer: number
  /** Cairo University, with a faculty, and TU Berlin. */
  universities: { cairo: number; berlin: number; computing: number }
}

/**
 * The old program has CS101 to CS104. The new one has CS101 itself, DS201 (equal to CS102), DS202 and DS203 of its own.
 * Every student passed CS101 (A), CS102 (B) and CS103 (C) in the fall; spring runs.
 */
export async function seedTransfers(database: TestDatabase): Promise<TransferFixture> {
  const f = await seed(database)
  const put = (table: string, rows: readonly Record<string, unknown>[]) => into(database, table, rows)
  const { pool } = database
  const bylaw = await seedBylaw(database, {
    code: 'B2',
    faculty_id: f.otherFaculty,
    levels: [0, 3, 12],
    graduation_hours: 12,
    grades: [
      ['A+', 95, '4'],
      ['A', 85, '3.7'],
      ['B', 70, '3'],
      ['C', 60, '2.4'],
      ['F', 0, '0'],
    ],
  })
  const [program] = (await put('programs', [
    {
      ...namedByCode('P2'),
      bylaw_id: bylaw,
      faculty_id: f.otherFaculty,
      program_type: 'credit_hours',
      min_credit_hours: 12,
    },
  ])) as [number]
  const courses = await put(
    'courses',
    ['DS201', 'DS202', 'DS203'].map((code) => ({ ...namedByCode(code), faculty_id: f.otherFaculty, credit_hours: 3 })),
  )
  await pool.query('insert into course_equals (course_id, equal_course_id) values ($1, $2), ($2, $1)', [
    f.courses[1],
    courses[0],
  ])
  await put(
    'program_courses',
    [f.courses[0], ...courses].map((course_id, i) => ({
      program_id: program,
      course_id,
      level: 1,
      semester: i + 1,
      kind: 'mandatory',
    })),
  )
  for (const [course, letter, points, total] of [
    [0, 'A', 4, 96],
    [1, 'B', 3, 80],
    [2, 'C', 2.3, 66],
  ] as const) {
    const { id } = await offerCourse(database, f, { course, code: `f${course}`, control_status: 'Draft' })
    await pool.query(
      `update registrations set status = $2, letter = $3, points = $4, total = $5, passed = true, counts_in_gpa = true,
         counts_in_attempted_hours = true where offering_id = $1`,
      [id, statusOf('Registered', 'Fresh'), letter, points, total],
    )
    await pool.query(`update offerings set control_status = 'Published' where id = $1`, [id])
  }
  await pool.query(
    `insert into current_terms (key, term_id) values ('current_term', $1), ('current_transfer_term', $1)
     on conflict (key) do update set term_id = excluded.term_id`,
    [f.spring],
  )
  const [year] = (await pool.query('select year_id from terms where id = $1', [f.spring])).rows as { year_id: number }[]
  const [summer] = (await put('terms', [
    {
      ...namedByCode('2025-3'),
      year_id: year!.year_id,
      term_type: 'summer',
      start_date: '2026-06-20',
      end_date: '2026-08-20',
    },
  ])) as [number]
  const [cairo, berlin] = (await put('universities_list', [
    { code: 'CU', name: 'Cairo University', name_local: 'جامعة القاهرة' },
    { code: 'TUB', name: 'TU Berlin', name_local: 'جامعة برلين التقنية' },
  ])) as [number, number]
  const [computing] = (await put('university_faculties', [
    { code: 'CU-FCAI', name: 'Faculty of Computers', name_local: 'كلية الحاسبات', university_id: cairo },
  ])) as [number]
  return {
    ...f,
    target: { faculty: f.otherFaculty, bylaw, program, courses },
    summer,
    universities: { cairo, berlin, computing },
  }
}
