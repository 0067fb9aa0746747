import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'
import { renderSchema, schemaFile } from './types.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('db/schema.ts is what the migrations make (else: npm run db:types)', async () => {
  expect(await renderSchema(database.db)).toBe(await readFile(schemaFile, 'utf8'))
})

test('the types agree with the parsers', async () => {
  await database.pool.query(`create table every_type (id integer primary key, flags bigint not null,
    grade numeric(4, 2) not null, born date not null, "at" timestamptz not null, length interval, more jsonb)`)
  const text = await renderSchema(database.db)
  const columns = /interface EveryType \{([^}]*)\}/.exec(text)?.[1]?.match(/\w+: [\w |]+/g)
  expect(columns).toEqual([
    'at: Timestamp',
    'born: string',
    'flags: Int8',
    'grade: Numeric',
    'id: number',
    'length: string | null',
    'more: Json | null',
  ])
  expect(text).toMatch(/type Timestamp = ColumnType<string, Date \| string, Date \| string>/)
  expect(text).toMatch(/type Int8 = ColumnType<string, /)
  expect(text).toMatch(/type Numeric = ColumnType<string, /)
})
