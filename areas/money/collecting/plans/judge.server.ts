/** What becomes of plans: agreed, the instalments of invoices are its parts; kept, broken or ended, they stand by themselves again. */
import { invoiceGone } from '#areas/money/invoices/gone.server.ts'
import { followDebts, tellAccounts } from '#areas/money/invoices/holds.server.ts'
import type { Instalment } from '#areas/money/invoices/invoice.rules.ts'
import { holdInvoice, setInstalments } from '#areas/money/invoices/issue.server.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { hear } from '#kit/server/base/hears.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { dayToday } from '../reminders/remind.server.ts'
import { coveredBy, planSettings, type Covered } from './facts.server.ts'
import { newParts, oldestOpen, planOutcome, sliceParts } from './plan.rules.ts'

interface Plan {
  readonly id: number
  readonly payer_id: number
  readonly student_id: number
  readonly user_id: number | null
  readonly decided_by: number | null
  readonly why: string
}
const plain = (parts: readonly Instalment[]) =>
  JSON.stringify(parts.map(({ amount, due_date }) => ({ amount, due_date })))

type Told =
  | 'notice_plan_agreed'
  | 'notice_plan_refused'
  | 'notice_plan_kept'
  | 'notice_plan_broken'
  | 'notice_plan_ended'
/** Tells the student, and of what is over before it is paid who agreed on it. */
export async function tellPlan(
  tx: Tx,
  { user_id, student_id, decided_by }: Pick<Plan, 'user_id' | 'student_id' | 'decided_by'>,
  key: Told,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  await notify(tx, [user_id], { key: `collecting.${key}`, data, link: '/student-payments', records: [student_id] })
  if (key !== 'notice_plan_broken' && key !== 'notice_plan_ended') return
  const { rows } = await sql<{ student: string; student_local: string | null }>`
    select name as student, name_local as student_local from students where id = ${student_id}`.execute(tx)
  await notify(tx, [decided_by], {
    key: 'collecting.notice_plan_over',
    data: { ...rows[0], ...data, reason: data.reason ?? '' },
    link: '/payment-plans',
  })
}

/** Brings a plan into force. The payers and the plan are held. */
export async function applyPlan(
  ctx: Ctx,
  tx: Tx,
  plan: Pick<Plan, 'id' | 'payer_id' | 'why'>,
  covers: readonly Covered[],
  parts: readonly Instalment[],
): Promise<void> {
  const slices = sliceParts(covers, parts)
  for (const { id } of covers) {
    const invoice = await holdInvoice(tx, id)
    await sql`insert into payment_plan_invoices (plan_id, invoice_id, parts_before)
      values (${plan.id}, ${id}, ${plain(invoice.installments)}::jsonb)`.execute(tx)
    await setInstalments(
      ctx,
      tx,
      invoice,
      newParts({ parts: invoice.installments, settled: invoice.settled }, slices.get(id)!),
      {
        kind: 'plan',
        reason: plan.why,
      },
    )
    await sql`update invoices set plan_id = ${plan.id}, version = version + 1 where id = ${id}`.execute(tx)
  }
  await sql`update payment_plans set state = 'running', parts = ${plain(parts)}::jsonb, decided_by = ${ctx.actor?.user_id ?? null},
    decided_at = now(), version = version + 1 where id = ${plan.id}`.execute(tx)
  await followDebts(ctx, tx, [plan.payer_id])
  await tellAccounts(ctx, tx, [plan.payer_id])
}

/** The only way in which plans that run come to an end. Its invoices stand by themselves from then on. */
async function over(tx: Tx, id: number, state: 'kept' | 'broken' | 'ended', reason: string | null): Promise<void> {
  await sql`update invoices set plan_id = null, version = version + 1 where plan_id = ${id}`.execute(tx)
  await sql`update payment_plans set state = ${state}, reason = ${reason}, ended_at = now(), version = version + 1 where id = ${id}`.execute(
    tx,
  )
}

/** Ends a plan that runs before it is paid: the parts stay, each late from its own day on. */
export async function leavePlan(ctx: Ctx, tx: Tx, plan: Omit<Plan, 'why'>, reason: string): Promise<void> {
  await over(tx, plan.id, 'ended', reason)
  await followDebts(ctx, tx, [plan.payer_id])
  await tellAccounts(ctx, tx, [plan.payer_id])
  await tellPlan(tx, plan, 'notice_plan_ended', { reason })
}

/** SQL: what is told of a plan `t`. */
const PLAN = sql`select t.id, t.payer_id, p.student_id, s.user_id, t.decided_by, t.why from payment_plans t
  join payers p on p.id = t.payer_id join students s on s.id = p.student_id`
/** An invoice that is gone leaves its plan, and the plan ends with the last of them. What else it covers goes on. */
export const plansHeard = hear(invoiceGone, async (_ctx: Ctx, tx: Tx, invoice_id: number, reason: string) => {
  const { rows } = await sql<Plan>`${PLAN} join invoices i on i.plan_id = t.id
    where i.id = ${invoice_id} for no key update of t`.execute(tx)
  const [plan] = rows
  if (!plan) return
  await sql`update invoices set plan_id = null where id = ${invoice_id}`.execute(tx)
  const { rows: others } = await sql`select from invoices where plan_id = ${plan.id} limit 1`.execute(tx)
  if (others.length) return
  await over(tx, plan.id, 'ended', reason.slice(0, 500))
  await tellPlan(tx, plan, 'notice_plan_ended', { reason })
})

/** All that is not paid is due today. */
async function breakPlan(ctx: Ctx, tx: Tx, plan: Plan, covers: readonly Covered[], today: string): Promise<void> {
  const since = covers.flatMap((one) => oldestOpen(one) ?? []).toSorted()[0]!
  await over(tx, plan.id, 'broken', null)
  for (const { id, open } of covers) {
    if (open <= 0) continue
    const invoice = await holdInvoice(tx, id)
    const parts = newParts({ parts: invoice.installments, settled: invoice.settled }, [
      { amount: open, due_date: today },
    ])
    await setInstalments(ctx, tx, invoice, parts, { kind: 'plan', reason: since })
  }
  await followDebts(ctx, tx, [plan.payer_id])
  await tellAccounts(ctx, tx, [plan.payer_id])
  await tellPlan(tx, plan, 'notice_plan_broken', { day: since })
}

export interface PlansJudged {
  readonly kept: number
  readonly broken: number
}
/** Keeps and breaks plans, each in a transaction of its own. Who is not concerned is not held. */
export async function judgePlans(ctx: Ctx): Promise<PlansJudged> {
  const { grace } = await planSettings(ctx)
  const { rows } = await sql<{ id: number; payer_id: number }>`
    select t.id, t.payer_id from payment_plans t where t.state = 'running' and (
      not exists (select from invoices i join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged where i.plan_id = t.id)
      or exists (select from invoices i join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
        where i.plan_id = t.id and (select min(n.due_date) from (select n.due_date, sum(n.amount) over (order by n.position) as until
          from installments n where n.invoice_id = i.id) n where n.until > b.settled) < university_today() - ${grace}::int)) order by t.id`.execute(
    ctx.db,
  )
  const done = { kept: 0, broken: 0 }
  for (const { id, payer_id } of rows)
    await ctx.write(
      async (tx) => {
        await holdPayers(tx, sql`select ${payer_id}::int`)
        const { rows: held } =
          await sql<Plan>`${PLAN} where t.id = ${id} and t.state = 'running' for no key update of t`.execute(tx)
        const [plan] = held
        if (!plan) return
        const covers = await coveredBy(tx, id)
        const today = await dayToday(tx)
        const outcome = planOutcome(covers, { today, grace })
        if (outcome === null) return
        if (outcome === 'broken') await breakPlan(ctx, tx, plan, covers, today)
        else {
          await over(tx, id, 'kept', null)
          await tellAccounts(ctx, tx, [payer_id])
          await tellPlan(tx, plan, 'notice_plan_kept', {})
        }
        done[outcome]++
      },
      { patience: 60_000 },
    )
  return done
}
/** Every morning, before fines and reminders, and as soon as a plan is paid. */
export const planJob = defineJob<Record<string, never>, PlansJudged>({
  name: 'payment-plans',
  cron: '5 0 * * *',
  retries: 2,
  run: ({ services }) => judgePlans(asSystem(services, 'Payment plans')),
})
