import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { KEPT } from '#kit/contract/retention.ts'
import type { Kept, KeptKind } from '#kit/contract/retention.ts'
import type { Queryable, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '../base/context.ts'
import { defineJob } from './jobs.ts'

/** What is over its time. */
export interface Due {
  readonly count: number
  readonly oldest: string | null
}
/** How a kind of data is counted and erased. Data of people under a legal hold is neither. */
export interface Sweep {
  due(ctx: Ctx, days: number): Promise<Due>
  /** Erases some of what is over its time; how much it was. Asked again until nothing is left. */
  erase(ctx: Ctx, days: number): Promise<number>
}

const sweeps = new Map<KeptKind, Sweep>()
/** Registers how a kind of data is erased; the area that owns the data does so once. */
export const registerSweep = (kind: KeptKind, sweep: Sweep): void => void sweeps.set(kind, sweep)
export const sweepOf = (kind: KeptKind): Sweep | undefined => sweeps.get(kind)

/** Rows that one statement erases, so that nobody waits for it. */
const BATCH = 2000

/** The sweep of rows of one table; the row is `t`. `at`: since when it is kept; `person`: whose it is. */
export function sweepRows({
  table,
  at,
  where = 'true',
  person,
  key = 't.id',
}: {
  table: string
  at: string
  where?: string
  person?: string
  key?: string
}): Sweep {
  const over = (days: number): RawBuilder<unknown> =>
    sql`${sql.raw(at)} < now() - make_interval(days => ${days}::int) and ${sql.raw(where)}
      ${person ? sql`and not is_held(${sql.raw(person)})` : sql``}`
  return {
    async due(ctx, days) {
      const { rows } = await sql<Due>`select count(*)::int as count, min(${sql.raw(at)}) as oldest
        from ${sql.table(table)} t where ${over(days)}`.execute(ctx.db)
      return firstRow(rows)
    },
    async erase(ctx, days) {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)} t
        where ${sql.raw(key)} in (select ${sql.raw(key)} from ${sql.table(table)} t where ${over(days)} limit ${BATCH})`.execute(
        ctx.db,
      )
      return Number(numAffectedRows ?? 0)
    },
  }
}

/**
 * Erases expired data in a unit of work. The trail records the erasure and its time, not the values. The files of
 * deleted rows (hashes) leave the store afterwards.
 */
export async function eraseIn(
  ctx: Ctx,
  erase: (tx: Tx) => Promise<{ readonly count: number; readonly hashes?: readonly string[] }>,
): Promise<number> {
  const { count, hashes = [] } = await ctx.write(async (tx) => {
    await sql`select set_config('ems.erasing', 'on', true)`.execute(tx)
    return erase(tx)
  })
  // What cannot be done now is done by the hourly sweep.
  if (hashes.length) await ctx.services.files.sweep(hashes).catch(() => {})
  return count
}

/** How many days a kind is kept here; null: for ever. */
export async function daysKept(pool: Queryable, kind: KeptKind): Promise<number | null> {
  const { rows } = await pool.query<{ days: number | null }>('select days from retention_lengths where kind = $1', [
    kind,
  ])
  return rows[0] ? rows[0].days : KEPT[kind].days
}

/** By night: erases what is over its time, kind by kind, a little at a time, and keeps how much it was. */
export const retention = defineJob({
  name: 'retention',
  cron: '37 2 * * *',
  retries: 3,
  async run(ctx, _payload: object, progress) {
    const erased: Record<string, number> = {}
    for (const [kind, sweep] of sweeps) {
      const days = await daysKept(ctx.pool, kind)
      if (days === null) continue
      let count = 0
      for (let now = -1; now !== 0 && !progress.signal.aborted; count += now) now = await sweep.erase(ctx, days)
      if (!count) continue
      erased[kind] = count
      const { label }: Kept = KEPT[kind]
      await ctx.write(
        (tx) => sql`insert into retention_runs (kind, erased, days) values (${kind}, ${count}, ${days})`.execute(tx),
        {
          reason: `kept ${days} days: ${label[0]}`,
        },
      )
    }
    return erased
  },
})

registerSweep(
  'mails',
  sweepRows({ table: 'notice_mails', at: 't.created_at', where: 't.next_at is null', person: 't.user_id' }),
)
registerSweep('notices', sweepRows({ table: 'notifications', at: 't.created_at', person: 't.user_id' }))
registerSweep(
  'jobs',
  sweepRows({
    table: 'jobs',
    at: 't.created_at',
    where: `t.state not in ('queued', 'running')`,
    person: 't.created_by',
  }),
)
registerSweep(
  'devices',
  sweepRows({ table: 'known_devices', at: 't.last_seen_at', person: 't.user_id', key: 't.ctid' }),
)

/** Months in which somebody under a legal hold stands stay whole. */
registerSweep('security_log', {
  async due(ctx, days) {
    const { rows } = await sql<Due>`select coalesce(sum(rows), 0)::int as count, min(first)::text as oldest
      from security_log_over(${days}::int)`.execute(ctx.db)
    return firstRow(rows)
  },
  async erase(ctx, days) {
    const { count } = await this.due(ctx, days)
    await sql`select ensure_security_log_months(3, security_log_months())`.execute(ctx.db)
    const left = count ? (await this.due(ctx, days)).count : 0
    // What did not go now does not go by asking again.
    return left < count && left === 0 ? count : 0
  },
})

/** Months of the log of changes go whole, by the owner of the trail; none while anybody is under a legal hold. */
registerSweep('audit', {
  async due(ctx, days) {
    const { rows } = await sql<Due>`select coalesce(sum(rows), 0)::int as count, min(first)::text as oldest
      from audit_log_over(${days}::int)`.execute(ctx.db)
    return firstRow(rows)
  },
  async erase(ctx) {
    const { rows } = await sql<{ count: number }>`select erase_audit_month()::float8 as count`.execute(ctx.db)
    return firstRow(rows).count
  },
})
