import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import { readReleases, releaseOf } from './releases.ts'
import type { Release } from './releases.ts'

/**
 * Migrations are the files `NNNN_name.sql` of one folder: plain SQL, forward only, each run once in the order of their
 * numbers and in a transaction of its own, together with the note that it ran.
 *
 * A file whose first line is `-- no transaction` runs statement by statement without one, for what PostgreSQL refuses
 * inside (`CREATE INDEX CONCURRENTLY`). Write such a file so that it can run again after a failure half-way. In it,
 * `create partitioned index NAME on TABLE (…);` makes an index on every partition, one after the other, while rows come in.
 *
 * Functions are files of their own, `functions/WING/NAME.sql`, replaced as a whole: each that the database has not as it
 * stands is run after the migrations. `install function NAME, …;` in a migration runs it there already, as it is now.
 */
export const migrationsFolder = path.join(import.meta.dirname, 'migrations')
export const functionsFolder = path.join(import.meta.dirname, 'functions')

const ours = 7_012_140_101
/** `create partitioned index NAME on TABLE (…)`, in a file without a transaction. */
const partitionedIndex = /^create\s+partitioned\s+index\s+(\w+)\s+on\s+(\w+)\s+([\s\S]+)$/i
/** `install function NAME, NAME`. */
const installation = /^install\s+functions?\s+(\w+(?:\s*,\s*\w+)*)$/i
/** Functions that are gone, but which older migrations still name, lie in the folder of this name: nothing else runs them. */
const GONE = 'gone'
const outsideTransaction = /^--\s*no transaction\s*$/i

export interface MigrateOptions {
  /** Another folder of migrations, for tests; without functions unless `functions` tells their folder. */
  folder?: string
  functions?: string
  /** Releases whose databases are taken over; those of `releases/` unless told. */
  releases?: readonly Release[]
  /** Name of the last migration to run, for a restore; the newest unless told. */
  upTo?: string
  /** Told the name of each migration after it ran. */
  onMigrated?: (name: string) => void
}

/** One statement of a file and where it begins. */
export interface Statement {
  text: string
  /** Offset of the text in the file. */
  start: number
}

/** A migration failed; nothing of its file was kept (save one without a transaction). */
export class MigrationFailed extends Error {
  override name = 'MigrationFailed'
}

/**
 * Splits SQL at the semicolons that end statements: not those in strings, quoted names, dollar quotes, comments, or
 * the body of a `BEGIN ATOMIC … END` function.
 */
export function splitStatements(text: string): Statement[] {
  const token =
    /\b[eE]'(?:\\[\s\S]|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|--[^\n]*|\/\*|;/g
  const statements: Statement[] = []
  let begin = 0
  /** The current statement without comments and strings. */
  let bare = ''
  let from = 0
  const finish = (end: number): void => {
    if (bare.trim()) {
      const blank = /^(?:\s|--[^\n]*(?:\n|$))*/.exec(text.slice(begin, end))?.[0].length ?? 0
      statements.push({ text: text.slice(begin + blank, end), start: begin + blank })
    }
    begin = end + 1
    bare = ''
  }
  for (let match = token.exec(text); match; match = token.exec(text)) {
    bare += text.slice(from, match.index)
    if (match[0] === '/*') {
      // Comments of this kind nest.
      const edge = /\/\*|\*\//g
      edge.lastIndex = token.lastIndex
      let depth = 1
      while (depth > 0) {
        const next = edge.exec(text)
        if (!next) break
        depth += next[0] === '/*' ? 1 : -1
      }
      token.lastIndex = depth === 0 ? edge.lastIndex : text.length
    } else if (match[0] === ';') {
      if (!/\bbegin\s+atomic\b/i.test(bare) || /\bend\s*$/i.test(bare)) finish(match.index)
      else bare += ';'
    } else if (!match[0].startsWith('--')) {
      bare += '?'
    }
    from = token.lastIndex
  }
  bare += text.slice(from)
  finish(text.length)
  return statements
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Says file, line and the server's own words. */
function failure(file: string, text: string, statement: Statement, cause: unknown): MigrationFailed {
  const error = cause as {
    message?: string
    position?: string
    detail?: string
    hint?: string
    where?: string
  }
  const offset = statement.start + (error.position ? Number(error.position) - 1 : 0)
  const line = lineAt(text, offset)
  const words = [error.detail, error.hint, error.where].filter(Boolean).map((part) => `\n  ${part}`)
  const shown = (text.split('\n')[line - 1] ?? '').trim()
  return new MigrationFailed(`${file}:${line}: ${error.message ?? String(cause)}${words.join('')}\n  in: ${shown}`, {
    cause,
  })
}

/**
 * An index on a table in partitions, which PostgreSQL itself makes only while nobody writes: on the table alone, so that
 * coming partitions have it; on each partition concurrently; each then attached. Runs again after a failure half-way.
 */
async function indexPartitions(db: Kysely<unknown>, name: string, table: string, definition: string): Promise<void> {
  await sql.raw(`create index if not exists ${name} on only ${table} ${definition}`).execute(db)
  const { rows } = await sql<{ partition: string }>`
    select c.relname as partition from pg_partition_tree(${table}::regclass) t join pg_class c on c.oid = t.relid
    where t.isleaf and not exists (
      select from pg_index i join pg_inherits h on h.inhrelid = i.indexrelid
      where i.indrelid = t.relid and h.inhparent = ${name}::regclass)
    order by 1`.execute(db)
  for (const { partition } of rows) {
    const own = `${partition}_${name.slice(table.length + 1)}`.slice(0, 63)
    // One that broke off is there and not valid.
    await sql.raw(`drop index concurrently if exists ${own}`).execute(db)
    await sql.raw(`create index concurrently ${own} on ${partition} ${definition}`).execute(db)
    await sql.raw(`alter index ${name} attach partition ${own}`).execute(db)
  }
}

/** A file of `functions/`: a function with its overloads, its comments, and who may execute it. */
interface FunctionFile {
  name: string
  file: string
  text: string
  hash: string
  gone: boolean
}

/** @throws {MigrationFailed} when a file makes another function than its name says, or two make the same */
async function readFunctions(folder: string): Promise<Map<string, FunctionFile>> {
  const found = new Map<string, FunctionFile>()
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.sql')).toSorted()
  const files = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8')
      return {
        name: path.basename(name, '.sql'),
        file: path.join(folder, name),
        text,
        gone: name.split(path.sep)[0] === GONE,
      }
    }),
  )
  for (const one of files) {
    const file = path.relative(process.cwd(), one.file)
    const twin = found.get(one.name)
    if (twin)
      throw new MigrationFailed(`${file}: the function stands in ${path.relative(process.cwd(), twin.file)} already`)
    for (const { text } of splitStatements(one.text)) {
      const bare = text.replace(/^\/\*[^]*?\*\/\s*/, '')
      const made = /^create\s+or\s+replace\s+function\s+(\w+)\s*\(/i.exec(bare)?.[1]
      if (made ? made !== one.name : !/^(?:grant|revoke)\s+execute\s+on\s+function\s/i.test(bare))
        throw new MigrationFailed(
          `${file}: holds nothing but "create or replace function ${one.name}" and who may execute it, not: ${bare.slice(0, 60)}`,
        )
    }
    found.set(one.name, { ...one, hash: createHash('sha256').update(one.text).digest('hex') })
  }
  return found
}

/** Runs the file of a function as it stands, and notes that; its body may name what is not there yet. */
async function install<Tables>(db: Kysely<Tables>, one: FunctionFile): Promise<void> {
  const before = 'set local check_function_bodies = off;\n'
  try {
    // In one string, which is a transaction, also where the migration has none.
    await sql.raw(before + one.text).execute(db)
  } catch (error) {
    const position = (error as { position?: string }).position
    if (position) Object.assign(error as object, { position: String(Number(position) - before.length) })
    const start = position ? 0 : (splitStatements(one.text)[0]?.start ?? 0)
    throw failure(path.relative(process.cwd(), one.file), one.text, { text: one.text, start }, error)
  }
  await sql`insert into function_files (name, hash) values (${one.name}, ${one.hash})
    on conflict (name) do update set hash = excluded.hash, installed_at = now()`.execute(db)
}

/** Hashes of the files that were run, by function; which exist at all is told by the catalog. */
async function installed<Tables>(db: Kysely<Tables>): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; hash: string }>`
    select f.name, f.hash from function_files f
    where exists (select from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname = f.name)`.execute(
    db,
  )
  return new Map(rows.map(({ name, hash }) => [name, hash]))
}

/** Functions with what was computed by them and is stored: columns, indexes, and rows that a check has let in. */
async function computed<Tables>(db: Kysely<Tables>): Promise<Map<string, { definition: string; by: string }>> {
  const { rows } = await sql<{ name: string; definition: string; by: string }>`
    with recursive used as (
      select d.refobjid as function, pg_describe_object(d.classid, d.objid, d.objsubid) as by from pg_depend d
      where d.refclassid = 'pg_proc'::regclass and (d.classid in ('pg_class'::regclass, 'pg_constraint'::regclass)
        -- What only stands in for a value that was not given is not computed again.
        or exists (select from pg_attrdef a join pg_attribute c on c.attrelid = a.adrelid and c.attnum = a.adnum
          where d.classid = 'pg_attrdef'::regclass and a.oid = d.objid and c.attgenerated <> ''))
      union select d.refobjid, u.by from used u join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = u.function
        and d.refclassid = 'pg_proc'::regclass)
    select p.proname as name, string_agg(distinct pg_get_functiondef(p.oid), ' ') as definition,
      (array_agg(u.by order by u.by))[1] as by
    from used u join pg_proc p on p.oid = u.function
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' group by p.proname`.execute(db)
  return new Map(rows.map(({ name, ...rest }) => [name, rest]))
}

/** Runs every file of a function that the database has not as it stands: all, or none. */
async function installFunctions<Tables>(db: Kysely<Tables>, functions: Map<string, FunctionFile>): Promise<void> {
  const there = await installed(db)
  let left = [...functions.values()].filter((one) => !one.gone && there.get(one.name) !== one.hash)
  if (!left.length) return
  await db.transaction().execute(async (tx) => {
    const before = await computed(tx)
    while (left.length) {
      const again: FunctionFile[] = []
      let why: unknown
      for (const one of left) {
        await sql`savepoint one_function`.execute(tx)
        try {
          await install(tx, one)
        } catch (error) {
          await sql`rollback to savepoint one_function`.execute(tx)
          // Stands on another that comes later: a body that PostgreSQL has to understand at once.
          if ((error as { cause?: { code?: string } }).cause?.code !== '42883') throw error
          again.push(one)
          why = error
        }
        await sql`release savepoint one_function`.execute(tx)
      }
      if (again.length === left.length) throw why
      left = again
    }
    const after = await computed(tx)
    for (const [name, { definition, by }] of before)
      if (after.get(name)?.definition !== definition)
        throw new MigrationFailed(
          `The function ${name} has changed, and ${by} stands on it: what is stored was computed by the old one. ` +
            `Write a migration with "install function ${name};" that computes it anew (reindex, or write the rows again).`,
        )
  })
}

interface File {
  name: string
  transaction: boolean
  migration: Migration
}

async function readMigrations(folder: string, functions: Map<string, FunctionFile>): Promise<File[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted()
  const seen = new Map<string, string>()
  for (const name of names) {
    if (!/^\d{4}_[a-z0-9_]+\.sql$/.test(name)) {
      throw new MigrationFailed(`${path.join(folder, name)}: a migration is named NNNN_what_it_does.sql`)
    }
    const twin = seen.get(name.slice(0, 4))
    if (twin) throw new MigrationFailed(`${path.join(folder, name)}: the number is taken by ${twin}`)
    seen.set(name.slice(0, 4), name)
  }
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name)
      const text = await readFile(file, 'utf8')
      return {
        name: name.slice(0, -'.sql'.length),
        transaction: !outsideTransaction.test(text.split('\n', 1)[0] ?? ''),
        migration: {
          async up(db) {
            for (const statement of splitStatements(text)) {
              try {
                const indexed = partitionedIndex.exec(statement.text)
                const wanted = installation.exec(statement.text)?.[1]
                if (wanted)
                  for (const name of wanted.split(/\s*,\s*/)) {
                    const one = functions.get(name)
                    if (!one) throw new Error(`there is no file functions/…/${name}.sql`)
                    await install(db, one)
                  }
                else if (indexed) await indexPartitions(db, indexed[1]!, indexed[2]!, indexed[3]!)
                else await sql.raw(statement.text).execute(db)
              } catch (error) {
                if (error instanceof MigrationFailed) throw error
                throw failure(path.relative(process.cwd(), file), text, statement, error)
              }
            }
          },
        },
      }
    }),
  )
}

/** A database of a release that the baseline was made from: the migrations it has had are noted by their names of today. */
async function takeOver<Tables>(db: Kysely<Tables>, releases: readonly Release[]): Promise<void> {
  const { rows: there } = await sql<{ known: boolean }>`
    select to_regclass('public.kysely_migration') is not null as known`.execute(db)
  if (!there[0]?.known) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration for update`.execute(tx)
    let release: Release | undefined
    try {
      release = releaseOf(
        rows.map(({ name }) => name),
        releases,
      )
    } catch (error) {
      throw new MigrationFailed(`This database cannot be taken over. ${(error as Error).message}`, { cause: error })
    }
    if (!release) return
    // The time stays: that of the newest.
    await sql`with before as (delete from kysely_migration returning "timestamp")
      insert into kysely_migration (name, "timestamp")
      select name, (select max("timestamp") from before) from unnest(${release.baseline}::text[]) name`.execute(tx)
  })
}

/**
 * Brings the database to the newest migration and the functions that stand in files and returns the names of those that ran now. Many processes may call it
 * at once: one migrates, the others wait and then find nothing to do.
 *
 * @throws {MigrationFailed} naming file and line; also when files are missing, renamed, or slipped in before one that
 * has already run
 */
export async function migrate<Tables>(db: Kysely<Tables>, options: MigrateOptions = {}): Promise<string[]> {
  const folder = options.functions ?? (options.folder ? undefined : functionsFolder)
  const functions = folder ? await readFunctions(folder) : new Map<string, FunctionFile>()
  const files = await readMigrations(options.folder ?? migrationsFolder, functions)
  const releases = options.releases ?? (options.folder ? [] : await readReleases())
  return db.connection().execute(async (connection) => {
    // Asked again and again instead of waiting inside PostgreSQL: a waiting statement holds a snapshot, and a
    // CREATE INDEX CONCURRENTLY of the process that migrates would wait for it for ever.
    const lock = sql<{ taken: boolean }>`select pg_try_advisory_lock(${sql.lit(ours)}) as taken`
    while (!(await lock.execute(connection)).rows[0]?.taken) await sleep(100)
    try {
      const ran: string[] = []
      await takeOver(connection, releases)
      if (folder)
        await sql`create table if not exists function_files (
          name text primary key, hash text not null, installed_at timestamptz not null default now())`.execute(
          connection,
        )
      const migrator = (disableTransactions: boolean): Migrator =>
        new Migrator({
          db: connection,
          provider: {
            getMigrations: async () => Object.fromEntries(files.map((file) => [file.name, file.migration])),
          },
          nameComparator: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
          disableTransactions,
        })
      for (;;) {
        const pending = (await migrator(false).getMigrations()).find((migration) => !migration.executedAt)
        const file = files.find(({ name }) => name === pending?.name)
        if (file && options.upTo !== undefined && file.name > options.upTo) return ran
        // Also with nothing pending: Kysely then checks that what ran is still what the folder holds.
        const { error, results } = await migrator(file ? !file.transaction : false).migrateUp()
        if (error instanceof MigrationFailed) throw error
        if (error)
          throw new MigrationFailed(error instanceof Error ? error.message : String(error), {
            cause: error,
          })
        if (!results?.length) break
        for (const { migrationName } of results) {
          ran.push(migrationName)
          options.onMigrated?.(migrationName)
        }
      }
      // A restore goes on from where it asked to be brought, and then comes here without `upTo`.
      if (folder && options.upTo === undefined) await installFunctions(connection, functions)
      return ran
    } finally {
      await sql`select pg_advisory_unlock(${sql.lit(ours)})`.execute(connection)
    }
  })
}

/** Names of the migrations of this program that the database has not had yet. */
export async function pendingMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const [names, { rows }] = await Promise.all([
    readdir(migrationsFolder),
    sql<{ name: string }>`select name from kysely_migration`.execute(db),
  ])
  const ran = new Set(rows.map(({ name }) => name))
  return names
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -'.sql'.length))
    .filter((name) => !ran.has(name))
}
