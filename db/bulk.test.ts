import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyLine, copyRows } from './bulk.ts'
import { createTestDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query('create table copied (id int, said text, list int[])')
})
afterAll(() => database.drop())

const COLUMNS = ['id', 'said', 'list']

test('what is copied is what was given, whatever stands in a text', async () => {
  const texts = ['a\tb', 'c\nd\r', 'e\\f \\N \\.', '', 'قسم', null]
  const rows = await database.db.transaction().execute((tx) =>
    copyRows(
      tx,
      'copied',
      COLUMNS,
      (async function* () {
        for (const [i, said] of texts.entries()) yield copyLine([i, said, i ? Int32Array.of(i, -i) : null])
      })(),
    ),
  )
  expect(rows).toBe(texts.length)
  const { rows: found } = await sql<{
    said: string | null
    list: number[] | null
  }>`select said, list from copied order by id`.execute(database.db)
  expect(found.map(({ said }) => said)).toEqual(texts)
  expect(found.map(({ list }) => list)).toEqual([null, [1, -1], [2, -2], [3, -3], [4, -4], [5, -5]])
})

test('a source that gives up is told with its own reason, and nothing is kept', async () => {
  const why = new Error('cancelled')
  const copying = database.db.transaction().execute((tx) =>
    copyRows(
      tx,
      'copied',
      COLUMNS,
      (async function* () {
        yield copyLine([100, 'half', null])
        throw why
      })(),
    ),
  )
  await expect(copying).rejects.toBe(why)
  const { rows } = await sql`select from copied where id = 100`.execute(database.db)
  expect(rows).toEqual([])
})
