import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDb } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { cutRows } from './cut.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(database.pool)
}, 240_000)
afterAll(async () => {
  await database?.drop()
})

test('the first rows stand in their order, with how many there are in all; of none there are none', async () => {
  const numbers = (to: number) =>
    sql`select n, 'row ' || n as name from generate_series(1, ${to}::int) n order by n desc`
  expect(await cutRows(db, numbers(7), 3)).toEqual({
    data: [
      { n: 7, name: 'row 7' },
      { n: 6, name: 'row 6' },
      { n: 5, name: 'row 5' },
    ],
    total: 7,
  })
  expect(await cutRows(db, numbers(2), 3)).toMatchObject({ total: 2, data: [{ n: 2 }, { n: 1 }] })
  expect(await cutRows(db, numbers(0), 3)).toEqual({ data: [], total: 0 })
})
