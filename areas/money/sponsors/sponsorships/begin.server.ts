/** Sponsorships begin, and end by themselves with the last of their terms. */
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, type Reason } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { followShares } from '../shares/follow.server.ts'
import { checkBeginning } from '../shares/share.rules.ts'

/**
 * Begins sponsorships that are offered, all or none: what students have invoices of is taken over at once, and what they paid
 * themselves goes into their wallets.
 */
export async function beginSponsorships(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<void> {
  const students = sql`select student_id from sponsorships where id = any(${[...ids]}::int[])`
  await holdPayers(tx, sql`select id from payers where student_id in (${students})`)
  const { rows } = await sql<{ id: number; code: string; status: string; sponsor_active: boolean; studying: boolean }>`
    select t.id, s.code, t.status, o.is_active and o.removed_at is null as sponsor_active, s.status = 'studying' and s.removed_at is null as studying
    from sponsorships t join sponsors o on o.id = t.sponsor_id join students s on s.id = t.student_id
    where t.id = any(${[...ids]}::int[]) and t.removed_at is null order by t.id for no key update of t`.execute(tx)
  const reasons = rows.flatMap((row): Reason[] =>
    checkBeginning(row).map((reason) => ({ ...reason, data: { ...reason.data, student: row.code } })),
  )
  if (reasons.length) throw new Refusal(409, reasons)
  await sql`update sponsorships set status = 'active' where id = any(${rows.map((row) => row.id)}::int[])`.execute(tx)
  const { rows: invoices } = await sql<{ id: number }>`
    select i.id from invoices i join payers p on p.id = i.payer_id where p.student_id in (${students}) and i.reversed_at is null
    order by i.payer_id, i.id`.execute(tx)
  await followShares(
    ctx,
    tx,
    invoices.map((row) => row.id),
  )
}

/** Every night: those whose last term is over have ended. What was taken over stays. */
export const endSponsorshipsJob = defineJob<Record<string, never>, { ended: number }>({
  name: 'end-sponsorships',
  cron: '20 0 * * *',
  run: async ({ services }) =>
    asSystem(services, 'Sponsorships whose terms are over').write(async (tx) => {
      const { rows } = await sql`update sponsorships s set status = 'ended' from terms e
        where e.id = s.until_term_id and s.status = 'active' and e.end_date < university_today() returning s.id`.execute(
        tx,
      )
      return { ended: rows.length }
    }),
})
