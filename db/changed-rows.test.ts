import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

test('what a statement changed is compared with what was in one pass, however large', async () => {
  const { rows } = await database.pool.query<{ name: string; before: string; after: string; body: string }>(
    `select distinct p.proname as name, t.tgoldtable as before, t.tgnewtable as after, p.prosrc as body
     from pg_trigger t join pg_proc p on p.oid = t.tgfoid where t.tgoldtable is not null and t.tgnewtable is not null`,
  )
  expect(rows.length).toBeGreaterThan(10)
  const one_by_one = rows.filter(({ before, after, body }) => {
    const between = (a: string, b: string) => new RegExp(`\\b${a} \\w+\\s+(?:(?:inner|left|right) )?join ${b}\\b`, 'i')
    return between(before, after).test(body) || between(after, before).test(body)
  })
  // A kept plan of one row would hold each row before against each row after: `full join` cannot be done that way.
  expect(one_by_one.map(({ name }) => name)).toEqual([])
})
