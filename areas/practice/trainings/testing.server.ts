/** A small university whose students go to trainings, for the tests of this area. */
import { ok, type Caller, type TestUniversity } from '#tests/university.ts'

export type StudentCaller = Caller & { readonly id: number }
export async function trainingWorld(uni: TestUniversity) {
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of a test's own statement are what it says
  const q = async <T = any>(text: string, values: readonly unknown[] = []): Promise<T[]> =>
    (await uni.database.pool.query(text, [...values])).rows
  const one = async (text: string, values: readonly unknown[] = []): Promise<number> => (await q(text, values))[0].id
  const day = async (days: number): Promise<string> =>
    (await q(`select (university_today() + $1::int)::text as day`, [days]))[0].day
  const faculty = [
    await one(`insert into faculties (code, name, name_local) values ('ENG', 'Engineering', 'الهندسة') returning id`),
    await one(`insert into faculties (code, name, name_local) values ('MED', 'Medicine', 'الطب') returning id`),
  ]
  for (const id of faculty) {
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
  let n = 0
  /** A student of a faculty, signed in. */
  async function student(of = 0): Promise<StudentCaller> {
    const { user_id } = await uni.as('student', undefined, { type: 3, name: `Student ${++n}` })
    const id = await one(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, user_id)
       select $1, 'Student', 'طالب', p.faculty_id, p.id, p.bylaw_id, 2, $2 from programs p where p.faculty_id = $3 returning id`,
      [`S${n}`, user_id, faculty[of]],
    )
    return Object.assign(await uni.signIn(user_id), { id })
  }
  /** A training that is asked for now and begins in so many days. */
  async function offered(more: object = {}, starts = 30): Promise<number> {
    const organisation = ok(
      await office('PUT', '/training-organisations', {
        code: `O${++n}`,
        name: 'Delta',
        name_local: 'دلتا',
        ...(more as { of?: object }).of,
      }),
    ).id
    const { of: _of, ...rest } = more as { of?: object }
    return ok(
      await office('PUT', '/trainings', {
        code: `T${n}`,
        name: 'Training',
        name_local: 'تدريب',
        organisation_id: organisation,
        starts_on: await day(starts),
        ends_on: await day(starts + 27),
        weeks: 4,
        places: 1,
        opens_on: await day(-100),
        closes_on: await day(100),
        ...rest,
      }),
    ).id
  }
  const ask = (by: Caller, training_id: number, more: object = {}) =>
    by('POST', '/trainings/student-to-training', {
      training_id,
      student_id: (by as { id?: number }).id,
      why: 'To see how it is done.',
      ...more,
    })
  const asked = async (by: Caller, training_id: number, more: object = {}): Promise<number> =>
    ok(await ask(by, training_id, more)).id
  const to = (by: Caller, id: number, status: string, more: object = {}) =>
    by('POST', '/trainings/update-student-training-status', { id, status, ...more })
  /** As whoever looks at it now assesses it. */
  const assess = async (by: Caller, id: number, said: object) => {
    const [{ version }] = await q('select version from students_trainings where id = $1', [id])
    return by('POST', `/trainings/assess/${id}`, { version, ...said })
  }
  const shown = async (by: Caller, id: number) => ok(await by('POST', `/trainings/student/${id}`, {}))
  return { q, one, day, faculty, office, student, offered, ask, asked, to, assess, shown }
}
