import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'

let database: TestDatabase
const q = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows
/** What is kept, and what there is. */
const counts = async () =>
  (
    await q(`select (select coalesce(sum(change), 0)::int from row_counts where table_name = 'counted') as kept,
      (select count(*)::int from counted where removed_at is null) as there`)
  )[0] as { kept: number; there: number }

beforeAll(async () => {
  database = await createTestDatabase()
  await q('create table counted (id int generated always as identity primary key, removed_at timestamptz, note text)')
  await q('insert into counted (removed_at) values (null), (null), (now())')
  await q(`select count_table('counted')`)
})
afterAll(() => database?.drop())
beforeEach(() => q('delete from counted'))

test('rows that are there when counting begins are counted', async () => {
  await q('create table counted_later (id int generated always as identity primary key, removed_at timestamptz)')
  await q('insert into counted_later (removed_at) values (null), (null), (now())')
  await q(`select count_table('counted_later')`)
  expect(await q(`select change::int from row_counts where table_name = 'counted_later'`)).toEqual([{ change: 2 }])
})

test('rows are counted as they are added, removed, restored and deleted, one or many in a statement', async () => {
  await q('insert into counted (removed_at) select null from generate_series(1, 500)')
  await q('insert into counted (removed_at) values (now())')
  expect(await counts()).toEqual({ kept: 500, there: 500 })
  await q('update counted set removed_at = now() where id % 2 = 0')
  await q(`update counted set note = 'changed'`)
  expect(await counts()).toEqual({ kept: (await counts()).there, there: expect.any(Number) })
  await q('update counted set removed_at = null where id % 4 = 0')
  await q('delete from counted where id % 5 = 0')
  const { kept, there } = await counts()
  expect(kept).toBe(there)
  await q('truncate counted')
  expect(await counts()).toEqual({ kept: 0, there: 0 })
})

test('what is rolled back is not counted, and each transaction sees its own', async () => {
  const client = await database.pool.connect()
  const here = async () =>
    (await client.query(`select sum(change)::int as n from row_counts where table_name = 'counted'`)).rows[0].n
  try {
    await client.query('begin')
    await client.query('insert into counted (removed_at) values (null), (null)')
    expect(await here()).toBe(2)
    expect(await counts()).toEqual({ kept: 0, there: 0 })
    await client.query('rollback')
  } finally {
    client.release()
  }
  expect(await counts()).toEqual({ kept: 0, there: 0 })
})

test('thousands of changes at once, a tenth of them rolled back, are counted exactly and summed up', async () => {
  await Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      const client = await database.pool.connect()
      try {
        for (let i = 0; i < 150; i++) {
          await client.query('begin')
          await client.query('insert into counted (removed_at) values (null), (null)')
          await client.query(
            'update counted set removed_at = now() where id = (select min(id) from counted where removed_at is null and id % 8 = $1)',
            [worker],
          )
          await client.query(i % 10 === 9 ? 'rollback' : 'commit')
        }
      } finally {
        client.release()
      }
    }),
  )
  const { kept, there } = await counts()
  expect(kept).toBe(there)
  expect(there).toBeGreaterThan(1000)
  const [{ lines }] = await q(`select count(*)::int as lines from row_counts where table_name = 'counted'`)
  expect(lines).toBeLessThan(600)
}, 180_000)
