import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { pendingMigrations } from '#db/migrate.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { asRefusal, refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { MOST_FAILED, deploymentCalls } from './deployment.contract.ts'
import type { CheckName, DeploymentState } from './deployment.contract.ts'

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../../package.json'), 'utf8')) as {
  version: string
}
/** Milliseconds after which what is tried counts as away. */
const PATIENCE = 4000

/** Tries something within some seconds. */
async function tried(
  name: CheckName,
  work: (() => Promise<unknown>) | null,
): Promise<DeploymentState['checks'][number]> {
  if (!work) return { name, state: 'unset', ms: null, fault: null }
  const began = performance.now()
  const late = AbortSignal.timeout(PATIENCE)
  const over = new Promise<never>((_, fail) =>
    late.addEventListener('abort', () => fail(new Error('no answer in time'))),
  )
  try {
    await Promise.race([work(), over])
    return { name, state: 'ok', ms: Math.round(performance.now() - began), fault: null }
  } catch (error) {
    // Never an address or a password: only what kind of fault it is.
    const { code, name: kind } = error as { code?: unknown; name?: string }
    const fault = asRefusal(error)?.reasons[0]?.code ?? (typeof code === 'string' ? code : (kind ?? 'failed'))
    return { name, state: 'failed', ms: Math.round(performance.now() - began), fault }
  }
}

const checks = (ctx: Ctx) => {
  const { config, storage, mail } = ctx.services
  const issuer = config.oidc?.issuer
  return Promise.all([
    tried('database', () => ctx.pool.query('select 1')),
    tried('storage', () => storage.ready()),
    tried('mail', config.smtpUrl ? () => mail.verify() : null),
    tried(
      'provider',
      issuer
        ? async () => {
            const answer = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
              signal: AbortSignal.timeout(PATIENCE),
            })
            if (!answer.ok) throw Object.assign(new Error('refused'), { code: `HTTP ${answer.status}` })
          }
        : null,
    ),
  ])
}

/** Room where the files lie, when that is a folder of this machine. */
async function disk(storageUrl: string): Promise<DeploymentState['disk']> {
  if (!storageUrl.startsWith('file:')) return null
  const found = await statfs(fileURLToPath(storageUrl)).catch(() => null)
  return found && { free: found.bavail * found.bsize, total: found.blocks * found.bsize }
}

const state = handle(deploymentCalls.deployment, async (ctx) => {
  const { config } = ctx.services
  const one = async <T>(query: ReturnType<typeof sql<T>>): Promise<T[]> => (await query.execute(ctx.db)).rows
  const [facts, migrations, pending, processes, queues, failed, tests, room] = await Promise.all([
    one(
      sql<{
        version: string
        bytes: number
        connections: number
        most: number
        now: string
        mails: number
        backup: DeploymentState['backup']
        papers: DeploymentState['papers']
      }>`select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
        (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
        current_setting('max_connections')::int as most, now() as now,
        (select count(*)::int from notice_mails where sent_at is null) as mails,
        (select json_build_object('at', at, 'bytes', bytes::float8) from backups order by at desc limit 1) as backup,
        (select json_build_object('made', private_key is not null, 'until', valid_until) from paper_keys
          where retired_at is null order by id desc limit 1) as papers`,
    ),
    one(
      sql<{ last: string | null; at: string | null; ran: number }>`
        select max(name) as last, max(timestamp) as at, count(*)::int as ran from kysely_migration`,
    ),
    pendingMigrations(ctx.db),
    // Each process keeps one connection by which it hears of the others.
    one(
      sql<{ since: string; address: string | null; name: string }>`
        select backend_start as since, host(client_addr) as address, application_name as name from pg_stat_activity
        where datname = current_database() and application_name like 'university-ems% events' order by 1`,
    ),
    one(
      sql<DeploymentState['queues'][number]>`
        select name, count(*) filter (where state = 'queued')::int as waiting, count(*) filter (where state = 'running')::int as running,
          count(*) filter (where state = 'done' and finished_at > now() - interval '1 day')::int as done_today,
          count(*) filter (where state = 'failed' and finished_at > now() - interval '1 day')::int as failed_today,
          min(created_at) filter (where state = 'queued') as oldest
        from jobs group by name order by 3 desc, 2 desc, 5 desc, 1`,
    ),
    one(
      sql<DeploymentState['failed'][number]>`
        select j.id, j.name, j.finished_at as at, j.error -> 'error' as error,
          exists (select from pgboss.job b where b.id = j.id) as can_retry
        from jobs j where j.state = 'failed' order by j.finished_at desc, j.id limit ${MOST_FAILED}`,
    ),
    checks(ctx),
    disk(config.storageUrl),
  ])
  const fact = facts[0]!
  return {
    data: {
      version,
      node: process.version,
      database: {
        version: fact.version,
        bytes: fact.bytes,
        connections: fact.connections,
        most_connections: fact.most,
      },
      started_at: new Date(Date.now() - process.uptime() * 1000).toISOString(),
      now: fact.now,
      migrations: { ...migrations[0]!, pending },
      processes: processes.map(({ since, address }) => ({ since, address, own: false })),
      queues,
      failed,
      mails_waiting: fact.mails,
      checks: tests,
      credentials_key: config.credentialsKey !== null,
      disk: room,
      backup: fact.backup,
      papers: fact.papers,
    },
  }
})

const tryMail = handle(deploymentCalls.tryMail, async (ctx) => {
  const { email, name, name_local } = actorIn(ctx)
  if (!email) throw refuse(409, 'own_email_missing')
  try {
    await ctx.services.mail.send({
      to: email,
      lang: ctx.lang,
      key: 'trial',
      data: { name: ctx.lang === 'ar' ? name_local : name },
    })
  } catch (error) {
    ctx.http?.request.log.warn({ err: error }, 'the trial mail was not taken')
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    throw refuse(409, 'mail_not_taken', { fault: String(responseCode ?? code ?? 'failed') })
  }
  return { data: { sent_to: email } }
})

const retryJob = handle(deploymentCalls.retryJob, async (ctx, { params }) => ({
  data: { id: await ctx.write((tx) => ctx.services.jobs.retry(tx, params.id)) },
}))

export const deploymentHandlers: readonly Handled[] = [state, tryMail, retryJob]
