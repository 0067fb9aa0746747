import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import type { DemoUniversity } from './model.ts'
import { demoLookup } from './part.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await sql`create table things (id int generated always as identity, code text, name text, name_local text, term_id int)`.execute(
    database.db,
  )
})
afterAll(() => database?.drop())

it('rows of a lookup may be made of the demo university', async () => {
  const demo = { current_terms: { current_term: 9 } } as DemoUniversity
  const part = demoLookup({ table: 'things' }, ({ current_terms }) => [
    ['A', 'Thing', 'شيء', { term_id: current_terms.current_term }],
    ['B', 'Other', 'آخر', { term_id: null }],
  ])
  const { rows } = await database.db.transaction().execute(async (tx) => {
    await part.load(tx as never, demo)
    return sql<{ code: string }>`select code, term_id from things order by id`.execute(tx)
  })
  expect(rows).toEqual([
    { code: 'A', term_id: 9 },
    { code: 'B', term_id: null },
  ])
})
