/** A small university for tests of publications: two faculties, people of both, and who looks after publications. */
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { publicationsServer } from './publications.server.ts'

export interface PublicationWorld {
  readonly uni: TestUniversity
  // oxlint-disable-next-line typescript/no-explicit-any -- rows of a test's own statement are what it says
  readonly q: <T = any>(text: string, values?: readonly unknown[]) => Promise<T[]>
  readonly faculty: readonly [number, number]
  readonly department: readonly [number, number]
  readonly quality: Caller
  /** An instructor with an account in a department. */
  readonly researcher: (name: string, of?: 0 | 1, local?: string) => Promise<Caller>
  readonly add: (by: Caller, of?: object) => Promise<number>
}

let n = 0
export async function publicationWorld(options: Parameters<typeof testUniversity>[1] = {}): Promise<PublicationWorld> {
  const uni = await testUniversity([kitServer, catalogueServer, studentsServer, publicationsServer], options)
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
  return {
    uni,
    q,
    faculty,
    department,
    quality: await uni.as('quality_staff'),
    async researcher(name, of = 0, local = 'باحث') {
      const { user_id } = await uni.as('instructor', undefined, { type: 1, name })
      await q(`update users set name_local = $2 where id = $1`, [user_id, local])
      await q(
        `insert into instructors (user_id, code, name, name_local, faculty_id, department_id) values ($1, $2, $3, $4, $5, $6)`,
        [user_id, `R${++n}`, name, local, faculty[of], department[of]],
      )
      return uni.signIn(user_id)
    },
    add: async (by, of = {}) =>
      ok(
        await by('POST', '/publications', {
          kind: 'journal_article',
          language: 'en',
          title: `Work ${++n}`,
          year: 2024,
          ...of,
        }),
      ).id,
  }
}

/** A file as a form sends it. */
export const sentFile = (
  name: string,
  content: string | Uint8Array,
  fields: Readonly<Record<string, string>> = {},
): FormData => {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set('file', new Blob([content as BlobPart]), name)
  return form
}
/** Waits for a job of somebody to end, and gives it. */
export async function jobDone(by: Caller, id: string, seconds = 60): Promise<{ state: string; result: never }> {
  for (let n = 0; n < seconds * 10; n++) {
    const job = ok(await by('GET', `/jobs/${id}`))
    if (job.state !== 'queued' && job.state !== 'running') return job
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`job ${id} did not end`)
}
