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
let release: Release & { postgres: number; catalog: Record<string, string> }
/** As a fresh database is. */
let fresh: Catalog

beforeAll(async () => {
  database = await createTestDatabase()
  ;[release] = (await readReleases()) as [typeof release]
  // As before anything ran, and without what the program's role was given.
  await database.pool.query('drop schema public cascade; create schema public')
}, 60_000)
afterAll(() => database?.drop())

const digest = (lines: readonly string[]): string => createHash('sha256').update(lines.join('\n')).digest('hex')

test('the baseline is the schema of the release that it was made from', async () => {
  await migrate(database.db, { upTo: release.baseline.at(-1)! })
  const { functions: _, ...made } = await listCatalog(database.pool)
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
  const noted = (await database.pool.query('select name, hash from function_files order by 1')).rows
  // As the release left it: its own names, a function that has changed since, and no notes of files.
  await database.pool.query('delete from kysely_migration')
  await database.pool.query(
    `insert into kysely_migration (name, "timestamp") select name, '2026-11-20T08:00:00.000Z' from unnest($1::text[]) name`,
    [release.migrations],
  )
  await database.pool.query(`drop table function_files;
    create or replace function touch_version() returns trigger language plpgsql as $$ begin return new; end $$`)
  expect((await listCatalog(database.pool)).functions).not.toEqual(fresh.functions)

  const ran = await migrate(database.db)
  expect(ran).toEqual((await namesOf(migrationsFolder)).filter((name) => !release.baseline.includes(name)))
  const taken = await listCatalog(database.pool)
  for (const kind of Object.keys(fresh) as (keyof Catalog)[]) expect(taken[kind], kind).toEqual(fresh[kind])
  expect((await database.pool.query('select name, hash from function_files order by 1')).rows).toEqual(noted)
  const { rows } = await database.pool.query<{ name: string; timestamp: string }>(
    'select name, "timestamp" from kysely_migration order by 1',
  )
  expect(rows.slice(0, release.baseline.length)).toEqual(
    release.baseline.map((name) => ({ name, timestamp: '2026-11-20T08:00:00.000Z' })),
  )
  expect(await migrate(database.db)).toEqual([])
}, 60_000)

const namesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).map((name) => path.basename(name, '.sql')).toSorted()

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
