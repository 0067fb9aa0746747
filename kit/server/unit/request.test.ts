import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDb, createPool } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { readConfig } from '../base/config.ts'
import type { Ctx, Services } from '../base/context.ts'
import { asSystem, requestContext } from './request.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await createTestDatabase()
  db = createDb(createPool(database.url, { max: 1 }))
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('a change goes on while a migration changes the table it reads', async () => {
  const ctx = asSystem({ db, config: readConfig({}) } as Services, 'test')
  await sql`create table shaped (id int)`.execute(database.db)
  await sql`grant select on shaped to public`.execute(database.db)
  await sql`insert into shaped values (1)`.execute(database.db)
  const read = () => ctx.write(async (tx) => (await sql`select * from shaped where id = ${1}`.execute(tx)).rows)
  for (const _ of [1, 2, 3]) expect(await read()).toEqual([{ id: 1 }])
  await sql`alter table shaped add column name text default 'new'`.execute(database.db)
  expect(await read()).toEqual([{ id: 1, name: 'new' }])
})

test('a statement of a job may last longer than one that somebody waits for, unless the installation allows it anyway', async () => {
  const limit = async (config: Services['config'], http: boolean) => {
    const services = { db, config } as Services
    const ctx = http
      ? requestContext(services, null, 'en', null, 'test', {} as Ctx['http'])
      : asSystem(services, 'test')
    const { rows } = await ctx.write((tx) =>
      sql<{ ms: string }>`select setting as ms from pg_settings where name = 'statement_timeout'`.execute(tx),
    )
    return Number(rows[0]?.ms)
  }
  const usual = readConfig({})
  expect(await limit(usual, false)).toBe(900_000)
  const own = await limit(usual, true)
  expect(await limit({ ...usual, statementTimeout: 0 }, false)).toBe(own)
  expect(await limit({ ...usual, statementTimeout: 3_600_000 }, false)).toBe(own)
})
