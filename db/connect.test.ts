import fc from 'fast-check'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDb, createPool, parseInstant, query } from './connect.ts'
import { createTestDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const one = async (expression: string): Promise<unknown> =>
  (await database.pool.query(`select ${expression} as value`)).rows[0].value

test.each([
  ['9223372036854775807::bigint', '9223372036854775807'],
  [`'{1,NULL,-9223372036854775808}'::bigint[]`, ['1', null, '-9223372036854775808']],
  ['count(*)::int', 1],
  ['12.50::numeric(4, 2)', '12.50'],
  [`'{0.10,100}'::numeric[]`, ['0.10', '100']],
  [`date '2024-02-29'`, '2024-02-29'],
  [`'{2024-02-29,2023-12-31}'::date[]`, ['2024-02-29', '2023-12-31']],
  [`time '08:30'`, '08:30:00'],
  [`timestamptz '2024-03-31 02:30:00+02'`, '2024-03-31T00:30:00.000Z'],
  [`timestamptz '2024-03-31 02:30:00.12+00'`, '2024-03-31T02:30:00.120Z'],
  [`timestamptz '2024-03-31 02:30:00.123450+00'`, '2024-03-31T02:30:00.123450Z'],
  [`'{"2024-03-31 02:30:00+00"}'::timestamptz[]`, ['2024-03-31T02:30:00.000Z']],
  [`timestamptz 'infinity'`, 'infinity'],
  [`timestamp '2024-03-31 02:30:00'`, '2024-03-31T02:30:00'],
  [`interval '90 minutes'`, 'PT1H30M'],
  [`'{"a":[1,"ب"]}'::jsonb`, { a: [1, 'ب'] }],
  [`null::date`, null],
])('%s is read as %j', async (expression, value) => {
  expect(await one(expression)).toEqual(value)
})

test('an instant read and sent back is the stored one, to the microsecond', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: 0n, max: 4_102_444_800_000_000n }), async (microseconds) => {
      const { rows } = await database.pool.query(
        `select timestamptz 'epoch' + $1::bigint * interval '1 microsecond' as at`,
        [String(microseconds)],
      )
      const { rows: back } = await database.pool.query(
        `select $1::timestamptz = timestamptz 'epoch' + $2::bigint * interval '1 microsecond' as same`,
        [rows[0].at, String(microseconds)],
      )
      expect(back[0].same).toBe(true)
      expect(Date.parse(rows[0].at)).toBe(Number(microseconds / 1000n))
    }),
    { numRuns: 50 },
  )
})

test.each([
  ['2024-06-30 23:30:00.5-05:30', '2024-07-01T05:00:00.500Z'],
  ['1900-01-01 00:00:00+02:05:09', '1899-12-31T21:54:51.000Z'],
  ['2024-01-01 00:00:00+00', '2024-01-01T00:00:00.000Z'],
])('another session zone: %s', (text, value) => {
  expect(parseInstant(text)).toBe(value)
})

test('sessions are in UTC even where the database says otherwise', async () => {
  await database.pool.query(`alter database ${database.name} set timezone = 'Africa/Cairo'`)
  const pool = createPool(database.url, { max: 1 })
  try {
    expect((await pool.query(`select timestamptz '2024-07-01 22:30Z'::date as day`)).rows[0].day).toBe('2024-07-01')
  } finally {
    await pool.end()
  }
})

test('a named statement is prepared once for each connection', async () => {
  const pool = createPool(database.url, { max: 1 })
  try {
    for (const n of [1, 2, 3]) {
      expect(await query<{ twice: number }>(pool, 'twice', 'select $1::int * 2 as twice', [n])).toEqual([
        { twice: n * 2 },
      ])
    }
    const prepared = await pool.query(
      `select name, (generic_plans + custom_plans)::int as runs from pg_prepared_statements`,
    )
    expect(prepared.rows).toEqual([{ name: 'twice', runs: 3 }])
  } finally {
    await pool.end()
  }
})

const preparedTexts = async (pool: pg.Pool): Promise<string[]> =>
  (await pool.query('select statement from pg_prepared_statements order by prepare_time')).rows.map(
    (row) => row.statement,
  )

test('a statement with values is prepared from its second use on, and one of many values is planned for them', async () => {
  const db = createDb(createPool(database.url, { max: 1 }))
  const prepared = () => sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  try {
    const thrice = (n: number) => sql<{ n: number }>`select ${n}::int * 3 as n`.execute(db)
    expect((await thrice(1)).rows).toEqual([{ n: 3 }])
    expect((await prepared()).rows).toEqual([])
    for (const n of [2, 3]) expect((await thrice(n)).rows).toEqual([{ n: n * 3 }])
    expect((await prepared()).rows).toEqual([{ statement: 'select $1::int * 3 as n' }])
    const many = Array.from({ length: 5000 }, (_, i) => i)
    for (const _ of [1, 2, 3]) await sql`select cardinality(${many}::int[])`.execute(db)
    expect((await prepared()).rows).toHaveLength(1)
  } finally {
    await db.destroy()
  }
})

test('a connection keeps a bounded number of prepared statements', async () => {
  const pool = createPool(database.url, { max: 1 })
  try {
    for (let n = 0; n < 300; n++) {
      for (const _ of [1, 2])
        expect((await pool.query(`select $1::int + ${n} as sum`, [1])).rows).toEqual([{ sum: n + 1 }])
    }
    const texts = await preparedTexts(pool)
    expect(texts).toHaveLength(200)
    expect(texts.at(-1)).toBe('select $1::int + 299 as sum')
    expect((await pool.query('select $1::int + 0 as sum', [5])).rows).toEqual([{ sum: 5 }])
  } finally {
    await pool.end()
  }
})

test('a prepared statement outlives a change of the table it reads, and one that is gone is prepared again', async () => {
  const pool = createPool(database.ownerUrl, { max: 1 })
  try {
    await pool.query('create table shaped (id int); insert into shaped values (1)')
    const read = async () => (await pool.query('select * from shaped where id = $1', [1])).rows
    for (const _ of [1, 2]) expect(await read()).toEqual([{ id: 1 }])
    await pool.query(`alter table shaped add column name text default 'new'`)
    expect(await read()).toEqual([{ id: 1, name: 'new' }])
    await pool.query('deallocate all')
    expect(await read()).toEqual([{ id: 1, name: 'new' }])
    expect(await preparedTexts(pool)).toEqual(['select * from shaped where id = $1'])
  } finally {
    await pool.query('drop table shaped')
    await pool.end()
  }
})

test('nothing is prepared where a pooler would lose it', async () => {
  const pool = createPool(database.url, { max: 1, prepare: false })
  try {
    for (const n of [1, 2, 3]) {
      await pool.query('select $1::int * 4', [n])
      await query(pool, 'five_times', 'select $1::int * 5', [n])
    }
    expect(await preparedTexts(pool)).toEqual([])
  } finally {
    await pool.end()
  }
})

test('an idle connection that breaks is reported and replaced', async () => {
  const errors: Error[] = []
  const pool = createPool(database.url, { max: 1, onIdleError: (error) => errors.push(error) })
  try {
    const { rows } = await pool.query('select pg_backend_pid() as pid')
    await sql`select pg_terminate_backend(${rows[0].pid}::int, 5000)`.execute(database.db)
    await expect.poll(() => errors.length).toBe(1)
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  } finally {
    await pool.end()
  }
})
