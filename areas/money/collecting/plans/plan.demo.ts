import { demoPart, usersByEmail } from '#demo/part.ts'
import { SILENT } from '#areas/money/transactions/transactions.demo.ts'
import { addDays } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { coveredBy } from './facts.server.ts'
import { applyPlan } from './judge.server.ts'
import { spreadPlan } from './plan.rules.ts'

const PLANS = [
  ['asked', 'My parents send the money at the end of each month.', null],
  ['asked', 'أعمل بعد الدراسة وأتقاضى راتبي أول الشهر.', null],
  ['running', 'Two of us study here this year.', null],
  ['refused', 'I bought a computer.', 'The reason is not one of those that the rules name'],
  ['withdrawn', 'كُتب بالخطأ.', null],
  ['broken', 'The harvest is sold in spring.', null],
] as const

/** Plans to pay in parts: two wait for finance, one is being paid, and others ended in their several ways. */
export default demoPart(
  ['payment_plans'],
  ['invoices', 'transactions', 'debts', 'payment_promises', 'reminders', 'payment_slips', 'users'],
  async (tx, demo) => {
    const officer = (await usersByEmail(tx)).get(`finance@${demo.university.domain}`) ?? null
    const { rows } = await sql<{
      id: number
      payer_id: number
      user_id: number
      open: number
      currency: string
    }>`
      select i.id, i.payer_id, s.user_id, (b.charged - b.settled)::float8 as open, i.currency from invoices i
        join invoice_balances b on b.invoice_id = i.id and b.charged - b.settled > 10000 join payers p on p.id = i.payer_id
        join students s on s.id = p.student_id and s.user_id is not null and s.removed_at is null
      where i.reversed_at is null and not exists (select from payment_promises o where o.payer_id = i.payer_id)
        and not exists (select from reminders r where r.invoice_id = i.id) and not exists (select from payment_slips u where u.invoice_id = i.id)
      order by i.id desc limit ${PLANS.length}`.execute(tx)
    for (const [at, one] of rows.entries()) {
      const [state, why, reason] = PLANS[at]!
      const first = addDays(demo.today, state === 'broken' ? -40 : 3 + at)
      const parts = spreadPlan(one.open, 3, first)
      const { rows: made } = await sql<{ id: number }>`
        insert into payment_plans (payer_id, invoice_id, currency, parts_asked, first_day, why, asked_by, created_at, state, parts, decided_by, decided_at,
          ended_at, reason)
        values (${one.payer_id}, ${one.id}, ${one.currency}, 3, ${first}, ${why}, ${one.user_id}, now() - ${at + 1} * interval '1 day',
          ${state === 'running' ? 'asked' : state}, ${state === 'broken' ? JSON.stringify(parts) : null}::jsonb,
          ${state === 'refused' || state === 'broken' ? officer : null}::int,
          ${state === 'refused' || state === 'broken' ? sql`now() - interval '1 day'` : null},
          ${state === 'asked' || state === 'running' ? null : sql`now() - interval '1 day'`}, ${reason}) returning id`.execute(
        tx,
      )
      const { id } = made[0]!
      if (state === 'running')
        await applyPlan(
          { ...SILENT, actor: { user_id: officer } } as unknown as Ctx,
          tx,
          { id, payer_id: one.payer_id, why },
          await coveredBy(tx, id),
          parts,
        )
    }
  },
)
