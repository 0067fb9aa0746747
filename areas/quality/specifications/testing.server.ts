/** A small university for tests of specifications. */
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { offeringsServer } from '#areas/study/offerings/offerings.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { specificationsServer } from './specifications.server.ts'

export interface SpecificationWorld {
  readonly uni: TestUniversity
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of a test's own statement are what it says
  readonly q: <T = any>(text: string, values?: readonly unknown[]) => Promise<T[]>
  readonly faculty: readonly [number, number]
  readonly department: readonly [number, number]
  readonly program: number
  /** The year before, this one, the next. */
  readonly years: readonly [number, number, number]
  readonly term: number
  /** Coursework and the final exam. */
  readonly category: readonly [number, number]
  readonly quality: Caller
  /** A course of a department with its code; in the plan of the program unless told. */
  readonly course: (code: string, of?: 0 | 1, planned?: boolean) => Promise<number>
  readonly offering: (course: number, of?: 0 | 1) => Promise<number>
  /** An instructor with an account, who teaches the offering or heads the department. */
  readonly instructor: (of: { offering?: number; heads?: number }) => Promise<Caller & { readonly instructor: number }>
  /** A student of the program with marks of coursework (of 40) and the final exam (of 60) in an offering; null: absent. */
  readonly marks: (
    offering: number,
    of: readonly (readonly [number, number | null])[],
    cohort?: number,
  ) => Promise<void>
  /** A specification begun by somebody. */
  readonly begin: (by: Caller, of: object) => Promise<number>
  /** Fills a specification of a course so that nothing stands against it. */
  readonly fill: (by: Caller, id: number) => Promise<{ outcomes: number[]; topics: number[]; assessments: number[] }>
}

let n = 0
export async function specificationWorld(): Promise<SpecificationWorld> {
  const uni = await testUniversity([
    kitServer,
    catalogueServer,
    offeringsServer,
    studentsServer,
    gradingServer,
    specificationsServer,
  ])
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  const q = async <T = any>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
    (await uni.database.pool.query(text, [...values])).rows
  const one = async (text: string, values: readonly unknown[] = []): Promise<number> => (await q(text, values))[0].id
  const faculty = [
    await one(`insert into faculties (code, name, name_local) values ('ENG', 'Engineering', 'الهندسة') returning id`),
    await one(`insert into faculties (code, name, name_local) values ('MED', 'Medicine', 'الطب') returning id`),
  ] as const
  const department = [
    await one(
      `insert into departments (faculty_id, code, name, name_local) values ($1, 'CSE', 'Computers', 'الحاسبات') returning id`,
      [faculty[0]],
    ),
    await one(
      `insert into departments (faculty_id, code, name, name_local) values ($1, 'ANA', 'Anatomy', 'التشريح') returning id`,
      [faculty[1]],
    ),
  ] as const
  const bylaw = await one(
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa, grades_visibility)
     values ($1, 'B', 'B', 'ل', 'credit_hours', 12, 2, '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}') returning id`,
    [faculty[0]],
  )
  const program = await one(
    `insert into programs (bylaw_id, faculty_id, department_id, code, name, name_local, program_type)
     values ($1, $2, $3, 'CS', 'Computing', 'حاسبات', 'credit_hours') returning id`,
    [bylaw, faculty[0], department[0]],
  )
  const year = (code: string, from: number) =>
    one(
      `insert into years (code, name, name_local, start_date, end_date)
       values ($1, $1, $1, university_today() + $2::int, university_today() + $2::int + 350) returning id`,
      [code, from],
    )
  const years = [await year('Y1', -500), await year('Y2', -100), await year('Y3', 300)] as const
  const term = await one(
    `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
     values ($1, 'T', 'Term', 'فصل', 'fall', university_today() - 10, university_today() + 100) returning id`,
    [years[1]],
  )
  const category = [
    await one(
      `insert into mark_categories (code, name, name_local) values ('CW', 'Coursework', 'أعمال السنة') returning id`,
    ),
    await one(
      `insert into mark_categories (code, name, name_local, is_final_exam) values ('FIN', 'Final exam', 'النهائي', true) returning id`,
    ),
  ] as const
  const part = async (by: Caller, kind: string, id: number, more: object): Promise<number> =>
    ok(await by('PUT', `/quality/courses-specs/${kind}`, { specification_id: id, ...more })).id
  return {
    uni,
    q,
    faculty,
    department,
    program,
    years,
    term,
    category,
    quality: await uni.as('quality_staff'),
    async course(code, of = 0, planned = true) {
      const course = await one(
        `insert into courses (faculty_id, department_id, code, name, name_local, credit_hours, lecture_hours)
         values ($1, $2, $3, $3, 'مقرر', 3, 3) returning id`,
        [faculty[of], department[of], code],
      )
      if (planned)
        await q(
          `insert into program_courses (program_id, course_id, level, semester, kind) values ($1, $2, 1, 1, 'mandatory')`,
          [program, course],
        )
      return course
    },
    offering: (course, of = 0) =>
      one(
        `insert into offerings (term_id, course_id, faculty_id, department_id, code) values ($1, $2, $3, $4, '1') returning id`,
        [term, course, faculty[of], department[of]],
      ),
    async instructor({ offering, heads }) {
      const { user_id } = await uni.as('instructor', undefined, { type: 1, name: `Teacher ${++n}` })
      const instructor = await one(
        `insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, $2, $2, 'أستاذ', $3) returning id`,
        [user_id, `I${n}`, faculty[0]],
      )
      if (offering !== undefined)
        await q(`insert into offering_instructors (offering_id, instructor_id, role) values ($1, $2, 'leader')`, [
          offering,
          instructor,
        ])
      if (heads !== undefined) await q(`update departments set head_id = $1 where id = $2`, [instructor, heads])
      return Object.assign(await uni.signIn(user_id), { instructor })
    },
    async marks(offering, of, cohort = term) {
      const parts: number[] = []
      for (const [i, max] of [40, 60].entries())
        parts.push(
          (
            await q(`select id from offering_marks where offering_id = $1 and mark_category_id = $2`, [
              offering,
              category[i],
            ])
          )[0]?.id ??
            (await one(
              `insert into offering_marks (offering_id, mark_category_id, max, position) values ($1, $2, $3, $4) returning id`,
              [offering, category[i], max, i],
            )),
        )
      for (const given of of) {
        const student = await one(
          `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, entry_term_id)
           values ($1, $1, 'طالب', $2, $3, $4, 1, $5) returning id`,
          [`S${++n}`, faculty[0], program, bylaw, cohort],
        )
        const registration = await one(
          `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
           select $1, o.id, o.term_id, o.course_id, 262144 | 1, 3 from offerings o where o.id = $2 returning id`,
          [student, offering],
        )
        for (const [i, mark] of given.entries())
          await q(
            `insert into registration_marks (registration_id, offering_mark_id, mark, absent) values ($1, $2, $3, $4)`,
            [registration, parts[i], mark, mark === null],
          )
        await q(`update registrations set total = $2, letter = 'A', points = 1, passed = true where id = $1`, [
          registration,
          given.reduce<number>((sum, mark) => sum + (mark ?? 0), 0),
        ])
      }
    },
    begin: async (by, of) => ok(await by('PUT', '/specifications', of)).id,
    async fill(by, id) {
      const outcome = { domain: 'skills', level: 3, text_local: 'ناتج' }
      const outcomes = [
        await part(by, 'outcomes', id, { ...outcome, code: 'K1', text: 'Explain' }),
        await part(by, 'outcomes', id, { ...outcome, code: 'S1', text: 'Build' }),
      ]
      const topics = [await part(by, 'topics', id, { text: 'Lists', text_local: 'القوائم', weeks: 2, hours: '6' })]
      const assessments = [
        await part(by, 'assessments', id, {
          text: 'Homework',
          text_local: 'واجبات',
          weight: '40',
          week: 5,
          mark_category_id: category[0],
        }),
        await part(by, 'assessments', id, {
          text: 'Written exam',
          text_local: 'تحريري',
          weight: '60',
          week: 15,
          mark_category_id: category[1],
        }),
      ]
      const cells = outcomes.flatMap((outcome_id) => [
        ...topics.map((to_id) => ({ outcome_id, with: 'topics', to_id, on: true })),
        ...assessments.map((to_id) => ({ outcome_id, with: 'assessments', to_id, on: true })),
      ])
      ok(await by('PUT', `/specifications/matrix/${id}`, { cells }))
      return { outcomes, topics, assessments }
    },
  }
}
