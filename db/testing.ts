import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { createConnection } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { createDb, createPool } from './connect.ts'
import type { Db } from './connect.ts'
import { startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { installQueue } from './queue.ts'
import { admitProgram, withRole } from './roles.ts'

/** Where the server of this run is: the address that {@link testServerVariable} holds answers with it. */
export interface TestServer {
  /** A superuser's URL of the server. */
  url: string
  /** The migrated database that test databases are copies of. */
  template: string
  /** The same server for the role of the program, which only reads and writes rows; see `db/roles.ts`. */
  programUrl: string
}

/** Environment variable with the address (socket or pipe) at which the run's test server is asked for. */
export const testServerVariable = 'EMS_TEST_SERVER'

/** A database of one test file, with every migration and nothing else. */
export interface TestDatabase {
  /** Of the owner, who may do everything: for what a test arranges and looks at. */
  pool: pg.Pool
  db: Db
  /** Of the program's role: for the code that is tested. */
  program: { pool: pg.Pool; db: Db }
  /** Of the program's role, for what connects by itself: a server process, the queue. */
  url: string
  ownerUrl: string
  name: string
  /** Ends the pools and deletes the database. */
  drop: () => Promise<void>
}

/**
 * A new folder among the system's temporary ones for an embedded server. Everyone may pass through it, as through a
 * folder that a user made: otherwise, run by root, the server's account could not reach its data there, which would be
 * kept under `/var/lib` and stay when the folder is deleted.
 */
export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `ems-${purpose}-`))
  chmodSync(folder, 0o755)
  return folder
}

/** The same URL with another database. Not by `URL`, which refuses the empty host of a socket's address. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${encodeURIComponent(database)}`)
}

async function administer(url: string, ...statements: string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const results: pg.QueryResult[] = []
    for (const statement of statements) results.push(await client.query(statement))
    return results
  } finally {
    await client.end()
  }
}

/**
 * One server and one migrated template for a whole run: a fresh embedded server in memory, or the one of
 * `DATABASE_URL` (PostgreSQL 15 or later, a superuser), where `stop` deletes every database it made.
 * Vitest's global setup calls this; elsewhere (a benchmark) call it yourself.
 */
export async function startTestServer(): Promise<TestServer & { stop: () => Promise<void> }> {
  const external = process.env.DATABASE_URL
  const embedded = external ? undefined : await startEmbedded({ folder: '.data/test', test: true })
  const url = external ?? (embedded as NonNullable<typeof embedded>).url
  const template = `ems_test_${randomBytes(5).toString('hex')}`
  const role = `${template}_program`
  const programUrl = withRole(url, role, embedded ? undefined : randomBytes(12).toString('hex'))
  const stop = async (): Promise<void> => {
    if (embedded) return embedded.stop()
    const [found] = await administer(url, `select datname from pg_database where starts_with(datname, '${template}')`)
    for (const { datname } of found?.rows ?? [])
      await administer(url, `drop database if exists "${datname}" with (force)`)
    await administer(url, `drop role if exists ${role}`)
  }
  try {
    await administer(
      url,
      // The embedded server's own settings, whatever the external one was made with.
      `create database ${template} template template0 ${external ? `encoding 'UTF8' lc_collate 'C' lc_ctype 'C.UTF-8' locale_provider icu icu_locale 'und'` : ''}`,
    )
    const own = withDatabase(url, template)
    const db = createDb(createPool(own, { max: 2 }))
    try {
      await migrate(db)
      await installQueue(own)
      await admitProgram(db, programUrl)
      // Tables that a test makes for itself are the program's to work with, without more ado.
      await sql
        .raw(`alter default privileges in schema public grant select, insert, update, delete on tables to ${role}`)
        .execute(db)
      await sql`analyze`.execute(db)
    } finally {
      await db.destroy()
    }
    return { url, template, programUrl, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

let asked: Promise<TestServer> | undefined

/** The server of this run, started by the first who asks. */
export function testServer(): Promise<TestServer> {
  asked ??= (async () => {
    const address = process.env[testServerVariable]
    if (!address) throw new Error('No test server: run this by Vitest, whose global setup is db/testing.setup.ts')
    const answer = JSON.parse(await text(createConnection(address))) as TestServer | { error: string }
    if ('error' in answer) throw new Error(answer.error)
    return answer
  })()
  return asked
}

/**
 * A database of your own, a copy of the migrated template (about 30 ms). Make it in `beforeAll`, drop it in `afterAll`.
 * @param server needed only outside Vitest: what {@link startTestServer} gave
 */
export async function createTestDatabase(server?: TestServer): Promise<TestDatabase> {
  const { url, template, programUrl } = server ?? (await testServer())
  const name = `${template}_${randomBytes(5).toString('hex')}`
  // In memory a plain copy of the files takes a third of the time; on a disk it would wait for two checkpoints.
  const strategy = process.env.DATABASE_URL ? '' : ' strategy file_copy'
  await administer(url, `create database ${name} template ${template}${strategy}`)
  const ownerUrl = withDatabase(url, name)
  const own = withDatabase(programUrl, name)
  const open = (connection: string, settings?: Readonly<Record<string, string>>) => {
    const pool = createPool(connection, { applicationName: name, ...(settings && { settings }) })
    return { pool, db: createDb(pool) }
  }
  // What a test writes by itself is a record as it stands, whatever control has done; the server's own pool is bound.
  const { pool, db } = open(ownerUrl, { 'ems.authority': 'load' })
  const program = open(own, { lock_timeout: '4000' })
  return {
    pool,
    db,
    program,
    url: own,
    ownerUrl,
    name,
    async drop() {
      await program.db.destroy()
      await db.destroy()
      await administer(url, `drop database if exists ${name} with (force)`)
    },
  }
}

/**
 * Deletes every row of the schema `public`, between tests; DELETE, because it costs nothing on empty tables where
 * TRUNCATE costs milliseconds on each. Foreign keys and triggers sleep meanwhile, so the order does not matter.
 * Sequences go on: a test must not rely on an id.
 * @param except tables that keep their rows (reference data); what they refer to must then stay as well
 */
export async function emptyTables<Tables>(db: Kysely<Tables>, except: readonly string[] = []): Promise<void> {
  // The version of what processes keep goes on counting.
  const kept = ['kysely_migration', 'kysely_migration_lock', 'function_files', 'registration_reference', ...except]
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql
      .raw(
        `do $$ declare one regclass; begin
          for one in select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
            and not relispartition and relname <> all (array[${kept.map((name) => pg.escapeLiteral(name)).join(', ')}])
          loop execute format('delete from %s', one); end loop;
        end $$`,
      )
      .execute(tx)
  })
}
