import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDb, createPool } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import type { Services } from '../base/context.ts'
import { asSystem } from './request.ts'

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
  const ctx = asSystem({ db } as Services, 'test')
  await sql`create table shaped (id int)`.execute(database.db)
  await sql`grant select on shaped to public`.execute(database.db)
  await sql`insert into shaped values (1)`.execute(database.db)
  const read = () => ctx.write(async (tx) => (await sql`select * from shaped where id = ${1}`.execute(tx)).rows)
  for (const _ of [1, 2, 3]) expect(await read()).toEqual([{ id: 1 }])
  await sql`alter table shaped add column name text default 'new'`.execute(database.db)
  expect(await read()).toEqual([{ id: 1, name: 'new' }])
})
