import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { createDb, createPool } from '#db/connect.ts'
import { copyIn } from '#db/copy.ts'
import { migrate } from '#db/migrate.ts'
import { installQueue } from '#db/queue.ts'
import { BetweenReleases, namesOfToday, readReleases } from '#db/releases.ts'
import { admitProgram } from '#db/roles.ts'
import type { Storage } from '#kit/server/storage/index.ts'
import type { Databases } from '../assemble.ts'
import { MANIFEST, TABLES, manifest } from './archive.ts'
import type { Manifest } from './archive.ts'
import { readTar } from './tar.ts'
import type { Entry } from './tar.ts'

/** The archive cannot be restored, or not here; nothing was changed. The message says why. */
export class RestoreRefused extends Error {
  override name = 'RestoreRefused'
}

async function* entriesOf(file: string): AsyncGenerator<Entry> {
  const unpacked = createGunzip()
  // What fails on either side is thrown where it is read.
  pipeline(createReadStream(file), unpacked, () => {})
  yield* readTar(unpacked as AsyncIterable<Buffer>)
}

/** Reads the archive from its first byte to its last. @throws {RestoreRefused} when anything is missing or changed */
export async function checkArchive(file: string): Promise<Manifest> {
  const found: Record<string, string> = {}
  let text: string | undefined
  const parts: Buffer[] = []
  try {
    for await (const { name, content } of entriesOf(file)) {
      const digest = createHash('sha256')
      for await (const chunk of content) {
        digest.update(chunk)
        if (name === MANIFEST) parts.push(chunk)
      }
      if (name === MANIFEST) text = Buffer.concat(parts).toString()
      else found[name] = digest.digest('hex')
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new RestoreRefused(
      code === 'ENOENT' ? `There is no file ${file}.` : `${file} is no whole backup: ${message}`,
      { cause: error },
    )
  }
  const parsed = text === undefined ? undefined : manifest.safeParse(JSON.parse(text))
  if (!parsed?.success) throw new RestoreRefused(`${file} is no backup that this program can read.`)
  const { entries } = parsed.data
  const names = new Set([...Object.keys(entries), ...Object.keys(found)])
  for (const name of names)
    if (entries[name] !== found[name]) throw new RestoreRefused(`${file} is damaged: ${name} is not as it was written.`)
  return parsed.data
}

/**
 * Brings an archive back into an empty database and a file store: checked as a whole before, then all rows in one
 * transaction, with every rule of the database checked again. Everybody has to sign in anew.
 *
 * @throws {RestoreRefused} before anything is changed
 */
export async function restore(
  databases: Databases,
  storage: Storage,
  file: string,
  onStep: (text: string) => void = () => {},
): Promise<Manifest> {
  const told = await checkArchive(file)
  const ran = await ranOfToday(told)
  onStep(`checked: ${told.at}, ${Object.keys(told.entries).length} entries`)
  const url = databases.owner ?? databases.program
  const db = createDb(createPool(url, { max: 2, applicationName: 'university-ems restore' }))
  try {
    await refuseUnlessEmpty(db, ran)
    // To the state the archive is of; the newer migrations then run on its rows, as they would have.
    await migrate(db, { upTo: ran.at(-1) ?? '' })
    await installQueue(url)
    await load(url, storage, file, told)
    onStep(`${told.tables.reduce((total, t) => total + t.rows, 0)} rows, ${told.files.count} stored files`)
    await migrate(db)
    await admitProgram(db, databases.program)
    await sql`analyze`.execute(db)
    return told
  } finally {
    await db.destroy()
  }
}

/** The migrations that the archive's database had had, by the names they have today. */
async function ranOfToday(told: Manifest): Promise<readonly string[]> {
  try {
    return namesOfToday(told.migrations, await readReleases())
  } catch (error) {
    if (!(error instanceof BetweenReleases)) throw error
    throw new RestoreRefused(
      `The backup is of version ${told.version}. ${error.message} A backup is brought back by that version, into a new database.`,
      { cause: error },
    )
  }
}

async function refuseUnlessEmpty(db: ReturnType<typeof createDb>, known: readonly string[]): Promise<void> {
  const { rows: users } = await sql<{
    there: boolean
  }>`select to_regclass('public.users') is not null as there`.execute(db)
  if (!users[0]?.there) return
  const { rows } = await sql<{
    empty: boolean
  }>`select not exists (select from users) and not exists (select from students)
    and not exists (select from audit_log where table_name in ('users', 'students')) as empty`.execute(db)
  if (!rows[0]?.empty) throw new RestoreRefused('The database is not empty: restore into a new one.')
  const { rows: ran } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const newer = ran.filter(({ name }) => !known.includes(name))
  if (newer.length)
    throw new RestoreRefused(
      `The database has had migrations that the backup does not know (${newer[0]!.name}): restore into a new one, which is then migrated.`,
    )
}

/** All rows in one transaction, without what the triggers would do: the rows are the result of that already. */
async function load(url: string, storage: Storage, file: string, told: Manifest): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'university-ems restore' })
  client.on('error', () => {})
  await client.connect()
  try {
    const ask = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> =>
      (await client.query<Row>(text)).rows
    await client.query('begin')
    await client.query(`set local datestyle = 'ISO, YMD'; set local timezone = 'UTC'; set local statement_timeout = 0;
      set local intervalstyle = iso_8601`)
    const here = await ask<{ name: string; columns: string[] }>(TABLES)
    for (const { name, columns } of told.tables) {
      const known = here.find((t) => t.name === name)?.columns ?? []
      const unknown = columns.filter((c) => !known.includes(c))
      if (unknown.length)
        throw new RestoreRefused(`The backup has columns that ${name} has not: ${unknown.join(', ')}.`)
    }
    const keys = await ask<{ table: string; name: string; definition: string }>(
      `select format('%I.%I', n.nspname, t.relname) as table, quote_ident(c.conname) as name, pg_get_constraintdef(c.oid) as definition
       from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
       where c.contype = 'f' and c.conparentid = 0 and n.nspname in ('public', 'pgboss')`,
    )
    for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
    const all = here.map(({ name }) => name)
    // Those of its parts too, which a table does not pass on.
    const parts = await ask<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'pgboss')`,
    )
    for (const { name } of parts) await client.query(`alter table ${name} disable trigger user`)
    // A fresh database holds a few rows of its own, which the backup holds too.
    await client.query(`truncate ${all.join(', ')}`)

    const counted = new Map<string, number>()
    const byFolder = new Map(told.tables.map((t) => [t.name.replaceAll('"', ''), t]))
    for await (const { name, content } of entriesOf(file)) {
      const [kind, which = ''] = name.split('/')
      const table = kind === 'tables' ? byFolder.get(which) : undefined
      if (table) {
        const columns = table.columns.map((c) => pg.escapeIdentifier(c)).join(', ')
        const rows = await copyIn(client, `copy ${table.name} (${columns}) from stdin`, content)
        counted.set(table.name, (counted.get(table.name) ?? 0) + rows)
      } else if (kind === 'files') {
        const { hash } = await storage.put(content)
        if (hash !== which) throw new RestoreRefused(`The stored file ${which} is damaged.`)
      } else for await (const _ of content);
    }
    for (const { name, rows } of told.tables)
      if ((counted.get(name) ?? 0) !== rows)
        throw new RestoreRefused(`${name}: ${counted.get(name) ?? 0} rows instead of ${rows}.`)
    for (const { name, last, called } of told.sequences)
      await client.query(
        `select setval('${name.replaceAll("'", "''")}', ${last}, ${called}) where to_regclass('${name.replaceAll("'", "''")}') is not null`,
      )

    for (const { name } of parts) await client.query(`alter table ${name} enable trigger user`)
    for (const { table, name, definition } of keys)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`)
    await client.query('commit')
  } finally {
    await client.end().catch(() => {})
  }
}
