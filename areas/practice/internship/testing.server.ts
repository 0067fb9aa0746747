/** What tests of the internship year begin with: a faculty, a year, two courses, hospitals, and interns signed in. */
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import type { AreaServer } from '#kit/server/http/area.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { internshipServer } from './internship.server.ts'

export interface InternshipWorld {
  readonly uni: TestUniversity
  readonly office: Caller
  readonly faculty: readonly [medicine: number, other: number]
  readonly year: number
  readonly hospital: number
  /** Training types: two of four weeks in obligatory courses, two electives of four weeks. */
  readonly types: readonly [medicine: number, surgery: number, skin: number, eyes: number]
  readonly courses: readonly [medicine: number, surgery: number, skin: number, eyes: number]
  /** Statements of tests. */
  q<T = { id: number }>(text: string, values?: readonly unknown[]): Promise<T[]>
  one(text: string, values?: readonly unknown[]): Promise<number>
  /** A day so many days from today. */
  day(days: number): Promise<string>
  /** A training of a type. */
  training(type: number, places?: number, more?: object): Promise<number>
  /** A graduate who is in the year; signed in. */
  intern(more?: {
    year?: number | null
    faculty?: number
  }): Promise<Caller & { readonly student_id: number; readonly intern_id: number }>
  /** An instructor who supervises a training in these days; signed in. */
  supervisor(training: number, from?: number, until?: number): Promise<Caller & { readonly instructor_id: number }>
}

/**
 * @param begins in how many days the year begins: negative, it has begun
 * @param options.work true: this process takes jobs too
 */
export async function internshipWorld(
  begins = -168,
  more: readonly AreaServer[] = [],
  options: { work?: boolean } = {},
): Promise<InternshipWorld> {
  const uni = await testUniversity([kitServer, catalogueServer, studentsServer, internshipServer, ...more], options)
  const q: InternshipWorld['q'] = async (text, values = []) =>
    (await uni.database.pool.query(text, [...values])).rows as never
  const one = async (text: string, values: readonly unknown[] = []): Promise<number> =>
    (await q(text, values))[0]?.id ?? 0
  const day = async (days: number): Promise<string> =>
    (await q<{ day: string }>(`select (university_today() + $1::int)::text as day`, [days]))[0]?.day ?? ''
  const faculties: number[] = []
  for (const code of ['MED', 'DEN']) {
    const id = await one(`insert into faculties (code, name, name_local) values ($1, $1, 'كلية') returning id`, [code])
    faculties.push(id)
    const bylaw = await one(
      `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa, grades_visibility)
       values ($1::int, 'B' || $1::int, 'B', 'ل', 'credit_hours', 12, 2, '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}') returning id`,
      [id],
    )
    await q(
      `insert into programs (bylaw_id, faculty_id, code, name, name_local, program_type) values ($1, $2::int, 'P' || $2::int, 'Program', 'برنامج', 'credit_hours')`,
      [bylaw, id],
    )
  }
  const office = await uni.as('registrar')
  const [medicine = 0, other = 0] = faculties
  let n = 0
  const named = (name: string) => ({ code: `C${++n}`, name, name_local: 'اسم' })
  const year = ok(
    await office('PUT', '/emtyaz-years', {
      ...named('Internship'),
      faculty_id: medicine,
      starts_on: await day(begins),
      periods: 12,
      period_weeks: 4,
      electives: 1,
      leave_days: 2,
      marks_days: 14,
      wishes_from: await day(-200),
      wishes_until: await day(200),
    }),
  ).id
  const courses: number[] = []
  const types: number[] = []
  for (const [i, name] of ['Medicine', 'Surgery', 'Skin', 'Eyes'].entries()) {
    const course = ok(
      await office('POST', '/emtyaz/course/putCourse', {
        ...named(name),
        faculty_id: medicine,
        is_elective: i > 1,
        pass_mark: '60',
        criteria: [
          { name: 'Knowledge', name_local: 'المعرفة', max_mark: '40' },
          { name: 'Skill', name_local: 'المهارة', max_mark: '40' },
          { name: 'Conduct', name_local: 'السلوك', max_mark: '20' },
        ],
      }),
    ).id
    courses.push(course)
    types.push(
      ok(await office('POST', '/emtyaz/course/putTrainingType', { ...named(name), course_id: course, weeks: 4 })).id,
    )
  }
  const hospital = ok(await office('PUT', '/emtyaz-hospitals', named('University hospital'))).id
  const programOf = `select id, faculty_id, bylaw_id from programs where faculty_id = `
  return {
    uni,
    office,
    faculty: [medicine, other],
    year,
    hospital,
    types: types as unknown as InternshipWorld['types'],
    courses: courses as unknown as InternshipWorld['courses'],
    q,
    one,
    day,
    training: async (type_id, places = 2, given = {}) =>
      ok(
        await office('PUT', '/emtyaz-trainings', {
          ...named('Department'),
          year_id: year,
          type_id,
          hospital_id: hospital,
          places,
          ...given,
        }),
      ).id,
    async intern({ year: of = year, faculty = medicine } = {}) {
      const { user_id } = await uni.as('student', undefined, { type: 3, name: `Intern ${++n}` })
      const student_id = await one(
        `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, user_id)
         select $1, 'Intern ' || $1, 'طبيب', p.faculty_id, p.id, p.bylaw_id, 6, $2 from (${programOf}$3) p returning id`,
        [`S${n}`, user_id, faculty],
      )
      await graduate(q, student_id)
      const intern_id =
        of === null
          ? 0
          : ok(await office('PUT', '/emtyaz-interns', { year_id: of, student_id, joined_on: await day(begins) })).id
      return Object.assign(await uni.signIn(user_id), { student_id, intern_id })
    },
    async supervisor(training, from = -400, until = 400) {
      const { user_id } = await uni.as('instructor', undefined, { type: 1, name: `Supervisor ${++n}` })
      const instructor_id = await one(
        `insert into instructors (code, name, name_local, faculty_id, academic_title, user_id) values ($1, 'Dr ' || $1, 'د', $2, 'professor', $3) returning id`,
        [`I${n}`, medicine, user_id],
      )
      ok(
        await office('POST', `/emtyaz/addInstructors/${training}`, {
          instructors: [{ instructor_id, starts_on: await day(from), ends_on: await day(until) }],
        }),
      )
      return Object.assign(await uni.signIn(user_id), { instructor_id })
    },
  }
}
/** Says of a student that he or she graduated, as a decision that was taken before. */
async function graduate(q: InternshipWorld['q'], id: number): Promise<void> {
  await q(`select decide_status(array[$1::int], 'graduated', 'Graduated before', university_today(), 'earlier')`, [id])
}
