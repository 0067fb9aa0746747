/** What a plan covers, or would cover, as it stands: read for whoever decides, for who looks, and by the clock. */
import type { Db, Tx } from '#db/connect.ts'
import type { Instalment } from '#areas/money/invoices/invoice.rules.ts'
import { universitySettingsOf } from '#areas/common/settings/university/university.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { UNDER_WAY } from '../reminders/facts.server.ts'
import type { CoveredInvoice, PlanLimits } from './plan.rules.ts'

/** An invoice that a plan covers. */
export interface Covered extends CoveredInvoice {
  readonly id: number
  readonly number: string
  readonly open: number
  /** As the plan found the instalments; none while it waits. */
  readonly before: readonly Instalment[]
}
/** SQL: the parts of the invoice `i` in their order. */
const PARTS = sql`(select coalesce(json_agg(json_build_object('amount', n.amount, 'due_date', n.due_date) order by n.position), '[]')
  from installments n where n.invoice_id = i.id)`
/** SQL: whether an invoice `i` of the payer `q` is what the plan `t` of the payer `p` would cover now. */
const WOULD_COVER = sql`(q.id = p.id or q.student_id = p.student_id) and i.currency = t.currency and i.reversed_at is null and i.plan_id is null
  and (t.invoice_id is null or i.id = t.invoice_id)`
/** SQL: what the plan `t` of the payer `p` covers: while it waits what it would cover, and once it is over what it covered. */
export const COVERS = sql`(select coalesce(json_agg(json_build_object('id', i.id, 'number', i.number, 'settled', b.settled,
    'open', greatest(0, b.charged - b.settled), 'parts', ${PARTS}, 'before', coalesce(v.parts_before, '[]'),
    'under_way', exists (select from installments n where n.invoice_id = i.id and ${UNDER_WAY} is not null)) order by i.id), '[]')
  from invoices i join invoice_balances b on b.invoice_id = i.id join payers q on q.id = i.payer_id
    left join payment_plan_invoices v on v.plan_id = t.id and v.invoice_id = i.id
  where case t.state when 'running' then i.plan_id = t.id when 'asked' then ${WOULD_COVER} and b.settled < b.charged
    else v.plan_id is not null end and i.id in (select o.id from invoices o where o.payer_id in (select r.id from payers r where r.id = p.id or r.student_id = p.student_id)))`

/** Invoices that a plan covers, of which whoever decides holds the payers. */
export async function coveredBy(tx: Db | Tx, id: number): Promise<Covered[]> {
  const { rows } = await sql<{ covers: Covered[] }>`
    select ${COVERS} as covers from payment_plans t join payers p on p.id = t.payer_id where t.id = ${id}`.execute(tx)
  return rows[0]?.covers ?? []
}

/** Limits of the university for what is asked, and after how many days an unpaid part breaks a plan. */
export async function planSettings(of: Pick<Ctx, 'db'>): Promise<PlanLimits & { readonly grace: number }> {
  const set = await universitySettingsOf(of, ['plan_most_parts', 'plan_first_days', 'plan_grace_days'])
  return {
    most_parts: Number(set.plan_most_parts),
    first_days: Number(set.plan_first_days),
    grace: Number(set.plan_grace_days),
  }
}
