import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { seedRoles } from '#access/rights.server.ts'
import { createDb, createPool } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { createApp } from '#kit/server/app.ts'
import type { AreaServer } from '#kit/server/area.ts'
import { createAuth } from '#kit/server/auth.ts'
import type { Auth } from '#kit/server/auth.ts'
import type { Config } from '#kit/server/config.ts'
import type { Services } from '#kit/server/context.ts'
import { closePdf } from '#kit/server/documents/index.ts'
import { refusalOfDatabase } from '#kit/server/errors.ts'
import { createEvents, liveRoute } from '#kit/server/events.ts'
import { createFiles } from '#kit/server/files.ts'
import { createJobs } from '#kit/server/jobs.ts'
import type { Log } from '#kit/server/log.ts'
import { createMail } from '#kit/server/mail.ts'
import { closeSheets } from '#kit/server/sheets/index.ts'
import { openStorage } from '#kit/server/storage/index.ts'

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

/**
 * Brings the database to the newest migration, writes missing roles, and gives the audit trail room. Any number of
 * processes may do it at once.
 *
 * @param then further work on the database before anything is served, on the same connections without time limit
 */
export async function prepareDatabase(databaseUrl: string, log: Log, then?: (db: Db) => Promise<void>): Promise<void> {
  const db = createDb(createPool(databaseUrl, { max: 4, applicationName: 'university-ems migrations' }))
  try {
    await awake(db, log)
    await migrate(db, { onMigrated: (name) => log.info({ migration: name }, 'migrated') })
    await db.transaction().execute(async (tx) => {
      await sql`select set_config('ems.actor', ${JSON.stringify({ reason: 'roles of the program' })}, true)`.execute(tx)
      await seedRoles(tx)
      await sql`select ensure_audit_partitions(3)`.execute(tx)
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

/** Puts the server together on a prepared database. */
export async function openUniversity(assembly: Assembly): Promise<University> {
  const { config, log, areas, dist, partial, work = true, supervise } = assembly
  const pool = createPool(config.databaseUrl, {
    max: config.poolSize,
    prepare: config.prepare,
    statementTimeout: config.statementTimeout,
    acquireTimeout: 10_000,
    onIdleError: (error) => log.warn({ err: error }, 'An idle connection to the database broke'),
  })
  const db = createDb(pool)
  const undo: (() => Promise<unknown> | void)[] = [() => pool.end()]
  try {
    const events = createEvents({ pool, log })
    await events.start()
    undo.push(() => events.stop())
    const storage = openStorage(config.storageUrl)
    const mail = createMail(config, log)
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
    }
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
      listen: () => app.listen({ host: config.host, port: config.port }),
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
