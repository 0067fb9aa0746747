import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { seedRoles } from '#access/rights.server.ts'
import { createDb, createPool } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import { migrate, pendingMigrations } from '#db/migrate.ts'
import { installQueue } from '#db/queue.ts'
import { admitProgram, mightOf, programUrl } from '#db/roles.ts'
import { firstRow } from '#db/rows.ts'
import { createApp } from '#kit/server/http/app.ts'
import type { AreaServer } from '#kit/server/http/area.ts'
import { createAuth } from '#kit/server/identity/auth.ts'
import type { Auth } from '#kit/server/identity/auth.ts'
import { ConfigError } from '#kit/server/base/config.ts'
import type { Config } from '#kit/server/base/config.ts'
import type { Services } from '#kit/server/base/context.ts'
import { closePdf } from '#kit/server/documents/index.ts'
import { refusalOfDatabase } from '#kit/server/base/errors.ts'
import { createEvents, liveRoute } from '#kit/server/base/events.ts'
import { createFiles } from '#kit/server/files/files.ts'
import { createJobs } from '#kit/server/jobs/jobs.ts'
import { forgetDatabase } from '#kit/server/base/kept.ts'
import type { Log } from '#kit/server/base/log.ts'
import { createMail } from '#kit/server/mail/mail.ts'
import { ownMail } from '#kit/server/mail/notice-texts.ts'
import { serveMetrics } from '#kit/server/base/metrics.ts'
import { createSecurityLog } from '#kit/server/identity/security-log.ts'
import { closeSheets } from '#kit/server/sheets/index.ts'
import { PATIENCE } from '#kit/server/unit/unit.ts'
import { StoreError, openStorage, tryStorage } from '#kit/server/storage/index.ts'
import type { Storage } from '#kit/server/storage/index.ts'

/** Folder of the built web application. */
export const DIST = path.join(import.meta.dirname, '../../dist/web')

export interface Assembly {
  readonly config: Config & { readonly databaseUrl: string }
  readonly log: Log
  readonly areas: readonly AreaServer[]
  /** Only some areas are there (tests). */
  readonly partial?: boolean
  /** Serve the built web application from here. */
  readonly dist?: string
  /** false: this process only sends jobs (tests, commands). */
  readonly work?: boolean
  /** Seconds between looks for jobs whose process died. */
  readonly supervise?: number
}

export interface University {
  readonly app: FastifyInstance
  readonly services: Services
  readonly auth: Auth
  /** Listens at the configured host and port, and answers the address. */
  listen(): Promise<string>
  /** In order: no new requests, open ones answered, jobs, caches, connections. */
  stop(): Promise<void>
}

/** Who works with the database: the program, and who owns and migrates it. */
export interface Databases {
  /** Of the role that only reads and writes. */
  readonly program: string
  /** Of the owner; null: the program's role is the owner, or somebody else migrates (`npm run migrate`). */
  readonly owner: string | null
}

/** The databases that the settings name; with an embedded server, its two roles. */
export const databasesOf = (
  { databaseUrl, migrateUrl }: Pick<Config, 'databaseUrl' | 'migrateUrl'>,
  embedded?: { readonly url: string },
): Databases =>
  embedded
    ? { program: programUrl(embedded.url), owner: embedded.url }
    : { program: databaseUrl as string, owner: migrateUrl }

/**
 * Makes the database ready for the program: the newest migration, tables of the queue, rights of the program's role,
 * missing roles of people, room in the audit trail. Any number of processes may do it at once. Where the owner is
 * somebody else, waits until that one has migrated.
 *
 * @param then further work on the database before anything is served, by the owner and without time limit
 * @throws {ConfigError} when the database is not migrated and this role may not
 */
export async function prepareDatabase(
  { program, owner }: Databases,
  log: Log,
  then?: (db: Db) => Promise<void>,
): Promise<void> {
  const url = owner ?? program
  const db = createDb(createPool(url, { max: 4, applicationName: 'university-ems migrations' }))
  try {
    await awake(db, log)
    if (owner || (await mayMigrate(db))) {
      await migrate(db, { onMigrated: (name) => log.info({ migration: name }, 'migrated') })
      await installQueue(url)
      await admitProgram(db, program)
    } else await migrated(db, log)
    await db.transaction().execute(async (tx) => {
      await sql`select set_config('ems.actor', ${JSON.stringify({ reason: 'roles of the program' })}, true)`.execute(tx)
      await seedRoles(tx)
      await sql`select ensure_audit_partitions(3)`.execute(tx)
      await sql`select ensure_security_log_months(3, security_log_months())`.execute(tx)
    })
    const { rows } = await sql<{ letters: boolean }>`select show_trgm('محمد') <> '{}' as letters`.execute(db)
    if (!rows[0]?.letters)
      log.warn(
        "This database knows no Arabic letters (its LC_CTYPE is C): searching in Arabic will be slow. Make it with LC_CTYPE 'C.UTF-8'.",
      )
    await then?.(db)
  } finally {
    await db.destroy()
  }
}

/** Whether this role owns the tables, or there are none yet. */
async function mayMigrate(db: Db): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select coalesce((
    select pg_has_role(current_user, relowner, 'member') from pg_class where oid = to_regclass('public.kysely_migration')
  ), true) as may`.execute(db)
  return firstRow(rows).may
}

/** Waits until the owner has migrated. @throws {ConfigError} when that takes too long */
async function migrated(db: Db, log: Log): Promise<void> {
  const end = Date.now() + WAKING
  for (let told = false; ; told = true) {
    const pending = await pendingMigrations(db)
    if (!pending.length) return
    if (Date.now() > end)
      throw new ConfigError(
        `The database is not migrated (${pending.join(', ')}), and DATABASE_URL's role may not do it. Run "npm run migrate" with DATABASE_MIGRATE_URL.`,
      )
    if (!told) log.warn({ pending }, 'waiting for the migrations')
    await sleep(500)
  }
}

/** How long a start waits for a database that is itself starting or recovering, in milliseconds. */
const WAKING = 60_000

/** Waits until the database answers. @throws {Error} why it does not, at once when it will not by waiting */
async function awake(db: Db, log: Log): Promise<void> {
  const end = Date.now() + WAKING
  for (let told = false; ; told = true) {
    try {
      await sql`select 1`.execute(db)
      return
    } catch (error) {
      if (refusalOfDatabase(error)?.status !== 503 || Date.now() > end) throw error
      if (!told) log.warn({ err: error }, 'waiting for the database')
      await sleep(250)
    }
  }
}

/** Tries the file store, and waits for one that is only away. @throws {ConfigError} when it cannot be used */
async function usable(storage: Storage, log: Log): Promise<void> {
  const end = Date.now() + WAKING
  for (let told = false; ; told = true) {
    try {
      return await tryStorage(storage)
    } catch (error) {
      const away = error instanceof StoreError && error.cause instanceof TypeError
      if (!away || Date.now() > end)
        throw new ConfigError(`STORAGE_URL names a store that cannot be used. ${(error as Error).message}`, {
          cause: error,
        })
      if (!told) log.warn({ err: error }, 'waiting for the file store')
      await sleep(1_000)
    }
  }
}

/** Puts the server together on a prepared database. */
export async function openUniversity(assembly: Assembly): Promise<University> {
  const { config, log, areas, dist, partial, work = true, supervise } = assembly
  forgetDatabase()
  const pool = createPool(config.databaseUrl, {
    max: config.poolSize,
    prepare: config.prepare,
    statementTimeout: config.statementTimeout,
    acquireTimeout: 10_000,
    settings: { lock_timeout: String(PATIENCE) },
    onIdleError: (error) => log.warn({ err: error }, 'An idle connection to the database broke'),
  })
  const db = createDb(pool)
  const undo: (() => Promise<unknown> | void)[] = [() => pool.end()]
  try {
    const might = await mightOf(db)
    if (might)
      log.warn(
        { might },
        'The role of DATABASE_URL could change or stop the audit trail: give the program a role that only reads and writes, and the owner to DATABASE_MIGRATE_URL',
      )
    const events = createEvents({ pool, log })
    await events.start()
    undo.push(() => events.stop())
    const storage = openStorage(config.storageUrl)
    await usable(storage, log)
    const mail = createMail(config, log, { own: (key, lang) => ownMail(pool, key, lang) })
    undo.push(() => mail.close())
    const jobs = createJobs({ pool, events, log, ...(supervise && { supervise }) })
    const services: Services = {
      db,
      pool,
      storage,
      jobs,
      events,
      config,
      mail,
      files: await createFiles({ pool, storage }),
      security: await createSecurityLog({ pool, log }),
    }
    undo.push(() => services.security.stop())
    const auth = createAuth({ pool, events, log, secure: config.publicUrl.startsWith('https:') })
    undo.push(() => auth.stop())
    undo.push(() => Promise.all([closePdf(), closeSheets()]))
    const app = createApp({
      areas,
      services,
      auth,
      log,
      ...(dist && fs.existsSync(path.join(dist, 'index.html')) && { dist }),
      ...(partial && { partial }),
    })
    void app.register((routes, _options, done) => {
      liveRoute(routes, auth, events)
      done()
    })
    undo.push(() => jobs.stop())
    await jobs.start(
      services,
      areas.flatMap((a) => a.jobs),
      { work },
    )
    undo.push(() => app.close())
    await app.ready()
    return {
      app,
      services,
      auth,
      async listen() {
        if (config.metrics) {
          const figures = await serveMetrics(app, config.metrics.host, config.metrics.port)
          undo.push(() => void figures.close())
        }
        return app.listen({ host: config.host, port: config.port })
      },
      stop: () => undoAll(undo, log),
    }
  } catch (error) {
    await undoAll(undo, log)
    throw error
  }
}

/** The last made ends first; one that fails to end does not keep the others. */
async function undoAll(undo: (() => Promise<unknown> | void)[], log: Log): Promise<void> {
  for (let step = undo.pop(); step; step = undo.pop()) {
    try {
      await step()
    } catch (error) {
      log.error({ err: error }, 'Something did not end in order')
    }
  }
}

/** Calls `stop` once on Ctrl-C or when the system asks; a second Ctrl-C ends at once. */
export function stopOnSignals(stop: () => Promise<void>, log: Log): void {
  let stopping = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(130)
    stopping = true
    log.info({ signal }, 'stopping')
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'could not stop in order')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}
