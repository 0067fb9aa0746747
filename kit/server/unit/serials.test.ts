import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { series } from '#kit/contract/index.ts'
import { takeSerial, takeSerials } from './serials.ts'

const receipts = series('receipts', { per: 'year', format: 'R-{period}-{n}', width: 5 })
const rolls = series('rolls', { per: 'term', format: '{period}/{n}', width: 1 })
const cards = series('cards', { format: '{n}' })

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.pool.query(`create table carried (n integer not null, by text not null);
    grant select, insert on carried to public`)
})
afterAll(() => database.drop())

const write = <T>(work: Parameters<ReturnType<TestDatabase['db']['transaction']>['execute']>[0]) =>
  database.program.db.transaction().execute(work) as Promise<T>

test('a number is written as its series says, and begins again with the year or the term', async () => {
  await write(async (tx) => {
    const year = String(new Date().getUTCFullYear())
    expect(await takeSerial(tx, receipts, '2031')).toEqual({ n: 1, period: '2031', text: 'R-2031-00001' })
    expect((await takeSerial(tx, receipts, '2031')).text).toBe('R-2031-00002')
    expect((await takeSerial(tx, receipts)).text).toBe(`R-${year}-00001`)
    expect((await takeSerial(tx, rolls, '2026-1')).text).toBe('2026-1/1')
    expect((await takeSerial(tx, rolls, '2026-2')).text).toBe('2026-2/1')
    expect((await takeSerial(tx, cards)).text).toBe('000001')
    expect((await takeSerial(tx, cards)).text).toBe('000002')
    expect((await takeSerials(tx, cards, 3)).map((one) => one.text)).toEqual(['000003', '000004', '000005'])
    expect([(await takeSerial(tx, cards)).n, await takeSerials(tx, cards, 0)]).toEqual([6, []])
    await expect(takeSerial(tx, rolls)).rejects.toThrow('belongs to a term')
  })
  expect(() => series('a', { per: 'year', format: '{n}' })).toThrow('does not write its year')
  expect(() => series('a', { format: 'x' })).toThrow('never writes its number')
})

test('the year is that of the university, not of the server', async () => {
  await database.pool.query(
    `insert into settings (key, value) values ('time_zone', '"Pacific/Kiritimati"') on conflict (key) do update set value = excluded.value`,
  )
  const { rows } = await database.program.pool.query<{ zone: string }>('select university_zone() as zone')
  expect(rows[0]!.zone).toBe('Pacific/Kiritimati')
  const period = await write<string>(async (tx) => (await takeSerial(tx, receipts)).period)
  expect(period).toBe(new Intl.DateTimeFormat('en', { timeZone: 'Pacific/Kiritimati', year: 'numeric' }).format())
})

test('what is rolled back gives its number to the next', async () => {
  await expect(
    write(async (tx) => {
      expect((await takeSerial(tx, receipts, '2040')).n).toBe(1)
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect(await write(async (tx) => (await takeSerial(tx, receipts, '2040')).n)).toBe(1)
})

test('a number is never given again: the row only goes forward by one', async () => {
  const { pool } = database.program
  await expect(pool.query('update serial_numbers set last = last - 1')).rejects.toThrow('only go on')
  await expect(pool.query('update serial_numbers set last = last + 2')).rejects.toThrow('only go on')
  await expect(pool.query(`update serial_numbers set series = 'x', last = last + 1`)).rejects.toThrow('only go on')
  await expect(pool.query('delete from serial_numbers')).rejects.toThrow('only go on')
  await expect(pool.query(`insert into serial_numbers values ('x', '', 7)`)).rejects.toThrow('only go on')
})

test('two processes take numbers at once and roll every third back: no gap, none twice', async () => {
  const program = `
    import { createDb, createPool } from '${process.cwd()}/db/connect.ts'
    import { takeSerial, takeSerials } from '${process.cwd()}/kit/server/unit/serials.ts'
    import { sql } from 'kysely'
    const db = createDb(createPool(process.env.URL, { max: 4 }))
    const of = { name: 'receipts', per: 'year', format: 'R-{period}-{n}', width: 5 }
    const one = async (i) => db.transaction().execute(async (tx) => {
      const { n } = await takeSerial(tx, of, '2050')
      await sql\`insert into carried values (\${n}, \${process.env.WHO})\`.execute(tx)
      if (i % 3 === 0) throw new Error('aborted')
    }).catch((error) => { if (error.message !== 'aborted') throw error })
    await db.transaction().execute(async () => {})
    console.log('ready')
    await new Promise((go) => process.stdin.once('data', go))
    let i = 0
    await Promise.all([1, 2, 3, 4].map(async () => { while (i < 120) await one(i++) }))
    await db.destroy()
    process.stdin.destroy()
  `
  const children = ['one', 'two'].map((who) => {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
      cwd: process.cwd(),
      env: { ...process.env, URL: database.url, WHO: who },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    return { child, ready: once(child.stdout, 'data'), over: once(child, 'close') }
  })
  await Promise.all(children.map(({ ready }) => ready))
  for (const { child } of children) child.stdin.write('go')
  for (const { over } of children) expect((await over)[0]).toBe(0)
  const { rows } = await sql<{ n: number; by: string }>`select n, by from carried order by n`.execute(database.db)
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 160 }, (_, i) => i + 1))
  // Both took part at the same time.
  const turns = rows.filter((row, i) => i > 0 && rows[i - 1]!.by !== row.by).length
  expect(turns).toBeGreaterThan(5)
}, 180_000)
