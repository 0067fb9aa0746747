import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'

let database: TestDatabase
const q = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows
const COLUMNS = 'id, search_text, removed_at, name, level'
/** Rows that stand in one of the two tables alone, or otherwise. */
const differences = () =>
  q(`(select ${COLUMNS} from wide except select ${COLUMNS} from wide_searched)
    union all (select ${COLUMNS} from wide_searched except select ${COLUMNS} from wide)`)

beforeAll(async () => {
  database = await createTestDatabase()
  await q(`create table wide (id int generated always as identity primary key, name text, level int, note text, removed_at timestamptz,
    search_text text generated always as (fold_text(coalesce(name, ''))) stored)`)
  await q(`insert into wide (name, level) values ('Ahmed', 1), ('منى', 2)`)
  await q(`select keep_searched('wide', array['name', 'level'])`)
})
afterAll(() => database?.drop())
beforeEach(() => q('delete from wide'))

test('rows that are there when it begins stand beside', async () => {
  await q(`create table wide_later (id int primary key, name text, removed_at timestamptz, search_text text)`)
  await q(`insert into wide_later values (1, 'A', null, 'a'), (2, 'B', now(), 'b')`)
  await q(`select keep_searched('wide_later', array['name'])`)
  expect(await q('select id, search_text, name from wide_later_searched order by id')).toEqual([
    { id: 1, search_text: 'a', name: 'A' },
    { id: 2, search_text: 'b', name: 'B' },
  ])
})

test('whatever is done to rows, one or many in a statement, is done beside', async () => {
  await q(`insert into wide (name, level) select 'Name ' || n, n % 5 from generate_series(1, 500) n`)
  expect(await q('select count(*)::int as n from wide_searched')).toEqual([{ n: 500 }])
  expect(await differences()).toEqual([])
  for (const change of [
    `update wide set name = 'إبراهيم' || id where id % 2 = 0`,
    'update wide set level = null where id % 3 = 0',
    'update wide set removed_at = now() where id % 4 = 0',
    'update wide set removed_at = null where id % 8 = 0',
    'delete from wide where id % 5 = 0',
    `insert into wide (name) values (null)`,
    `with gone as (delete from wide where id % 7 = 0 returning 1) insert into wide (name) select 'Again' from gone`,
  ]) {
    await q(change)
    expect(await differences(), change).toEqual([])
  }
  await q('truncate wide')
  expect(await q('select from wide_searched')).toEqual([])
})

test('what a search does not read writes nothing beside', async () => {
  await q(`insert into wide (name, level) values ('Ahmed', 1)`)
  const version = async () => (await q('select xmin, ctid from wide_searched'))[0]
  const before = await version()
  await q(`update wide set note = 'changed', name = name`)
  expect(await version()).toEqual(before)
  await q('update wide set level = 2')
  expect(await version()).not.toEqual(before)
})

test('every transaction finds beside what it finds in the rows; what is taken back is taken back', async () => {
  await q(`insert into wide (name, level) values ('Ahmed', 1), ('Mona', 2)`)
  const [one, two] = await Promise.all([database.pool.connect(), database.pool.connect()])
  const seen = async (client: typeof one) =>
    (
      await client.query(
        'select (select array_agg(name order by name) from wide) as rows, (select array_agg(name order by name) from wide_searched) as beside',
      )
    ).rows[0] as { rows: string[]; beside: string[] }
  try {
    await one.query('begin')
    await one.query(`update wide set name = 'Aya' where name = 'Mona'`)
    await two.query('begin isolation level repeatable read')
    expect(await seen(one)).toEqual({ rows: ['Ahmed', 'Aya'], beside: ['Ahmed', 'Aya'] })
    expect(await seen(two)).toEqual({ rows: ['Ahmed', 'Mona'], beside: ['Ahmed', 'Mona'] })
    await one.query('savepoint here')
    await one.query('delete from wide')
    expect(await seen(one)).toEqual({ rows: null, beside: null })
    await one.query('rollback to savepoint here')
    await one.query('commit')
    expect(await seen(two)).toEqual({ rows: ['Ahmed', 'Mona'], beside: ['Ahmed', 'Mona'] })
    await two.query('commit')
    expect(await seen(two)).toEqual({ rows: ['Ahmed', 'Aya'], beside: ['Ahmed', 'Aya'] })
  } finally {
    one.release()
    two.release()
  }
  // Two who write the same rows come one after the other.
  await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      q(`update wide set level = coalesce(level, 0) + 1, name = 'N' || $1 where true`, [n]),
    ),
  )
  expect(await differences()).toEqual([])
})
