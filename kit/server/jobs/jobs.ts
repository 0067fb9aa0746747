import { randomUUID } from 'node:crypto'
import { PgBoss, fromKysely } from 'pg-boss'
import type { JobWithMetadata, WorkOptions } from 'pg-boss'
import type pg from 'pg'
import { sql } from 'kysely'
import { query } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import { QUEUE } from '#db/queue.ts'
import type { Language } from '#kit/contract/index.ts'
import { actorOf } from '../identity/auth.ts'
import type { ActsFor } from '../identity/auth.ts'
import type { Actor, Ctx, Services } from '../base/context.ts'
import { asRefusal, errorBody, refuse } from '../base/errors.ts'
import type { ErrorBody } from '../base/errors.ts'
import type { Events } from '../base/events.ts'
import type { Log } from '../base/log.ts'
import { asActor, asSystem } from '../unit/request.ts'

/** Tells how far a job is: percent and, where it helps, a short text. Refuses (`job_cancelled`) when it shall end. */
export interface Progress {
  (percent: number, message?: string): Promise<void>
  /** Aborted when the job is cancelled or the program stops. */
  readonly signal: AbortSignal
}

/**
 * Work that continues after its call has answered. If its process dies, it may start again from the beginning: its
 * writes must be one transaction, or have the same effect when repeated.
 */
export interface JobDefinition<Payload = unknown, Result = unknown> {
  /** Small letters, digits, hyphens; for ever the same. */
  readonly name: string
  /** Acts with the rights that the person who asked has when it runs; without a person, for the system. */
  run(ctx: Ctx, payload: Payload, progress: Progress): Promise<Result>
  /** How many of them a process does at once; 1 unless told. */
  readonly concurrency?: number
  /** How often it is tried again, later and later, after a failure that is no refusal; 0 unless told. */
  readonly retries?: number
  /** Runs by itself at these times (five cron fields, UTC), in one of the processes; its payload is empty. */
  readonly cron?: string
}

/** Defines a job; the area's server file lists it under `jobs`. */
export const defineJob = <Payload, Result>(
  definition: JobDefinition<Payload, Result>,
): JobDefinition<Payload, Result> => definition

/** A job as a person sees it. */
export interface JobRow {
  readonly id: string
  readonly name: string
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
  /** 0 to 100. */
  readonly progress: number
  readonly message: string | null
  /** What `run` returned. */
  readonly result: unknown
  readonly error: ErrorBody | null
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}

/** What the person who began a job is told as it goes on. */
type JobTold = Pick<JobRow, 'id' | 'name' | 'state' | 'progress' | 'message'>

export interface Jobs {
  /**
   * Puts a job in the queue; it begins after `tx` commits, and never when that rolls back. Returns its id, by which
   * the person follows it.
   *
   * @param options.actor who asked; null: the system
   * @param options.after seconds to wait
   */
  send<P>(
    tx: Db,
    job: JobDefinition<P> | string,
    payload: P,
    options: { actor: Actor | null; lang?: Language; after?: number },
  ): Promise<string>
  /** Whether such a job, sent with this among its payload, waits or runs. */
  underWay<P>(tx: Db, job: JobDefinition<P> | string, payload: Partial<P>): Promise<boolean>
  /** A person's job. @throws {Refusal} 404 */
  get(userId: number, id: string): Promise<JobRow>
  /** A person's newest jobs. */
  list(userId: number): Promise<JobRow[]>
  /** Ends a person's job, waiting or running. @throws {Refusal} 404; 409 when it is over */
  cancel(userId: number, id: string): Promise<void>
  /**
   * Sends a failed job again, with what it was sent with and for whom it was; it leaves the list of failed ones. Returns the
   * new id. @throws {Refusal} 404; 409 when it has not failed, or what it was sent with is known no more
   */
  retry(tx: Db, id: string): Promise<string>
  /** Makes the queues and begins to work. `work: false`: only sends. */
  start(services: Services, definitions: readonly JobDefinition[], options?: { work?: boolean }): Promise<void>
  /** Takes no more jobs and waits for those that run, at most `seconds`; what is not done by then is begun again elsewhere. */
  stop(seconds?: number): Promise<void>
  /** Jobs of this process that run now. */
  readonly running: number
}

export interface JobsOptions {
  readonly pool: pg.Pool
  readonly events: Events
  readonly log: Log
  /** Seconds between looks for jobs whose process died. */
  readonly supervise?: number
  /** A process that lives says so at least this often; one that did not for as long is dead. Seconds, 10 or more. */
  readonly heartbeat?: number
}

interface Sent {
  readonly payload: unknown
  readonly by: ({ readonly user_id: number } & ActsFor) | null
  readonly lang: Language
}

const LONGEST = 12 * 3600
const WRITE_EVERY = 250

const COLUMNS = `id, name, state, progress, message, result, error, created_at, started_at, finished_at`

/** Jobs in the database (pg-boss, schema `pgboss`), begun again when their process dies; their state is in `jobs`. */
export function createJobs({ pool, events, log, supervise = 10, heartbeat = 20 }: JobsOptions): Jobs {
  const options = pool.options as pg.PoolConfig
  const boss = new PgBoss({
    ...(options.connectionString
      ? { connectionString: options.connectionString }
      : {
          host: options.host,
          port: options.port,
          user: options.user,
          password: options.password,
          database: options.database,
        }),
    ssl: options.ssl,
    application_name: `${options.application_name ?? 'university-ems'} jobs`,
    max: 3,
    schema: QUEUE,
    // Its tables are the owner's: see `installQueue`.
    migrate: false,
    createSchema: false,
    reindex: false,
    useListenNotify: true,
    superviseIntervalSeconds: supervise,
    monitorIntervalSeconds: supervise,
    cronMonitorIntervalSeconds: 30,
  })
  boss.on('error', (error) => log.error({ err: error }, 'Jobs: a query failed'))
  boss.on('warning', (warning) => log.warn({ warning }, 'Jobs: warning'))
  const known = new Map<string, JobDefinition>()
  const running = new Map<string, AbortController>()
  let services: Services | undefined
  let started = false
  let reaper: NodeJS.Timeout | undefined

  events.on('job_cancelled', (id) => running.get(id)?.abort(refuse(409, 'job_cancelled')))

  const tell = (userId: number | null, row: JobTold): Promise<void> =>
    userId === null
      ? Promise.resolve()
      : events
          .publish(userId, { type: 'job', data: row })
          .catch((error: Error) => log.warn({ err: error }, 'A job could not be told about'))

  async function change(
    id: string,
    from: readonly JobRow['state'][],
    set: string,
    values: unknown[],
  ): Promise<boolean> {
    const { rows } = await pool.query<JobTold & { created_by: number | null }>(
      `update jobs set ${set} where id = $1 and state = any($2) returning id, name, state, progress, message, created_by`,
      [id, from, ...values],
    )
    const [row] = rows
    if (row) {
      const { created_by, ...shown } = row
      await tell(created_by, shown)
    }
    return row !== undefined
  }

  async function work(definition: JobDefinition, job: JobWithMetadata<Sent>): Promise<void> {
    // Jobs that run by the clock bring nothing.
    const { by = null, lang = 'ar', payload = {} } = (job.data ?? {}) as Partial<Sent>
    // Jobs that run by the clock have no row yet.
    await pool.query(`insert into jobs (id, name, created_by) values ($1, $2, $3) on conflict (id) do nothing`, [
      job.id,
      definition.name,
      by?.user_id ?? null,
    ])
    if (!(await change(job.id, ['queued', 'running'], `state = 'running', progress = 0, started_at = now()`, [])))
      return

    const abort = new AbortController()
    const lost = () => abort.abort(refuse(409, 'job_cancelled'))
    job.signal.addEventListener('abort', lost)
    running.set(job.id, abort)
    let written = 0
    const progress: Progress = Object.assign(
      async (percent: number, message?: string) => {
        abort.signal.throwIfAborted()
        const now = Date.now()
        if (now - written < WRITE_EVERY) return
        written = now
        const known = await change(job.id, ['running'], 'progress = $3, message = $4', [
          Math.max(0, Math.min(99, Math.round(percent))),
          message?.slice(0, 300) ?? null,
        ])
        // The message of the cancellation may have been missed.
        if (!known) lost()
        abort.signal.throwIfAborted()
      },
      { signal: abort.signal },
    )
    try {
      const actor = by && (await actorOf(pool, by.user_id, by))
      if (by && !actor) throw refuse(403, 'not_allowed')
      const ctx = actor ? asActor(services!, actor, job.id, lang) : asSystem(services!, `job ${definition.name}`, lang)
      const result: unknown = await definition.run(ctx, payload, progress)
      await change(
        job.id,
        ['running'],
        `state = 'done', progress = 100, message = null, result = $3, finished_at = now()`,
        [result === undefined ? null : JSON.stringify(result)],
      )
    } catch (error) {
      const refusal = asRefusal(error)
      // Cancelled by a person: the row says so already. Stopped with the program: it is begun again elsewhere.
      if (abort.signal.aborted && (error === abort.signal.reason || (error as Error)?.name === 'AbortError')) {
        if (job.signal.aborted) await change(job.id, ['running'], `state = 'queued', progress = 0`, [])
        return
      }
      if (!refusal || refusal.status === 503) {
        log.error({ err: error, job_id: job.id, job: definition.name, attempt: job.retryCount + 1 }, 'A job failed')
        if (job.retryCount < (definition.retries ?? 0)) {
          await change(job.id, ['running'], `state = 'queued', progress = 0`, [])
          throw error
        }
      }
      const shown = refusal ?? refuse(500, 'unexpected', { reference: job.id })
      await change(job.id, ['running'], `state = 'failed', error = $3, finished_at = now()`, [
        JSON.stringify(errorBody(shown)),
      ])
    } finally {
      running.delete(job.id)
      job.signal.removeEventListener('abort', lost)
    }
  }

  /** A job whose process died too often is given up by the queue: its row must say so. */
  async function reap(): Promise<void> {
    const { rows } = await pool.query<JobTold & { created_by: number | null }>(
      `update jobs j set state = 'failed', error = $1, finished_at = now()
       from pgboss.job b where b.id = j.id and b.state = 'failed' and j.state in ('queued', 'running')
       returning j.id, j.name, j.state, j.progress, j.message, j.created_by`,
      [JSON.stringify(errorBody(refuse(500, 'unexpected', { reference: 'job' })))],
    )
    for (const { created_by, ...row } of rows) await tell(created_by, row)
  }

  return {
    async underWay(tx, job, payload) {
      const { rows } = await sql`select from jobs j join pgboss.job b on b.id = j.id and b.name = j.name
        where j.name = ${typeof job === 'string' ? job : job.name} and j.state in ('queued', 'running')
          and b.data -> 'payload' @> ${JSON.stringify(payload)}::jsonb limit 1`.execute(tx)
      return rows.length > 0
    },
    async send(tx, job, payload, { actor, lang, after }) {
      const name = typeof job === 'string' ? job : job.name
      const definition = known.get(name)
      if (!definition) throw new Error(`No job is named '${name}': list it in the server file of its area`)
      const id = randomUUID()
      await sql`insert into jobs (id, name, created_by) values (${id}, ${name}, ${actor?.user_id ?? null})`.execute(tx)
      const data: Sent = {
        payload,
        by: actor && {
          user_id: actor.user_id,
          impersonator_id: actor.impersonator_id,
          ...(actor.delegation_id != null && { delegation_id: actor.delegation_id }),
          ...(actor.student_id !== null && { student_id: actor.student_id }),
        },
        lang: lang ?? 'ar',
      }
      const sent = await boss.send(name, data, { id, db: fromKysely(tx), ...(after && { startAfter: after }) })
      if (!sent) throw new Error(`The job '${name}' was not taken by the queue`)
      return id
    },
    async get(userId, id) {
      const [row] = await query<JobRow & pg.QueryResultRow>(
        pool,
        'job_get',
        `select ${COLUMNS} from jobs where id = $1 and created_by = $2`,
        [id, userId],
      )
      if (!row) throw refuse(404, 'not_found')
      return row
    },
    list: (userId) =>
      query<JobRow & pg.QueryResultRow>(
        pool,
        'job_list',
        `select ${COLUMNS} from jobs where created_by = $1 order by created_at desc, id limit 50`,
        [userId],
      ),
    async cancel(userId, id) {
      const row = await this.get(userId, id)
      if (!(await change(id, ['queued', 'running'], `state = 'cancelled', finished_at = now()`, [])))
        throw refuse(409, 'state_not_allowed')
      await boss.cancel(row.name, id)
      await pool.query(`select pg_notify('job_cancelled', $1)`, [id])
    },
    async retry(tx, id) {
      const { rows } = await sql<{ name: string; created_by: number | null; data: object | null; failed: boolean }>`
        select j.name, j.created_by, j.state = 'failed' as failed, b.data
        from jobs j left join pgboss.job b on b.id = j.id where j.id = ${id}::uuid for update of j`.execute(tx)
      const [row] = rows
      if (!row) throw refuse(404, 'not_found')
      if (!row.failed) throw refuse(409, 'job_not_failed')
      if (!row.data || !known.has(row.name)) throw refuse(409, 'job_forgotten')
      const next = randomUUID()
      // Told as cancelled from now on: it is not failed any more, and not done either.
      await sql`update jobs set state = 'cancelled' where id = ${id}::uuid`.execute(tx)
      await sql`insert into jobs (id, name, created_by) values (${next}, ${row.name}, ${row.created_by})`.execute(tx)
      const sent = await boss.send(row.name, row.data, { id: next, db: fromKysely(tx) })
      if (!sent) throw new Error(`The job '${row.name}' was not taken by the queue`)
      return next
    },
    async start(given, definitions, { work: works = true } = {}) {
      services = given
      for (const definition of definitions) {
        if (known.has(definition.name)) throw new Error(`Two jobs are named '${definition.name}'`)
        known.set(definition.name, definition)
      }
      started = true
      await boss.start()
      for (const { name, retries = 0 } of definitions) {
        const settings = {
          // Also for those that are not tried again after a failure: their process may die.
          retryLimit: Math.max(2, retries),
          retryDelay: 2,
          retryBackoff: true,
          retryDelayMax: 900,
          heartbeatSeconds: heartbeat,
          expireInSeconds: LONGEST,
          deleteAfterSeconds: 2 * 86_400,
          notify: true,
        }
        await boss.createQueue(name, settings)
        await boss.updateQueue(name, settings)
      }
      const scheduled = await boss.getSchedules()
      for (const { name } of scheduled) if (!known.get(name)?.cron) await boss.unschedule(name)
      for (const { name, cron } of definitions) {
        if (cron && scheduled.find((s) => s.name === name)?.cron !== cron)
          await boss.schedule(name, cron, { payload: {}, by: null, lang: 'ar' })
      }
      if (!works) return
      for (const definition of definitions) {
        for (let i = 0; i < (definition.concurrency ?? 1); i++) {
          // One worker each, so that it can be told to look for the next job as soon as one is done.
          const worker: string = await boss.work<Sent, void, WorkOptions & { includeMetadata: true }>(
            definition.name,
            // Messages wake the workers; looking is for what nobody tells: jobs that are tried again.
            {
              includeMetadata: true,
              pollingIntervalSeconds: 2,
              notifyPollingIntervalSeconds: Math.max(2, supervise),
            },
            async (batch) => {
              try {
                for (const job of batch) await work(definition, job)
              } finally {
                boss.notifyWorker(worker)
              }
            },
          )
        }
      }
      reaper = setInterval(
        () => void reap().catch((error: Error) => log.warn({ err: error }, 'Jobs: looking for lost ones failed')),
        30_000,
      )
      reaper.unref()
    },
    async stop(seconds = 30) {
      if (!started) return
      started = false
      clearInterval(reaper)
      await boss.stop({ graceful: true, timeout: seconds * 1000 })
    },
    get running() {
      return running.size
    },
  }
}
