import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listCatalog } from './catalog.ts'
import type { Catalog } from './catalog.ts'
import { functionsFolder, migrate, migrationsFolder } from './migrate.ts'
import { readReleases } from './releases.ts'
import type { Release } from './releases.ts'
import { createTestDatabase } from './testing.ts'
import type { TestDatabase } from './testing.ts'

let database: TestDatabase
/** Of the release, as it left it. */
let earlier: TestDatabase
let release: Release & { postgres: number; catalog: Record<string, string>; functions: string }
/** As a fresh database is. */
let fresh: Catalog

beforeAll(async () => {
  ;[database, earlier] = await Promise.all([createTestDatabase(), createTestDatabase()])
  ;[release] = (await readReleases()) as [typeof release]
  // As before anything ran, and without what the program's role was given.
  for (const { pool } of [database, earlier]) await pool.query('drop schema public cascade; create schema public')
}, 60_000)
afterAll(async () => {
  await database?.drop()
  await earlier?.drop()
})

const digest = (lines: readonly string[]): string => createHash('sha256').update(lines.join('\n')).digest('hex')

test('the baseline is the schema of the release that it was made from', async () => {
  await migrate(database.db, { upTo: release.baseline.at(-1)! })
  const { functions, ...made } = await listCatalog(database.pool)
  // They change as files do; later migrations may call each of those that were there.
  expect(digest([...new Set(functions.map((line) => /^\w+/.exec(line)![0]))].toSorted())).toBe(release.functions)
  const { rows } = await database.pool.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  )
  // Another version of PostgreSQL says the same in other words.
  if (rows[0]!.major !== release.postgres) return
  const differs = Object.entries(made).filter(([kind, lines]) => digest(lines) !== release.catalog[kind])
  expect(differs.map(([kind, lines]) => `${kind}: ${lines.length} lines`)).toEqual([])
  expect(Object.keys(made).toSorted()).toEqual(Object.keys(release.catalog).toSorted())
}, 60_000)

test('a database of the release that is taken over is equal to a fresh one', async () => {
  await migrate(database.db)
  fresh = await listCatalog(database.pool)
  // As the release left it: its own names, a function that has changed since, and no notes of files.
  await migrate(earlier.db, { upTo: release.baseline.at(-1)! })
  await earlier.pool.query('delete from kysely_migration')
  await earlier.pool.query(
    `insert into kysely_migration (name, "timestamp") select name, '2026-11-20T08:00:00.000Z' from unnest($1::text[]) name`,
    [release.migrations],
  )
  await earlier.pool.query(`drop table function_files;
    create or replace function touch_version() returns trigger language plpgsql as $$ begin return new; end $$`)
  expect((await listCatalog(earlier.pool)).functions).not.toEqual(fresh.functions)

  const later = (await readdir(migrationsFolder)).map((name) => path.basename(name, '.sql')).toSorted()
  expect(await migrate(earlier.db)).toEqual(later.filter((name) => !release.baseline.includes(name)))
  const taken = await listCatalog(earlier.pool)
  for (const kind of Object.keys(fresh) as (keyof Catalog)[]) expect(taken[kind], kind).toEqual(fresh[kind])
  const files = 'select name, hash from function_files order by 1'
  expect((await earlier.pool.query(files)).rows).toEqual((await database.pool.query(files)).rows)
  const { rows } = await earlier.pool.query<{ name: string; timestamp: string }>(
    'select name, "timestamp" from kysely_migration order by 1',
  )
  expect(rows.filter(({ name }) => release.baseline.includes(name))).toEqual(
    release.baseline.map((name) => ({ name, timestamp: '2026-11-20T08:00:00.000Z' })),
  )
  expect(await migrate(earlier.db)).toEqual([])
}, 60_000)

test('no function is without a file, and no file without its function', async () => {
  const files = (await readdir(functionsFolder, { recursive: true })).filter((name) => name.endsWith('.sql'))
  const { rows } = await database.pool.query<{ name: string }>(
    `select distinct p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prokind <> 'a'
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  const named = files.filter((name) => !name.startsWith('gone')).map((name) => path.basename(name, '.sql'))
  expect(named.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
  // Kept for older migrations alone.
  const migrations = (
    await Promise.all(
      (await readdir(migrationsFolder)).map((name) => readFile(path.join(migrationsFolder, name), 'utf8')),
    )
  ).join('\n')
  const gone = files.filter((name) => name.startsWith('gone')).map((name) => path.basename(name, '.sql'))
  expect(gone.filter((name) => !new RegExp(`\\b${name}\\b`).test(migrations))).toEqual([])
})

test('what a file says of a function is what the database holds, and every body is understood', async () => {
  const files = (await readdir(functionsFolder, { recursive: true })).filter(
    (name) => name.endsWith('.sql') && !name.startsWith('gone'),
  )
  const client = await database.pool.connect()
  const wrong: string[] = []
  try {
    await client.query('begin')
    for (const name of files) {
      await client.query('savepoint one')
      // With every name looked up, which is not done when they are installed.
      await client
        .query(`set local check_function_bodies = on;\n${await readFile(path.join(functionsFolder, name), 'utf8')}`)
        .catch(async (error: Error) => {
          wrong.push(`${name}: ${error.message}`)
          await client.query('rollback to savepoint one')
        })
    }
    expect(wrong).toEqual([])
    expect((await listCatalog(client)).functions).toEqual(fresh.functions)
  } finally {
    await client.query('rollback')
    client.release()
  }
})
