/** A small university for tests of questionnaires. */
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { countQuestionnaire } from './counting/count.server.ts'
import { questionnairesServer } from './questionnaires.server.ts'

export interface QuestionnaireWorld {
  readonly uni: TestUniversity
  readonly faculty: readonly [number, number]
  readonly term: number
  readonly quality: Caller
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of a test's own statement are what it says
  readonly q: <T = any>(text: string, values?: readonly unknown[]) => Promise<T[]>
  /** Students registered in an offering, signed in. */
  readonly classOf: (offering: number, students: number) => Promise<Caller[]>
  readonly offering: (code: string, faculty?: number) => Promise<number>
  /** Somebody who leads the offering, with an account. */
  readonly teacher: (offering: number, name: string) => Promise<Caller & { readonly instructor: number }>
  /** A type with questions; the keys of these in their order. */
  readonly type: (about: string, questions: readonly object[], more?: object) => Promise<{ id: number; keys: string[] }>
  /** A questionnaire that is open today. */
  readonly open: (type_id: number, more?: object) => Promise<number>
  readonly close: (id: number) => Promise<void>
  /** Counts what is closed. */
  readonly count: (id: number) => Promise<void>
}

let n = 0
export const RATING = { question: 'Clear?', question_local: 'واضح؟', kind: 'rating', points: 5, required: true }
export const COMMENT = { question: 'What else?', question_local: 'ماذا أيضًا؟', kind: 'text' }

/** @param env settings of the server; a key that is not in the database, unless told */
export async function questionnaireWorld(
  env: Readonly<Record<string, string>> = { SECRETS_KEY: 'of tests: 7hQ2vX9mB4tR8kD1sW6yJ3nF5cL0zP' },
): Promise<QuestionnaireWorld> {
  const uni = await testUniversity(
    [kitServer, accessAndPeopleServer, catalogueServer, studentsServer, questionnairesServer],
    { env },
  )
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  const q = async <T = any>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
    (await uni.database.pool.query(text, [...values])).rows
  const one = async (text: string, values: readonly unknown[] = []): Promise<number> => (await q(text, values))[0].id
  const faculty = [
    await one(`insert into faculties (code, name, name_local) values ('ENG', 'Engineering', 'الهندسة') returning id`),
    await one(`insert into faculties (code, name, name_local) values ('MED', 'Medicine', 'الطب') returning id`),
  ] as const
  const bylaw = await one(
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa, grades_visibility)
     values ($1, 'B', 'B', 'ل', 'credit_hours', 12, 2, '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}') returning id`,
    [faculty[0]],
  )
  const program = await one(
    `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2, 'CS', 'Computing', 'حاسبات', 'credit_hours') returning id`,
    [bylaw, faculty[0]],
  )
  const year = await one(
    `insert into years (code, name, name_local, start_date, end_date) values ('Y', 'Year', 'عام', university_today() - 100, university_today() + 200) returning id`,
  )
  const term = await one(
    `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
     values ($1, 'T', 'Term', 'فصل', 'fall', university_today() - 10, university_today() + 100) returning id`,
    [year],
  )
  const quality = await uni.as('quality_staff')
  return {
    uni,
    faculty,
    term,
    quality,
    q,
    async offering(code, of = faculty[0]) {
      const course = await one(
        `insert into courses (faculty_id, code, name, name_local, credit_hours, lecture_hours, laboratory_hours) values ($1, $2, $2, 'مقرر', 3, 3, 0) returning id`,
        [of, code],
      )
      return one(`insert into offerings (term_id, course_id, faculty_id, code) values ($1, $2, $3, '1') returning id`, [
        term,
        course,
        of,
      ])
    },
    async classOf(offering, students) {
      const all: Caller[] = []
      for (let i = 0; i < students; i++) {
        const caller = await uni.as('student', undefined, { type: 3, name: `Student ${++n}` })
        const student = await one(
          `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, user_id) values ($1, $2, 'طالب', $3, $4, $5, 1, $6) returning id`,
          [`S${n}`, `Student ${n}`, faculty[0], program, bylaw, caller.user_id],
        )
        await q(
          `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
           select $1, o.id, o.term_id, o.course_id, 262144 | 1, 3 from offerings o where o.id = $2`,
          [student, offering],
        )
        all.push(await uni.signIn(caller.user_id))
      }
      return all
    },
    async teacher(offering, name) {
      const { user_id } = await uni.as('instructor', undefined, { type: 1, name })
      const instructor = await one(
        `insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, $2, $3, 'الأستاذة منى', $4) returning id`,
        [user_id, `I${++n}`, name, faculty[0]],
      )
      await q(`insert into offering_instructors (offering_id, instructor_id, role) values ($1, $2, 'leader')`, [
        offering,
        instructor,
      ])
      return Object.assign(await uni.signIn(user_id), { instructor })
    },
    async type(about, questions, more = {}) {
      const { id } = ok(
        await quality('PUT', '/questionnaires/types', {
          code: `TYPE${++n}`,
          name: 'Survey',
          name_local: 'استطلاع',
          kind: 'student',
          about,
          ...more,
        }),
      )
      const keys: string[] = []
      for (const question of questions) {
        const made = ok(await quality('PUT', '/questionnaires/questions', { type_id: id, ...question }))
        keys.push(`q${made.id}`)
      }
      return { id, keys }
    },
    async open(type_id, more = {}) {
      const [{ today, later }] = await q(
        `select university_today()::text as today, (university_today() + 10)::text as later`,
      )
      const { id } = ok(
        await quality('PUT', '/questionnaires', {
          type_id,
          term_id: term,
          opens_on: today,
          closes_on: later,
          obligatory: false,
          postponements: 0,
          ...more,
        }),
      )
      ok(await quality('GET', `/questionnaires/survey/status/${id}`))
      return id
    },
    count: async (id) => void (await countQuestionnaire(asSystem(uni.services, 'test'), id)),
    async close(id) {
      ok(await quality('PUT', `/questionnaires/close/${id}`))
      await countQuestionnaire(asSystem(uni.services, 'test'), id)
    },
  }
}
