import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDb, createPool } from './connect.ts'
import { migrate, splitStatements } from './migrate.ts'
import { createTestDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase()
  // Without our own migrations: these tests bring theirs.
  await database.pool.query('drop schema public cascade; create schema public')
  folder = await mkdtemp(path.join(os.tmpdir(), 'ems-migrations-'))
})
afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const file = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text)

test('runs what is new, in order, once', async () => {
  await file('0002_more.sql', `insert into seen values ('two')`)
  await file('0001_first.sql', `create table seen (what text); insert into seen values ('one');`)
  expect(await migrate(database.db, { folder })).toEqual(['0001_first', '0002_more'])
  expect(await migrate(database.db, { folder })).toEqual([])
  await file('0003_last.sql', `insert into seen values ('three')`)
  expect(await migrate(database.db, { folder })).toEqual(['0003_last'])
  expect((await database.pool.query('select what from seen')).rows.map(({ what }) => what)).toEqual([
    'one',
    'two',
    'three',
  ])
})

test('an index on a table in partitions comes to each of them, also after a failure, and to those that follow', async () => {
  await file(
    '0001_parts.sql',
    `create table seen (n int, what text) partition by range (n);
     create table seen_1 partition of seen for values from (0) to (10);
     create table seen_2 partition of seen for values from (10) to (20);
     insert into seen select n, n::text from generate_series(0, 19) n;`,
  )
  await file('0002_index.sql', `-- no transaction\ncreate partitioned index seen_what_idx on seen (what, n desc);`)
  await migrate(database.db, { folder, upTo: '0001_parts' })
  // As a run that broke off leaves it.
  await database.pool.query('create index seen_1_what_idx on seen_1 (n)')
  await migrate(database.db, { folder })
  await database.pool.query('create table seen_3 partition of seen for values from (20) to (30)')
  const { rows } = await database.pool.query(
    `select i.indrelid::regclass::text as part, i.indisvalid as valid, pg_get_indexdef(i.indexrelid) ~ 'what, n DESC' as right
     from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname ~ 'what' order by 1`,
  )
  expect(rows).toEqual(['seen', 'seen_1', 'seen_2', 'seen_3'].map((part) => ({ part, valid: true, right: true })))
})

test('many processes at once: each migration runs exactly once, and nobody fails', async () => {
  await file('0001_slow.sql', `create table seen (what text); select pg_sleep(0.2); insert into seen values ('one')`)
  await file('0002_index.sql', `-- no transaction\ncreate index concurrently seen_what on seen (what)`)
  await file('0003_more.sql', `insert into seen values ('three')`)
  // One connection each, as separate processes with the smallest pool have it.
  const dbs = [1, 2, 3, 4].map(() => createDb(createPool(database.ownerUrl, { max: 1 })))
  try {
    const ran = await Promise.all(dbs.map((db) => migrate(db, { folder })))
    expect(ran.flat().toSorted()).toEqual(['0001_slow', '0002_index', '0003_more'])
    expect((await database.pool.query('select what from seen')).rows).toHaveLength(2)
    expect(
      (await database.pool.query(`select indisvalid from pg_index where indexrelid = 'seen_what'::regclass`)).rows,
    ).toEqual([{ indisvalid: true }])
  } finally {
    await Promise.all(dbs.map((db) => db.destroy()))
  }
})

test('a failure names file and line and leaves nothing of its file, but keeps the files before', async () => {
  await file('0001_good.sql', 'create table good (id integer)')
  await file(
    '0002_bad.sql',
    `create table half (id integer);\n\n-- a comment; with a semicolon\ninsert into good\n  values (1, missing);\n`,
  )
  await expect(migrate(database.db, { folder })).rejects.toThrow(
    /0002_bad\.sql:5: column "missing" does not exist\n  in: values/,
  )
  const { rows } = await database.pool.query(`select to_regclass('good') as good, to_regclass('half') as half`)
  expect(rows[0]).toEqual({ good: 'good', half: null })
  await file('0002_bad.sql', 'create table half (id integer)')
  expect(await migrate(database.db, { folder })).toEqual(['0002_bad'])
})

test('an error without a position names the line of its statement', async () => {
  await file(
    '0001_bad.sql',
    `create table t (id integer primary key);\ninsert into t values (1);\n\ninsert into t values (1);`,
  )
  await expect(migrate(database.db, { folder })).rejects.toThrow(/0001_bad\.sql:4: duplicate key[^]*Key \(id\)=\(1\)/)
})

test('a file that slips in before one that ran is refused', async () => {
  await file('0001_a.sql', 'select 1')
  await file('0003_c.sql', 'select 1')
  await migrate(database.db, { folder })
  await file('0002_b.sql', 'select 1')
  await expect(migrate(database.db, { folder })).rejects.toThrow(
    /expected previously executed migration 0003_c to be at index 1/,
  )
})

test('a file that ran and is missing is refused', async () => {
  await file('0001_a.sql', 'select 1')
  await migrate(database.db, { folder })
  await rename(path.join(folder, '0001_a.sql'), path.join(folder, '0001_b.sql'))
  await expect(migrate(database.db, { folder })).rejects.toThrow(/0001_a is missing/)
})

test('names and numbers are checked before anything runs', async () => {
  await file('0001_a.sql', 'create table a (id integer)')
  await file('0001_b.sql', 'select 1')
  await expect(migrate(database.db, { folder })).rejects.toThrow(/0001_b\.sql: the number is taken by 0001_a\.sql/)
  await rename(path.join(folder, '0001_b.sql'), path.join(folder, 'notes.txt'))
  await expect(migrate(database.db, { folder })).rejects.toThrow(/notes\.txt: a migration is named/)
  expect((await database.pool.query(`select to_regclass('a') as a`)).rows[0].a).toBeNull()
})

test('statements end only at semicolons that end statements', () => {
  const parts = [
    `create table a (b text default 'x;''y') -- not; here\n`,
    `\n\n/* nor; /* here; */ ; */ insert into "odd;name" values (E'it\\'s; one')`,
    `\ncreate function f() returns text language plpgsql as $body$ begin return $$;$$; end; $body$`,
    `\ncreate function g() returns int begin atomic select 1; select 2; end`,
    `\nselect 'a' -- last; one\n`,
  ]
  const statements = splitStatements(parts.join(';') + ';\n-- done;\n')
  expect(statements.map(({ text }) => text.trim())).toEqual(parts.map((part) => part.trim()))
  const text = 'a;\n\n-- why\nb'
  expect(splitStatements(text).map(({ start }) => text[start])).toEqual(['a', 'b'])
})
