/** A small university for the tests of this area: two faculties, one bylaw, courses with schemes, students, a team. */
import type { TestDatabase } from '#db/testing.ts'
import { insertRows } from '#db/bulk.ts'
import { flag, type Flag } from '#areas/common/academics/status.rules.ts'

export interface Fixture {
  faculty: number
  otherFaculty: number
  bylaw: number
  program: number
  fall: number
  spring: number
  courses: number[]
  students: number[]
  instructor: number
  otherInstructor: number
  /** YW 20, MID 20, FIN 60 of the bylaw. */
  categories: { yw: number; mid: number; fin: number }
  mark: number
}

export const REGISTERED = (flag.Registered | flag.Fresh).toString()
export const statusOf = (...names: Flag[]): string => names.reduce((bits, name) => bits | flag[name], 0n).toString()

/** Rows as they stand in tables; ids are given by the database. */
export const into = (
  database: TestDatabase,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<number[]> => database.db.transaction().execute((tx) => insertRows(tx, table, rows, { returning: 'id' }))
/** A code with names made of it. */
export const namedByCode = (code: string) => ({ code, name: code, name_local: `اسم ${code}` })

/** A bylaw by credit hours with its levels and letters; each grade reaches up to the one before. */
export async function seedBylaw(
  database: TestDatabase,
  of: {
    code: string
    faculty_id: number
    /** Passed hours that open each. */
    levels: readonly number[]
    graduation_hours: number
    /** Letter, from which percent, points; the best first. */
    grades: readonly (readonly [letter: string, from: number, points: string])[]
  },
): Promise<number> {
  const put = (table: string, rows: readonly Record<string, unknown>[]) => into(database, table, rows)
  const [bylaw] = (await put('bylaws', [
    {
      ...namedByCode(of.code),
      faculty_id: of.faculty_id,
      program_type: 'credit_hours',
      min_percentage_final_exam: '30',
      total_places: 0,
      warning_type: 'cumulative',
      warning_count: 'consecutive',
      warning_gpa: '2.00',
      max_warnings: 2,
      repeat_rule: 'best',
      graduation_hours: of.graduation_hours,
      graduation_gpa: '2.00',
    },
  ])) as [number]
  await put(
    'bylaw_levels',
    of.levels.map((passed_hours, i) => ({
      bylaw_id: bylaw,
      level: i + 1,
      name: `Level ${i + 1}`,
      name_local: 'مستوى',
      passed_hours,
    })),
  )
  const [letters] = await put('grade_types', [
    { bylaw_id: bylaw, kind: 'letter', name: 'Letters', name_local: 'تقديرات' },
  ])
  await put(
    'grade_ranges',
    of.grades.map(([letter, from_percent, points], i) => ({
      grade_type_id: letters,
      letter,
      name: letter,
      name_local: letter,
      from_percent,
      to_percent: of.grades[i - 1]?.[1] ?? 100,
      points,
      success: Number(points) > 0,
    })),
  )
  return bylaw
}

export async function seed(database: TestDatabase): Promise<Fixture> {
  const put = (table: string, rows: readonly Record<string, unknown>[]) => into(database, table, rows)
  const [faculty, otherFaculty] = (await put('faculties', [namedByCode('FEC'), namedByCode('FCO')])) as [number, number]
  const bylaw = await seedBylaw(database, {
    code: 'B1',
    faculty_id: faculty,
    levels: [0, 6, 12],
    graduation_hours: 6,
    grades: [
      ['A', 85, '4'],
      ['B', 75, '3'],
      ['C', 65, '2.3'],
      ['D', 50, '2'],
      ['F', 0, '0'],
    ],
  })
  const special = (status: string, letter: string, counts: boolean) => ({
    bylaw_id: bylaw,
    status,
    letter,
    name: status,
    name_local: 'حالة',
    points: '0',
    counts_in_gpa: counts,
    counts_in_attempted_hours: counts,
  })
  await put('special_grades', [
    special('Absent', 'Abs', true),
    special('Withdrawn', 'W', false),
    special('Incomplete', 'I', false),
  ])
  const [program] = (await put('programs', [
    { ...namedByCode('P1'), bylaw_id: bylaw, faculty_id: faculty, program_type: 'credit_hours', min_credit_hours: 6 },
  ])) as [number]
  const [year] = await put('years', [{ ...namedByCode('2025'), start_date: '2025-09-01', end_date: '2026-08-31' }])
  const [fall, spring] = (await put('terms', [
    { ...namedByCode('2025-1'), year_id: year, term_type: 'fall', start_date: '2025-09-20', end_date: '2026-01-20' },
    { ...namedByCode('2025-2'), year_id: year, term_type: 'spring', start_date: '2026-02-07', end_date: '2026-06-10' },
  ])) as [number, number]
  const courses = await put(
    'courses',
    ['CS101', 'CS102', 'CS103', 'CS104'].map((code) => ({
      ...namedByCode(code),
      faculty_id: faculty,
      credit_hours: 3,
    })),
  )
  await put(
    'program_courses',
    courses
      .slice(0, 2)
      .map((course_id, i) => ({ program_id: program, course_id, level: 1, semester: i + 1, kind: 'mandatory' })),
  )
  const users = await put(
    'users',
    Array.from({ length: 6 }, (_, i) => ({
      type: 3,
      name: `Student ${i + 1}`,
      name_local: 'طالب',
      email: `s${i + 1}@u.example`,
    })),
  )
  const students = await put(
    'students',
    users.map((user_id, i) => ({
      code: `S00${i + 1}`,
      name: `Student ${i + 1}`,
      name_local: `طالب ${i + 1}`,
      user_id,
      faculty_id: faculty,
      program_id: program,
      bylaw_id: bylaw,
      entry_term_id: fall,
    })),
  )
  const [instructor, otherInstructor] = (await put(
    'instructors',
    ['I1', 'I2'].map((code) => ({ ...namedByCode(code), faculty_id: faculty })),
  )) as [number, number]
  const [yw, mid, fin] = (await put('mark_categories', [
    { ...namedByCode('YW'), is_final_exam: false },
    { ...namedByCode('MID'), is_final_exam: false },
    { code: 'FIN', name: 'Final exam', name_local: 'الامتحان النهائي', is_final_exam: true },
  ])) as [number, number, number]
  const [mark] = (await put('marks', [namedByCode('M1')])) as [number]
  await database.db.transaction().execute((tx) =>
    insertRows(tx, 'mark_items', [
      { mark_id: mark, mark_category_id: yw, max: '20', position: 0 },
      { mark_id: mark, mark_category_id: mid, max: '20', position: 1 },
      { mark_id: mark, mark_category_id: fin, max: '60', position: 2 },
    ]),
  )
  return {
    faculty,
    otherFaculty,
    bylaw,
    program,
    fall,
    spring,
    courses,
    students,
    instructor,
    otherInstructor,
    categories: { yw, mid, fin },
    mark,
  }
}

export interface TestOffering {
  id: number
  /** Ids in the offering's scheme, in the order YW, MID, FIN. */
  scheme: [number, number, number]
  /** Registration of each student, in the order given. */
  registrations: number[]
}

/** An offering with its scheme, its instructor and registrations. */
export async function offerCourse(
  database: TestDatabase,
  fixture: Fixture,
  {
    term_id = fixture.fall,
    course = 0,
    students = fixture.students,
    status = REGISTERED,
    control_status = 'Draft',
    faculty_id = fixture.faculty,
    instructor = fixture.instructor,
    code = '1',
    credit_hours = 3,
  }: {
    term_id?: number
    course?: number
    students?: number[]
    status?: string | readonly string[]
    control_status?: string
    faculty_id?: number
    instructor?: number
    code?: string
    credit_hours?: number
  } = {},
): Promise<TestOffering> {
  const course_id = fixture.courses[course]!
  const [id] = (await into(database, 'offerings', [
    { term_id, course_id, faculty_id, code, mark_id: fixture.mark, control_status },
  ])) as [number]
  await database.db
    .transaction()
    .execute((tx) =>
      insertRows(tx, 'offering_instructors', [{ offering_id: id, instructor_id: instructor, role: 'leader' }]),
    )
  const { yw, mid, fin } = fixture.categories
  const scheme = (await into(database, 'offering_marks', [
    { offering_id: id, mark_category_id: yw, max: '20', position: 0 },
    { offering_id: id, mark_category_id: mid, max: '20', position: 1 },
    { offering_id: id, mark_category_id: fin, max: '60', position: 2 },
  ])) as [number, number, number]
  const registrations = await into(
    database,
    'registrations',
    students.map((student_id, i) => ({
      student_id,
      offering_id: id,
      term_id,
      course_id,
      credit_hours,
      status: typeof status === 'string' ? status : status[i],
    })),
  )
  return { id, scheme, registrations }
}

/** Cells of a whole row: `marks` in the order of the scheme. */
export const cells = (
  offering: TestOffering,
  i: number,
  marks: readonly (string | null)[],
  versions: readonly (number | null)[] = [],
) =>
  marks.map((mark, k) => ({
    registration_id: offering.registrations[i]!,
    offering_mark_id: offering.scheme[k]!,
    mark,
    version: versions[k] ?? null,
  }))
