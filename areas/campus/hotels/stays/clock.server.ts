/** What time does to reservations, and what becomes of those of students who leave. */
import { statusDecided } from '#areas/common/academics/student-status.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { hear } from '#kit/server/base/hears.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { bedSettingsOf, reservations } from './flow.server.ts'

/**
 * Every morning: who did not come is marked, so that the nights are free; a bed that was given and not paid in time goes to the
 * next; a request whose days are over is closed.
 */
export const stayClock = defineJob<Record<string, never>, { no_show: number; unpaid: number; over: number }>({
  name: 'hotel-clock',
  cron: '20 3 * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Days of reservations')
    const { no_show_days, pay_days } = await bedSettingsOf(ctx)
    const today = dayOf()
    const idsOf = async (condition: ReturnType<typeof sql>): Promise<number[]> =>
      (
        await sql<{
          id: number
        }>`select t.id from hotel_reservations t where t.removed_at is null and ${condition} order by t.id`.execute(
          ctx.db,
        )
      ).rows.map((row) => row.id)
    const over = await reservations.takeEach(
      ctx,
      await idsOf(sql`t.status = 'requested' and t.until_day <= ${today}::date`),
      'cancel',
      { reason: 'The days are over' },
    )
    const late = await reservations.takeEach(
      ctx,
      await idsOf(
        sql`t.status = 'confirmed' and num_nonnulls(t.student_id, t.staff_id, t.guest_id, t.guest_name) = 1 and t.from_day <= ${addDays(today, -no_show_days)}::date`,
      ),
      'no_show',
    )
    const unpaid = pay_days
      ? await reservations.takeEach(
          ctx,
          await idsOf(sql`t.status = 'confirmed' and t.from_day > ${today}::date
            and (t.confirmed_at at time zone university_zone())::date + ${pay_days}::int < ${today}::date
            and exists (select from invoices i join invoice_balances b on b.invoice_id = i.id
              where i.id = t.invoice_id and i.reversed_at is null and b.settled = 0 and b.charged > 0)`),
          'cancel',
          { reason: 'Not paid in time' },
        )
      : { done: [] }
    return { no_show: late.done.length, unpaid: unpaid.done.length, over: over.done.length }
  },
})

/** Who studies here no more, or is suspended, is given no bed: what waits or is given is cancelled; who is inside is told of to staff. */
export const stayLeavers = hear(statusDecided, async (ctx, tx, students, { to, decision }) => {
  if (to === 'studying') return
  const { rows } = await sql<{
    id: number
  }>`select id from hotel_reservations where student_id = any(${students.map((one) => one.id)}::int[])
    and status in ('requested', 'confirmed') and removed_at is null order by id`.execute(tx)
  for (const { id } of rows)
    await reservations.take(asSystem(ctx.services, decision, ctx.lang), id, 'cancel', { reason: decision })
})
