import { hash } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import type { Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './schema.ts'

/** The typed database. Ending it (`db.destroy()`) ends its pool as well: do one or the other, not both. */
export type Db = Kysely<DB>

/** A transaction, as `db.transaction().execute(async (tx) => …)` passes it. */
export type Tx = Transaction<DB>

/** A PostgreSQL connection: a URL (`postgresql://…`, also with `?host=/socket/folder`) or its parts. */
export type Connection = string | Pick<pg.ClientConfig, 'host' | 'port' | 'user' | 'password' | 'database' | 'ssl'>

export interface PoolOptions {
  /** Most connections this process holds at once; 10 unless told. */
  max?: number
  /** Shown in `pg_stat_activity`, so that an administrator sees which process asks. */
  applicationName?: string
  /** Milliseconds after which the server cancels a statement; no limit unless told. */
  statementTimeout?: number
  /** Milliseconds to wait for a free connection before the query fails; no limit unless told. */
  acquireTimeout?: number
  /** Told when a connection that nobody was using breaks (a restarted database, say). The pool replaces it. */
  onIdleError?: (error: Error) => void
}

const asText = (text: string): string => text

/**
 * An instant as PostgreSQL writes it (ISO date style) to ISO 8601 in UTC: milliseconds, or microseconds where the
 * stored value has them, so that a value read can be compared with the stored one without loss.
 */
export function parseInstant(text: string): string {
  const parts = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?([+-]\d\d)(?::?(\d\d))?(?::?(\d\d))?$/.exec(text)
  // 'infinity', '-infinity' and years BC have no ISO 8601 form: they stay as they are.
  if (!parts) return text
  const fraction = (parts[3] ?? '').padEnd((parts[3] ?? '').length > 3 ? 6 : 3, '0')
  if (parts[4] === '+00' && !Number(parts[5] ?? 0)) return `${parts[1]}T${parts[2]}.${fraction}Z`
  const sign = parts[4]?.startsWith('-') ? -1 : 1
  const offset = sign * (Math.abs(Number(parts[4])) * 3600 + Number(parts[5] ?? 0) * 60 + Number(parts[6] ?? 0))
  const utc = new Date(Date.parse(`${parts[1]}T${parts[2]}Z`) - offset * 1000)
  return `${utc.toISOString().slice(0, -5)}.${fraction}Z`
}

const elements = pg.types.getTypeParser(1009 as never, 'text') as (text: string) => (string | null)[]
const eachElement = (parse: (text: string) => unknown) => (text: string) =>
  elements(text).map((value) => (value === null ? null : parse(value)))

/**
 * What a column becomes in JavaScript, by type id:
 * - `bigint` (20): decimal string, because a 64-bit flag does not fit a number. Only flags are `bigint`; ids are
 *   `integer`, and counts are cast (`count(*)::int`). Inside `json_agg` and the like cast a flag to text, because
 *   JSON would carry it as a number.
 * - `numeric` (1700): string, exactly as stored. `date` (1082): 'YYYY-MM-DD'. `time` (1083): 'HH:MM:SS'.
 * - `timestamptz` (1184): ISO 8601 in UTC. `timestamp` (1114): the same without a zone. `interval` (1186): text.
 * - `json` and `jsonb` are parsed, `bytea` is a Buffer, the rest as `pg` does it.
 * Arrays of these follow their elements.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [20, asText],
  [1016, eachElement(asText)],
  [1700, asText],
  [1231, eachElement(asText)],
  [1082, asText],
  [1182, eachElement(asText)],
  [1114, (text) => text.replace(' ', 'T')],
  [1115, eachElement((text) => text.replace(' ', 'T'))],
  [1184, parseInstant],
  [1185, eachElement(parseInstant)],
  [1186, asText],
  [1187, eachElement(asText)],
])

const types: pg.CustomTypesConfig = {
  getTypeParser: ((id: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(id)) || pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
}

/** Begins the text of a statement that each connection shall parse and plan once; see {@link query}. */
export const PREPARED = '/*prepared*/'
const preparedNames = new Map<string, string>()
function nameOf(text: string): string {
  let name = preparedNames.get(text)
  if (!name) preparedNames.set(text, (name = `p_${hash('sha256', text, 'base64url')}`))
  return name
}

/**
 * Prepares statements whose text begins with {@link PREPARED}, whoever sends them (Kysely knows no names).
 *
 * A connection that breaks between two statements of whoever holds it (a transaction) tells nobody but its listeners,
 * and without one Node ends the process: the next statement on it fails, and that is where it is heard.
 */
class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => {})
  }

  override query(...[statement, values, ...rest]: unknown[]): never {
    const send = super.query as (...args: unknown[]) => never
    return typeof statement === 'string' && statement.startsWith(PREPARED)
      ? send.call(this, { name: nameOf(statement), text: statement, values }, ...rest)
      : send.call(this, statement, values, ...rest)
  }
}

/**
 * A pool of connections with the parsers above, in UTC and ISO date style whatever the server's own settings.
 * End it with `pool.end()`, or with `db.destroy()` once a {@link createDb} stands on it.
 */
export function createPool(connection: Connection, options: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    Client,
    ...(typeof connection === 'string' ? { connectionString: connection } : connection),
    max: options.max ?? 10,
    application_name: options.applicationName ?? 'university-ems',
    options: '-c TimeZone=UTC -c DateStyle=ISO,YMD -c IntervalStyle=iso_8601',
    ...(options.statementTimeout ? { statement_timeout: options.statementTimeout } : {}),
    ...(options.acquireTimeout ? { connectionTimeoutMillis: options.acquireTimeout } : {}),
    keepAlive: true,
    types,
  })
  // Without a listener Node ends the process when an idle connection breaks; the pool has already dropped it.
  pool.on('error', (error) => options.onIdleError?.(error))
  return pool
}

/** The typed query builder on a pool. It owns the pool from now on: `db.destroy()` ends both. */
export function createDb(pool: pg.Pool): Db {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/**
 * Runs a named prepared statement: each connection parses and plans the text once and reuses it by name. For the hot
 * paths (sign-in, permission, seat taking). A name belongs to one text for ever; at most 63 bytes.
 */
export async function query<Row extends pg.QueryResultRow>(
  pool: pg.Pool | pg.PoolClient,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await pool.query<Row>({ name, text, values: [...values] })
  return result.rows
}
