/** What the clock does with invoices: fines for being late, and holds of what became overdue. */
import { feeSettingsOf } from '#areas/money/fees/settings.server.ts'
import type { YearSettings } from '#areas/money/fees/settings/settings.rules.ts'
import { daysBetween } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { followDebts } from './holds.server.ts'
import { settledOf } from './invoice.rules.ts'
import { holdInvoice, writeNote } from './issue.server.ts'
import { fineDue } from './next/draft.rules.ts'

interface Late {
  readonly id: number
  readonly year_id: number
  readonly version: number
}

/** Charges fines of overdue instalments by the rule of the version that an invoice was issued with: what is due less what was charged. */
async function chargeFines(ctx: Ctx): Promise<number> {
  const { rows } = await sql<Late>`
    select i.id, i.year_id, v.number as version from invoices i join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
      join fee_versions v on v.id = i.setting_version_id cross join lateral invoice_overdue(i.id, university_today()) o
    where i.reversed_at is null order by i.id`.execute(ctx.db)
  const settings = new Map<string, YearSettings | null>()
  let charged = 0
  for (const { id, year_id, version } of rows) {
    const key = `${year_id} ${version}`
    if (!settings.has(key)) settings.set(key, await feeSettingsOf(ctx.db, year_id, version))
    await ctx.write(async (tx) => {
      const invoice = await holdInvoice(tx, id)
      const rule = settings
        .get(key)
        ?.fines.find((one) => one.type === invoice.type && one.currency === invoice.currency)
      // A plan may have begun meanwhile: while it runs nothing is late.
      if (!rule || invoice.reversed || invoice.plan_id !== null) return
      const { rows: before } = await sql<{
        key: string
        fined: number
      }>`select l.rule ->> 'fine' as key, sum(l.amount)::float8 as fined
        from invoice_lines l where l.invoice_id = ${id} and l.rule ? 'fine' group by 1`.execute(tx)
      const fined = new Map(before.map((one) => [Number(one.key), one.fined]))
      const { rows: today } = await sql<{ day: string }>`select university_today()::text as day`.execute(tx)
      const settled = settledOf(invoice.installments, invoice.settled)
      const all = [...fined.values()].reduce((sum, one) => sum + one, 0)
      for (const [i, part] of invoice.installments.entries()) {
        const days_late = daysBetween(part.due_date, today[0]!.day)
        // Fines are no reason for further fines: they stand in the last instalment.
        const own = i === invoice.installments.length - 1 ? all : 0
        const overdue = Math.max(0, part.amount - own - settled[i]!)
        const amount = days_late > 0 ? fineDue(rule, { overdue, days_late, fined: fined.get(part.id) ?? 0 }) : 0
        if (amount === 0) continue
        // Whoever pays meanwhile waits; what this one charges is seen by the next.
        await writeNote(
          ctx,
          tx,
          await holdInvoice(tx, id),
          [
            {
              account: 'fines',
              item: 'fine',
              name: `Late fine, ${days_late} days`,
              name_local: `غرامة تأخير ${days_late} يومًا`,
              rule: { fine: part.id, days_late, overdue },
              unit_amount: amount,
              amount,
            },
          ],
          { kind: 'fine', reason: 'Paid late', reason_local: 'تأخر في السداد' },
        )
        charged++
      }
    })
  }
  return charged
}

/** Every morning: fines, then the holds of all who are late. */
export const dailyJob = defineJob<Record<string, never>, { fines: number }>({
  name: 'overdue-invoices',
  cron: '10 0 * * *',
  run: async ({ services }) => {
    const ctx = asSystem(services, 'Invoices that are overdue')
    const fines = await chargeFines(ctx)
    await ctx.write((tx) => followDebts(ctx, tx, null), { patience: 60_000 })
    return { fines }
  },
})
