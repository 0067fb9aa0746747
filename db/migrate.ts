import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'

/**
 * Migrations are the files `NNNN_name.sql` of one folder: plain SQL, forward only, each run once in the order of their
 * numbers and in a transaction of its own, together with the note that it ran.
 *
 * A file whose first line is `-- no transaction` runs statement by statement without one, for what PostgreSQL refuses
 * inside (`CREATE INDEX CONCURRENTLY`). Write such a file so that it can run again after a failure half-way. In it,
 * `create partitioned index NAME on TABLE (…);` makes an index on every partition, one after the other, while rows come in.
 */
export const migrationsFolder = path.join(import.meta.dirname, 'migrations')

const ours = 7_012_140_101
/** `create partitioned index NAME on TABLE (…)`, in a file without a transaction. */
const partitionedIndex = /^create\s+partitioned\s+index\s+(\w+)\s+on\s+(\w+)\s+([\s\S]+)$/i
const outsideTransaction = /^--\s*no transaction\s*$/i

export interface MigrateOptions {
  /** Another folder of migrations, for tests. */
  folder?: string
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

interface File {
  name: string
  transaction: boolean
  migration: Migration
}

async function readMigrations(folder: string): Promise<File[]> {
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
                if (indexed) await indexPartitions(db, indexed[1]!, indexed[2]!, indexed[3]!)
                else await sql.raw(statement.text).execute(db)
              } catch (error) {
                throw failure(path.relative(process.cwd(), file), text, statement, error)
              }
            }
          },
        },
      }
    }),
  )
}

/**
 * Brings the database to the newest migration and returns the names of those that ran now. Many processes may call it
 * at once: one migrates, the others wait and then find nothing to do.
 *
 * @throws {MigrationFailed} naming file and line; also when files are missing, renamed, or slipped in before one that
 * has already run
 */
export async function migrate<Tables>(db: Kysely<Tables>, options: MigrateOptions = {}): Promise<string[]> {
  const files = await readMigrations(options.folder ?? migrationsFolder)
  return db.connection().execute(async (connection) => {
    // Asked again and again instead of waiting inside PostgreSQL: a waiting statement holds a snapshot, and a
    // CREATE INDEX CONCURRENTLY of the process that migrates would wait for it for ever.
    const lock = sql<{ taken: boolean }>`select pg_try_advisory_lock(${sql.lit(ours)}) as taken`
    while (!(await lock.execute(connection)).rows[0]?.taken) await sleep(100)
    try {
      const ran: string[] = []
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
        if (!results?.length) return ran
        for (const { migrationName } of results) {
          ran.push(migrationName)
          options.onMigrated?.(migrationName)
        }
      }
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
