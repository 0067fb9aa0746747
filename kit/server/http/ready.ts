import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { pendingMigrations } from '#db/migrate.ts'
import type { Services } from '../base/context.ts'
import { asRefusal } from '../base/errors.ts'
import type { Refusal } from '../base/errors.ts'

/** What the log and `/api/ready` call the reasons of a 503. */
const FAULTS: Readonly<Record<string, string>> = {
  maintenance: 'the database is away',
  database_full: 'the database has no room',
  database_read_only: 'the database is read-only',
  data_busy: 'others hold what is to be changed',
  took_too_long: 'a statement ran into its time limit',
  file_store_full: 'the file store has no room',
  file_store_away: 'the file store is away',
}

/** What is at fault for a 503, in the words of the log. */
export const faultOf = (refusal: Refusal): string => FAULTS[refusal.reasons[0]?.code ?? ''] ?? 'not available'

/** Milliseconds for which an answer of the check is good, so that whoever asks often costs nothing. */
const GOOD_FOR = 3_000

/**
 * Whether the process can do its work: the database is migrated and takes writes, with a megabyte of room for them, and
 * the file store answers. A server that only reads (a replica) needs no writes.
 *
 * @returns `ok`, or what is wrong
 */
async function check({ db, storage, config }: Services): Promise<string> {
  const pending = await pendingMigrations(db)
  if (pending.length) return 'migrations pending'
  if (!config.readOnly) {
    await db.transaction().execute(async (tx) => {
      await sql`update readiness set at = now()`.execute(tx)
      // Sorted on the disk, not in memory: fails where no room is left, and leaves nothing behind.
      await sql`set local work_mem = '64kB'`.execute(tx)
      await sql`select from (select n, repeat('room', 250) as filler from generate_series(1, 1000) n order by 2, 1 desc offset 999) as sorted`.execute(
        tx,
      )
    })
  }
  await storage.ready()
  return 'ok'
}

/** `/api/health`: the process is alive. `/api/ready`: it can do its work. */
export function installHealth(app: FastifyInstance, services: Services): void {
  let known: { readonly status: string; readonly until: number } | undefined
  let asking: Promise<string> | undefined
  const ready = async (log: FastifyInstance['log']): Promise<string> => {
    if (known && performance.now() < known.until) return known.status
    asking ??= check(services)
      .catch((error: unknown) => {
        const refusal = asRefusal(error)
        const status = refusal?.status === 503 ? faultOf(refusal) : 'failed'
        log.warn({ err: error }, `not ready: ${status}`)
        return status
      })
      .then((status) => {
        known = { status, until: performance.now() + GOOD_FOR }
        return status
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }
  app.get('/api/health', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/api/ready', async (request, reply) => {
    const status = await ready(request.log)
    return reply
      .header('cache-control', 'no-store')
      .code(status === 'ok' ? 200 : 503)
      .send({ status })
  })
}
