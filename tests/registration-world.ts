import type { TestUniversity, Caller } from './university.ts'

/** A small university in the middle of its registration, written straight into the database. */
export interface RegistrationWorld {
  readonly faculty: number
  readonly otherFaculty: number
  readonly bylaw: number
  readonly program: number
  readonly pastTerm: number
  readonly term: number
  /** Courses by code: MA101, CS101 (first semester), CS201 (needs CS101), PH101, EN101, HU101. */
  readonly courses: Readonly<Record<string, number>>
  /** Offers a course in the current term: groups of one lecture (and one lab), each group on a day of its own. */
  offer(
    course: string,
    options?: { groups?: number; quota?: number; over?: number; lab?: boolean; day?: number; period?: number },
  ): Promise<{ id: number; lectures: number[]; labs: number[] }>
  /** A student with an account and the role. */
  student(options?: {
    level?: number
    gpa?: string
    hours?: number
    passed?: string[]
    failed?: string[]
    faculty?: 'own' | 'other'
    advisor?: number
  }): Promise<{ id: number; user_id: number; as: Caller }>
  /** An advisor with an account and the role. */
  advisor(): Promise<{ id: number; as: Caller }>
  /** Opens exactly these windows now. */
  windows(...codes: ('register' | 'add_drop' | 'withdraw' | 'excuse' | 'exam' | 'control')[]): Promise<void>
  /** Slots whose count differs from the seats held or from those who wait, or that are above quota and over-quota. */
  wrongSeats(): Promise<unknown[]>
  query<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
}

export async function registrationWorld(u: TestUniversity): Promise<RegistrationWorld> {
  const { pool } = u.database
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, values)).rows as Row[]
  const one = async (text: string, values: unknown[] = []): Promise<number> =>
    (await query<{ id: number }>(text, values))[0]!.id

  const faculty = await one(
    `insert into faculties (code, name, name_local) values ('ENG', 'Engineering', 'الهندسة') returning id`,
  )
  const otherFaculty = await one(
    `insert into faculties (code, name, name_local) values ('ART', 'Arts', 'الآداب') returning id`,
  )
  const bylaw = await one(
    `insert into bylaws (faculty_id, code, name, name_local, program_type, max_warnings, max_improvements, improve_letters)
     values ($1, 'B1', 'Bylaw', 'لائحة', 'credit_hours', 4, 2, '{C}') returning id`,
    [faculty],
  )
  await pool.query(
    `insert into load_ranges (bylaw_id, from_gpa, to_gpa, max_ch_value, max_summer_ch_value, max_courses) values ($1, 0, 2, 9, 6, 4), ($1, 2, 4, 12, 9, 6)`,
    [bylaw],
  )
  const scale = await one(
    `insert into grade_types (bylaw_id, kind, name, name_local) values ($1, 'letter', 'Letters', 'تقديرات') returning id`,
    [bylaw],
  )
  await pool.query(
    `insert into grade_ranges (grade_type_id, from_percent, to_percent, letter, name, name_local, points, success) values
     ($1, 0, 50, 'F', 'Fail', 'راسب', 0, false), ($1, 50, 75, 'C', 'Good', 'جيد', 2, true), ($1, 75, 100, 'B', 'Very good', 'جيد جدًا', 3, true)`,
    [scale],
  )
  const program = await one(
    `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, 'CS', 'Computing', 'حاسبات', 'credit_hours') returning id`,
    [bylaw, faculty],
  )
  const otherProgram = await one(
    `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, 'HI', 'History', 'تاريخ', 'credit_hours') returning id`,
    [bylaw, otherFaculty],
  )
  const year = await one(
    `insert into years (code, name, name_local, start_date, end_date) values ('Y', 'Year', 'عام', university_today() - 300, university_today() + 300) returning id`,
  )
  const aTerm = (code: string, from: number, to: number) =>
    one(
      `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
       values ($1, $2, $2, $2, 'fall', university_today() + $3::int, university_today() + $4::int) returning id`,
      [year, code, from, to],
    )
  const pastTerm = await aTerm('T1', -200, -100)
  const term = await aTerm('T2', -10, 100)
  await pool.query(`insert into current_terms (key, term_id) values ('current_term', $1)`, [term])
  await pool.query(
    `insert into slots (code, name, name_local, start_time, end_time, ramadan_start_time, ramadan_end_time)
     select 'P' || i, 'Period ' || i, 'فترة ' || i, make_time(7 + i, 0, 0), make_time(8 + i, 0, 0), make_time(8 + i, 0, 0), make_time(9 + i, 0, 0)
     from generate_series(1, 8) i`,
  )
  const courses: Record<string, number> = {}
  let place = 0
  for (const code of ['MA101', 'CS101', 'CS201', 'PH101', 'EN101', 'HU101']) {
    courses[code] = await one(
      `insert into courses (faculty_id, code, name, name_local, credit_hours) values ($1, $2, $2, $2, 3) returning id`,
      [faculty, code],
    )
    await pool.query(
      `insert into program_courses (program_id, course_id, level, semester, kind) values ($1, $2, 1, $3, 'mandatory')`,
      [program, courses[code], (place++ % 2) + 1],
    )
  }
  await pool.query(`update courses set prerequisites = $1 where code = 'CS201'`, [
    JSON.stringify({ course: courses.CS101 }),
  ])
  await pool.query(`insert into course_prerequisites values ($1, $2)`, [courses.CS201, courses.CS101])
  // What was taught before, for results.
  await pool.query(
    `insert into offerings (term_id, course_id, faculty_id, code, control_status) select $1, id, $2, '1', 'Published' from courses`,
    [pastTerm, faculty],
  )
  await pool.query('analyze')

  let people = 0
  let offered = 0
  return {
    faculty,
    otherFaculty,
    bylaw,
    program,
    pastTerm,
    term,
    courses,
    query,
    async offer(course, { groups = 1, quota = 30, over = 0, lab = false, day, period } = {}) {
      const number = offered++
      const id = await one(
        `insert into offerings (term_id, course_id, faculty_id, code) values ($1, $2, $3, $4) returning id`,
        [term, courses[course], faculty, String(number + 1)],
      )
      const lectures: number[] = []
      const labs: number[] = []
      const at = (group: number, type: string, shift: number) =>
        one(
          `insert into offering_slots (offering_id, term_id, group_id, type, day, slot_id, quota, over_quota) values ($1, $2, $3, $4, $5,
            (select id from slots order by id offset $6 limit 1), $7, $8) returning id`,
          [id, term, group, type, ((day ?? number) + shift) % 6, period ?? number % 7, quota, over],
        )
      for (let g = 1; g <= groups; g++) {
        const group = await one(`insert into offering_groups (offering_id, number) values ($1, $2) returning id`, [
          id,
          g,
        ])
        lectures.push(await at(group, 'Lecture', g - 1))
        if (lab) labs.push(await at(group, 'Lab', g + 2))
      }
      return { id, lectures, labs }
    },
    async student({
      level = 1,
      gpa = '3.00',
      hours = 30,
      passed = [],
      failed = [],
      faculty: where = 'own',
      advisor,
    } = {}) {
      const as = await u.as('student', undefined, { type: 3 })
      const id = await one(
        `insert into students (user_id, code, name, name_local, faculty_id, program_id, bylaw_id, level, gpa, passed_hours, advisor_id)
         values ($1, $2, $2, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
        [
          as.user_id,
          `S${++people}`,
          where === 'own' ? faculty : otherFaculty,
          where === 'own' ? program : otherProgram,
          bylaw,
          level,
          gpa,
          hours,
          advisor ?? null,
        ],
      )
      for (const [list, letter, points, ok] of [
        [passed, 'C', 2, true],
        [failed, 'F', 0, false],
      ] as const) {
        for (const course of list) {
          await pool.query(
            `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, letter, points, passed, counts_in_gpa)
             select $1, o.id, o.term_id, o.course_id, 262160, 3, $4, $5, $6, true from offerings o where o.term_id = $2 and o.course_id = $3`,
            [id, pastTerm, courses[course], letter, points, ok],
          )
        }
      }
      return { id, user_id: as.user_id, as: await u.signIn(as.user_id) }
    },
    async advisor() {
      const as = await u.as('academic_advisor', undefined, { type: 1 })
      const id = await one(
        `insert into instructors (user_id, code, name, name_local, faculty_id, max_advised) values ($1, $2, $2, $2, $3, 100) returning id`,
        [as.user_id, `I${++people}`, faculty],
      )
      return { id, as: await u.signIn(as.user_id) }
    },
    async windows(...codes) {
      await pool.query('delete from term_stages where term_id = $1', [term])
      await pool.query(
        `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
         select $1, id, now() - interval '1 day', now() + interval '1 day' from stage_codes where code = any ($2)`,
        [term, codes],
      )
    },
    wrongSeats: () =>
      query(
        `select s.id, s.taken, s.quota, s.over_quota, s.waiting, s.held, r.seats, q.places from offering_slots s
           cross join lateral (select count(*) as seats from registration_slots where offering_slot_id = s.id) r
           cross join lateral (select count(*) as places from wait_list where state = 'waiting' and s.id = any (offering_slot_ids)) q
         where s.taken <> r.seats or s.waiting <> q.places or s.taken + s.held > s.quota + s.over_quota or s.held > s.waiting`,
      ),
  }
}
