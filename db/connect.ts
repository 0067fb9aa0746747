import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, Kysely, PostgresDialect, PostgresDriver, PostgresIntrospector, sql } from 'kysely'
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from 'kysely/migration'
import type {
  DatabaseConnection,
  DatabaseIntrospector,
  DatabaseMetadataOptions,
  TableMetadata,
  Transaction,
  TransactionSettings,
} from 'kysely'
import pg from 'pg'

/**
 * The database. Statements are written in SQL (`sql` of Kysely) with the type of their rows; `npm test` holds every type against
 * what the statement answered (`tests/rows`). Ending it (`db.destroy()`) ends its pool as well: do one or the other, not both.
 */
export type Db = Kysely<unknown>

/** A transaction, as `db.transaction().execute(async (tx) => …)` passes it. */
export type Tx = Transaction<unknown>

/** What statements with a name are sent to (`query`): a pool, or one of its connections. */
export type Queryable = pg.Pool | pg.PoolClient

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
  /** Statements are prepared on their connection; true unless told. Poolers that change connections lose them. */
  prepare?: boolean
  /** Settings of every connection, by name. */
  settings?: Readonly<Record<string, string>>
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

/** Texts of statements that this process remembers; the one not used for longest is forgotten first. */
const MOST_TEXTS = 2000
/** Statements that a connection keeps prepared. Each holds a plan in the memory of its server process. */
const MOST_PREPARED = 200
/** Values from which on a statement is planned for them: what it costs lies in the rows, and their number matters. */
const LONG_LIST = 1000
const LONG_TEXT = 100_000

/** Text of a statement → the name under which connections prepare it; null after its first use. */
const names = new Map<string, string | null>()
let named = 0

/** The name of a statement; undefined for the first use of a text, so that what is built once is not kept. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  const name = known ?? (known === null ? `s${++named}` : undefined)
  names.delete(text)
  names.set(text, name ?? null)
  if (names.size > MOST_TEXTS) for (const oldest of names.keys()) return (names.delete(oldest), name)
  return name
}

const isBulk = (values: readonly unknown[]): boolean =>
  values.some((value) => (Array.isArray(value) ? value.length > LONG_LIST : isLongText(value)))
const isLongText = (value: unknown): boolean => typeof value === 'string' && value.length > LONG_TEXT

/** Whether what a connection has prepared is gone or no longer fits the tables: a migration ran, or a pooler is between. */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = (error ?? {}) as { code?: string; routine?: string }
  return code === '26000' || (code === '0A000' && routine === 'RevalidateCachedQuery')
}

/** What `pg` keeps of the statements that a connection has prepared; its types leave it out. */
interface Wire {
  readonly parsedStatements: Record<string, string>
  close(what: { type: 'S'; name: string }): void
}
type Answered = (error: Error | null | undefined, result?: unknown) => void

/**
 * Prepares every statement that comes with values, whoever sends it (Kysely knows no names): parsed and planned once for
 * each connection, which for most statements is more work than running them. Values never stand in a text, so texts
 * repeat. PostgreSQL itself goes on planning for the values where that is the better plan.
 *
 * A connection that breaks between two statements of whoever holds it (a transaction) tells nobody but its listeners,
 * and without one Node ends the process: the next statement on it fails, and that is where it is heard.
 */
class Client extends pg.Client {
  private readonly prepares: boolean
  /** Names in use on this connection, the last used last. */
  private readonly kept = new Set<string>()

  constructor(config?: pg.ClientConfig & { prepare?: boolean }) {
    super(config)
    this.prepares = config?.prepare ?? true
    this.on('error', () => {})
  }

  override query(...given: unknown[]): never {
    const [statement, values, callback] = given as [unknown, unknown, Answered | undefined]
    const send = super.query.bind(this) as (...args: unknown[]) => never
    const asked = this.prepares ? preparable(statement, values) : unprepared(statement)
    if (!asked) return send(...given)
    if (!asked.name) return send(asked, callback)
    const { name } = asked
    this.keep(name)
    // Outside a transaction nothing is lost: the statement is prepared again and runs.
    const again = (error: unknown): boolean => {
      if (!isStalePlan(error)) return false
      this.forget(name)
      return this.getTransactionStatus() === 'I'
    }
    if (callback) {
      return send(asked, (error: Error | null, result: unknown) =>
        again(error) ? send(asked, callback) : callback(error, result),
      )
    }
    return (send(asked) as Promise<unknown>).catch((error: unknown) => {
      if (again(error)) return send(asked)
      throw error
    }) as never
  }

  private get wire(): Wire {
    return (this as unknown as { connection: Wire }).connection
  }
  private keep(name: string): void {
    this.kept.delete(name)
    this.kept.add(name)
    if (this.kept.size <= MOST_PREPARED) return
    const [oldest] = this.kept
    if (oldest) this.forget(oldest)
  }
  private forget(name: string): void {
    this.kept.delete(name)
    if (!(name in this.wire.parsedStatements)) return
    delete this.wire.parsedStatements[name]
    this.wire.close({ type: 'S', name })
  }
}

/** A statement as it is sent under a name; undefined for what is sent as it was given. */
function preparable(statement: unknown, values: unknown): pg.QueryConfig | undefined {
  if (typeof statement === 'string') {
    // Without values it may be several statements in one text, which cannot be prepared.
    if (!Array.isArray(values) || !values.length || isBulk(values)) return undefined
    const name = nameOf(statement)
    return name ? { name, text: statement, values } : undefined
  }
  const config = statement as pg.QueryConfig | undefined
  return config?.name && typeof config.text === 'string' ? config : undefined
}
/** A statement without the name it was given; undefined where it has none. */
function unprepared(statement: unknown): pg.QueryConfig | undefined {
  const config = statement as pg.QueryConfig | undefined
  return config?.name && typeof config.text === 'string' ? { text: config.text, values: config.values } : undefined
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
    options: Object.entries({ TimeZone: 'UTC', DateStyle: 'ISO,YMD', IntervalStyle: 'iso_8601', ...options.settings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    ...(options.prepare === false ? { prepare: false } : {}),
    ...(options.statementTimeout ? { statement_timeout: options.statementTimeout } : {}),
    ...(options.acquireTimeout ? { connectionTimeoutMillis: options.acquireTimeout } : {}),
    keepAlive: true,
    types,
  })
  // Without a listener Node ends the process when an idle connection breaks; the pool has already dropped it.
  pool.on('error', (error) => options.onIdleError?.(error))
  return pool
}

/** What the next transaction begins with, in the message that begins it, and on which connection it runs. */
interface Opening {
  statement: string | null
  client: pg.PoolClient | null
}
const opening = new AsyncLocalStorage<Opening>()

/**
 * Runs work in a transaction that begins with a statement, at no round trip of its own. The text holds no parameters.
 * `client` is the connection of the transaction, for statements that are sent past the query builder.
 */
export const transaction = <T>(
  db: Db,
  statement: string,
  work: (tx: Tx, client: pg.PoolClient) => Promise<T>,
): Promise<T> => {
  const own: Opening = { statement, client: null }
  return opening.run(own, () => db.transaction().execute((tx) => work(tx, own.client as pg.PoolClient)))
}

/** Connections of the query builder, and what the driver knows them as. */
const clients = new WeakMap<DatabaseConnection, pg.PoolClient>()
const acquiring = new AsyncLocalStorage<{ client?: pg.PoolClient }>()

/** The connection of a transaction, for what the query builder does not know, as COPY is. */
export const clientOf = (tx: Pick<Tx, 'getExecutor'>): Promise<pg.PoolClient> =>
  tx.getExecutor().provideConnection(async (connection) => {
    const client = clients.get(connection)
    if (!client) throw new Error('a connection that this module did not make')
    return client
  })

class Driver extends PostgresDriver {
  override async acquireConnection(): Promise<DatabaseConnection> {
    const own: { client?: pg.PoolClient } = {}
    const connection = await acquiring.run(own, () => super.acquireConnection())
    if (own.client) clients.set(connection, own.client)
    return connection
  }
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const first = opening.getStore()
    const statement = first?.statement
    if (!first || !statement) return super.beginTransaction(connection, settings)
    first.statement = null
    await connection.executeQuery(CompiledQuery.raw(`begin; ${statement}`))
  }
}
/**
 * Kysely's migrator asks several times per migration whether its own two tables are there, and reads every column of the
 * database to know it: 0.06 s each time, half a minute of a first start on a busy machine. It is told just that.
 */
class Introspector extends PostgresIntrospector {
  private readonly own: Kysely<unknown>
  constructor(db: Kysely<unknown>) {
    super(db)
    this.own = db
  }
  override async getTables(options?: DatabaseMetadataOptions): Promise<TableMetadata[]> {
    if (!options?.withInternalKyselyTables) return super.getTables(options)
    const { rows } = await sql<{ name: string; schema: string }>`
      select c.relname as name, n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and c.relname in (${DEFAULT_MIGRATION_TABLE}, ${DEFAULT_MIGRATION_LOCK_TABLE})`.execute(
      this.own,
    )
    return rows.map((row) => ({ ...row, isView: false, isForeign: false, columns: [] }))
  }
}
class Dialect extends PostgresDialect {
  private readonly pool: pg.Pool
  constructor(pool: pg.Pool) {
    super({ pool })
    this.pool = pool
  }
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new Introspector(db)
  }
  override createDriver(): Driver {
    const { pool } = this
    return new Driver({
      pool: {
        options: pool.options,
        end: () => pool.end(),
        async connect() {
          const client = await pool.connect()
          const own = opening.getStore()
          if (own?.statement) own.client = client
          const asked = acquiring.getStore()
          if (asked) asked.client = client
          return client
        },
      },
    })
  }
}

/** The database on a pool. It owns the pool from now on: `db.destroy()` ends both. */
export function createDb(pool: pg.Pool): Db {
  return new Kysely<unknown>({ dialect: new Dialect(pool) })
}

/**
 * Runs a statement prepared under a name of its own from its first use on, for the hot paths (sign-in, permission, seat
 * taking). A name belongs to one text for ever; at most 63 bytes.
 */
export async function query<Row extends pg.QueryResultRow>(
  pool: Queryable,
  name: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await pool.query<Row>({ name, text, values: [...values] })
  return result.rows
}
