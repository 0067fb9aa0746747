import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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

describe('functions in files', () => {
  let functions: string
  const made = (name: string, text: string): Promise<void> =>
    mkdir(path.join(functions, path.dirname(name)), { recursive: true }).then(() =>
      writeFile(path.join(functions, name), text),
    )
  const one = (name: string, value: string): string =>
    `-- Why.\ncreate or replace function ${name}() returns text immutable language sql as $$ select '${value}' $$;\n`
  const says = async (name: string): Promise<string> =>
    (await database.pool.query<{ said: string }>(`select ${name}() as said`)).rows[0]!.said
  const run = (): Promise<string[]> => migrate(database.db, { folder, functions })
  beforeEach(async () => {
    functions = await mkdtemp(path.join(os.tmpdir(), 'ems-functions-'))
  })
  afterEach(() => rm(functions, { recursive: true }))

  test('what is new or has changed is run at the end; what has not, is not', async () => {
    await made('study/greet.sql', one('greet', 'hello'))
    await made('money/count_up.sql', one('count_up', 'one'))
    expect(await run()).toEqual([])
    expect([await says('greet'), await says('count_up')]).toEqual(['hello', 'one'])
    const noted = async (): Promise<unknown[]> =>
      (await database.pool.query('select name, hash, installed_at from function_files order by 1')).rows
    const before = await noted()
    await made('study/greet.sql', one('greet', 'good morning'))
    await run()
    expect(await says('greet')).toBe('good morning')
    const after = await noted()
    expect(after[0]).toEqual(before[0])
    expect(after[1]).not.toEqual(before[1])
  })

  test('one that was dropped comes again', async () => {
    await made('greet.sql', one('greet', 'hello'))
    await run()
    await database.pool.query('drop function greet()')
    await run()
    expect(await says('greet')).toBe('hello')
  })

  test('a migration installs by name, before the tables that its bodies speak of; a name without a file is told', async () => {
    await made(
      'base/touched.sql',
      `create or replace function touched() returns bigint language sql as $$ select count(*) from seen $$;`,
    )
    await made('base/greet.sql', one('greet', 'hello'))
    await file(
      '0001_all.sql',
      `install function touched, greet;\ncreate table seen (what text default greet());\ninsert into seen default values;`,
    )
    await run()
    expect((await database.pool.query('select what, touched()::int as n from seen')).rows).toEqual([
      { what: 'hello', n: 1 },
    ])
    await file('0002_more.sql', `select 1;\ninstall function lost;`)
    await expect(run()).rejects.toThrow(/0002_more\.sql:2: there is no file functions\/…\/lost\.sql/)
  })

  test('all or none: where one is wrong, none of them is replaced, and file and line are told', async () => {
    await made('a/greet.sql', one('greet', 'hello'))
    await run()
    await made('a/greet.sql', one('greet', 'good morning'))
    await made(
      'z/wrong.sql',
      `-- Why.\n\ncreate or replace function wrong() returns nothing language sql as $$ select 1 $$;`,
    )
    await expect(run()).rejects.toThrow(/wrong\.sql:3: type "nothing" does not exist/)
    expect(await says('greet')).toBe('hello')
  })

  test('a body that PostgreSQL understands at once may name one that comes later', async () => {
    await made('a.sql', `create or replace function a() returns text language sql return z();`)
    await made('z.sql', one('z', 'last'))
    await run()
    expect(await says('a')).toBe('last')
    await made('a.sql', `create or replace function a() returns text language sql return nowhere();`)
    await expect(run()).rejects.toThrow(/a\.sql:1: function nowhere\(\) does not exist/)
  })

  test('one by which stored values were computed is replaced by a migration that computes them anew, and by nothing else', async () => {
    const fold = (how: string): string =>
      `create or replace function fold(t text) returns text immutable language sql as $$ select ${how}(t) $$;`
    const stands = [
      `create table seen (what text, folded text generated always as (fold(what)) stored)`,
      `create table seen (what text); create index seen_folded on seen (fold(what))`,
      `create table seen (what text constraint seen_folded check (what = fold(what)))`,
      `create function around(t text) returns text immutable language sql return fold(t);
       create table seen (what text, folded text generated always as (around(what)) stored)`,
    ]
    for (const [n, text] of stands.entries()) {
      await database.pool.query('drop schema public cascade; create schema public')
      await rm(path.join(folder, '0002_again.sql'), { force: true })
      await made('fold.sql', fold('lower'))
      await file('0001_seen.sql', `install function fold;\n${text};\ninsert into seen values ('a');`)
      await run()
      // What it says of itself may change.
      await made('fold.sql', `-- Why.\n${fold('lower')}`)
      await run()
      await made('fold.sql', fold('upper'))
      await expect(run(), stands[n]).rejects.toThrow(
        /The function fold has changed, and .*seen.* stands on it.*install function fold;/s,
      )
      expect((await database.pool.query(`select fold('Aa') as said`)).rows[0]).toEqual({ said: 'aa' })
      await file('0002_again.sql', `install function fold;\nupdate seen set what = 'A';`)
      expect(await run()).toEqual(['0002_again'])
      expect((await database.pool.query(`select fold('Aa') as said`)).rows[0]).toEqual({ said: 'AA' })
    }
  })

  test('what only stands in for a value that was not given may change', async () => {
    await made('greet.sql', one('greet', 'hello'))
    await file('0001_seen.sql', `install function greet; create table seen (what text default greet());`)
    await run()
    await made('greet.sql', one('greet', 'good morning'))
    await run()
    expect(await says('greet')).toBe('good morning')
  })

  test('a file holds the function of its name, once, and nothing else; rights may stand there', async () => {
    await made('a/greet.sql', `${one('greet', 'hello')}revoke execute on function greet() from public;`)
    await run()
    await made('b/greet.sql', one('greet', 'hello'))
    await expect(run()).rejects.toThrow(/b\/greet\.sql: the function stands in .*a\/greet\.sql already/)
    await rm(path.join(functions, 'b/greet.sql'))
    await made('b/other.sql', one('greet', 'hello'))
    await expect(run()).rejects.toThrow(/b\/other\.sql: holds nothing but "create or replace function other"/)
    await made('b/other.sql', `${one('other', 'x')}drop table users;`)
    await expect(run()).rejects.toThrow(/b\/other\.sql: holds nothing but .* not: drop table users/)
  })

  test('what lies in gone/ is run by the migrations that name it, and not again', async () => {
    await made('gone/greet.sql', one('greet', 'hello'))
    await file(
      '0001_all.sql',
      `install function greet;\ncreate table seen as select greet() as what;\ndrop function greet();`,
    )
    await run()
    await run()
    expect((await database.pool.query('select what from seen')).rows).toEqual([{ what: 'hello' }])
    expect((await database.pool.query(`select from pg_proc where proname = 'greet'`)).rows).toEqual([])
  })

  test('many processes at once install once', async () => {
    await made('greet.sql', one('greet', 'hello'))
    const dbs = [1, 2, 3].map(() => createDb(createPool(database.ownerUrl, { max: 1 })))
    try {
      await Promise.all(dbs.map((db) => migrate(db, { folder, functions })))
      expect(await says('greet')).toBe('hello')
    } finally {
      await Promise.all(dbs.map((db) => db.destroy()))
    }
  })
})

describe('a release that became the baseline', () => {
  const releases = [{ version: '1.0', migrations: ['0001_a', '0002_b', '0003_c'], baseline: ['0001_all', '0010_more'] }]
  const run = (): Promise<string[]> => migrate(database.db, { folder, releases })
  const ran = async (): Promise<unknown[]> =>
    (await database.pool.query('select name from kysely_migration order by 1')).rows.map(({ name }) => name)
  /** A database that has had these. */
  const had = async (...names: string[]): Promise<void> => {
    for (const name of names) await file(`${name}.sql`, `create table t${name} (id integer)`)
    await migrate(database.db, { folder, releases: [] })
    for (const name of names) await rm(path.join(folder, `${name}.sql`))
    await file('0001_all.sql', 'create table never (id integer)')
    await file('0010_more.sql', 'create table never_either (id integer)')
  }

  test('a database with exactly its migrations is taken over: nothing of the baseline runs, what is newer does', async () => {
    await had('0001_a', '0002_b', '0003_c')
    await file('0011_new.sql', 'create table newer (id integer)')
    const dbs = [1, 2, 3].map(() => createDb(createPool(database.ownerUrl, { max: 1 })))
    try {
      const all = await Promise.all(dbs.map((db) => migrate(db, { folder, releases })))
      expect(all.flat()).toEqual(['0011_new'])
    } finally {
      await Promise.all(dbs.map((db) => db.destroy()))
    }
    expect(await ran()).toEqual(['0001_all', '0010_more', '0011_new'])
    expect(
      (await database.pool.query(`select to_regclass('never') as n, to_regclass('t0003_c') as c`)).rows[0],
    ).toEqual({
      n: null,
      c: 't0003_c',
    })
    expect(await run()).toEqual([])
  })

  test('one that stands before the release is told which version to start first, and is not touched', async () => {
    await had('0001_a', '0002_b')
    await expect(run()).rejects.toThrow(
      /cannot be taken over.*before release 1\.0: 1 of its 3 migrations have not run, the first is 0003_c\. Start version 1\.0 on it once/s,
    )
    expect(await ran()).toEqual(['0001_a', '0002_b'])
  })

  test('one that has had others beside them is refused', async () => {
    await had('0001_a', '0002_b', '0003_c', '0004_own')
    await expect(run()).rejects.toThrow(/Beside the migrations of release 1\.0 it has had 0004_own/)
    expect(await ran()).toEqual(['0001_a', '0002_b', '0003_c', '0004_own'])
  })
})
