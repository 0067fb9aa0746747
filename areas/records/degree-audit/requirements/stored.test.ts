import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#db/testing.ts'

let database: TestDatabase
const q = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows
const id: Record<string, number> = {}

beforeAll(async () => {
  database = await createTestDatabase()
  const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)
  await one('faculty', `insert into faculties (code, name, name_local) values ('F', 'F', 'ك') returning id`)
  await one(
    'bylaw',
    `insert into bylaws (faculty_id, code, name, name_local) values ($1, 'B', 'B', 'ل') returning id`,
    [id.faculty],
  )
  await one(
    'program',
    `insert into programs (bylaw_id, faculty_id, code, name, name_local) values ($1, $2, 'P', 'P', 'ب') returning id`,
    [id.bylaw, id.faculty],
  )
  for (const code of ['C1', 'C2', 'C3'])
    await one(code, `insert into courses (code, name, name_local, credit_hours) values ($1, $1, 'م', 3) returning id`, [
      code,
    ])
})
afterAll(() => database.drop())

const tree = (...courses: string[]) =>
  JSON.stringify({
    kind: 'all',
    key: 'root',
    name: 'Degree',
    name_local: 'درجة',
    parts: [
      {
        kind: 'courses',
        key: 'core',
        name: 'Core',
        name_local: 'أساسي',
        unit: 'courses',
        min: 1,
        from: [{ by: 'both', of: courses.map((code) => ({ by: 'course', course_id: id[code] })) }],
      },
    ],
  })
const save = (revision: number, value: string | null) =>
  q('insert into requirement_trees (program_id, revision, tree) values ($1, $2, $3)', [id.program, revision, value])
const outcome = (query: Promise<unknown>) =>
  query.then(
    () => 'done',
    (error: Error) => error.message,
  )
const remove = (code: string) => q('update courses set removed_at = now() where id = $1', [id[code]])

test('a course that the requirements name is not removed, until they do not name it', async () => {
  await save(1, tree('C1', 'C2'))
  expect(await q('select key, course_id from requirement_refs order by course_id')).toEqual([
    { key: 'core', course_id: id.C1 },
    { key: 'core', course_id: id.C2 },
  ])
  await expect(remove('C1')).rejects.toMatchObject({
    code: 'UE409',
    message: 'named_by_requirement',
    detail: '{"places" : "P: Core"}',
  })
  await expect(q('delete from courses where id = $1', [id.C1])).rejects.toMatchObject({
    message: 'named_by_requirement',
  })
  await save(2, tree('C2'))
  await remove('C1')
  await expect(save(3, tree('C1'))).rejects.toMatchObject({
    message: 'requirement_names_removed',
    detail: '{"codes" : "C1"}',
  })
})

test('two who edit at once do not overwrite each other, and a revision stays as it was', async () => {
  const [one, other] = await Promise.allSettled([save(3, tree('C2')), save(3, tree('C3'))])
  expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  expect([one, other].find((result) => result.status === 'rejected')?.reason).toMatchObject({
    message: 'requirements_changed',
    detail: '{"revision" : 3}',
  })
  await expect(q(`update requirement_trees set tree = null`)).rejects.toThrow(/stays as it is/)
  await save(4, null)
  expect(await q('select * from requirement_refs')).toEqual([])
})

test('a course removed while a tree that names it is being saved: one of the two is refused', async () => {
  const saver = await database.pool.connect()
  const remover = await database.pool.connect()
  try {
    await saver.query('begin')
    await saver.query('insert into requirement_trees (program_id, revision, tree) values ($1, 5, $2)', [
      id.program,
      tree('C3'),
    ])
    const removing = outcome(remover.query('update courses set removed_at = now() where id = $1', [id.C3]))
    await saver.query('commit')
    expect(await removing).toBe('named_by_requirement')
    await remover.query('begin')
    await remover.query('update courses set removed_at = now() where id = $1', [id.C2])
    const saving = outcome(
      saver.query('insert into requirement_trees (program_id, revision, tree) values ($1, 6, $2)', [
        id.program,
        tree('C2'),
      ]),
    )
    await remover.query('commit')
    expect(await saving).toBe('requirement_names_removed')
  } finally {
    saver.release()
    remover.release()
  }
})
