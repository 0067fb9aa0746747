/** What a recheck costs: charged where it is asked, and given back where the university gives it back. */
import { universitySettingsOf } from '#areas/common/settings/university/university.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { FEE, askFee, quoteFee, takeBackFee } from '#kit/server/workflow/fees.ts'
import type { Moved } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { recheckFlow } from './recheck.contract.ts'

/** Code of what looking at a mark again costs, among the prices of the year. */
const FEE_ITEM = 'RECHECK'
const WHAT = recheckFlow.one
/** Charges for a recheck, and tells its student; null: nothing is to be paid. */
export async function chargeFor(ctx: Ctx, tx: Tx, id: number): Promise<string | null> {
  const { rows } = await sql<{ student_id: number; user_id: number | null }>`
    select r.student_id, s.user_id from grade_rechecks t join registrations r on r.id = t.registration_id
      join students s on s.id = r.student_id where t.id = ${id} and t.kind = 'recheck'`.execute(tx)
  if (!rows[0]) return null
  return askFee(ctx, tx, { workflow: recheckFlow.name, id, fee: FEE_ITEM, what: WHAT, area: 'grading', ...rows[0] })
}
/** What a student is told before asking: what it costs, and whether that is given back where the mark changes; null: nothing. */
export async function costOf(ctx: Ctx, db: Db | Tx, student_id: number) {
  const price = await quoteFee(db, { fee: FEE_ITEM, student_id })
  if (!price) return null
  const { recheck_fee_back } = await universitySettingsOf(ctx, ['recheck_fee_back'])
  return { ...price, back: recheck_fee_back === 'true' }
}
/** SQL of what the request `t` costs. */
export const FEE_OF =
  sql.raw(`(select json_build_object('invoice_id', i.id, 'number', i.number, 'amount', b.charged, 'currency', i.currency,
    'paid', b.settled >= b.charged)
  from request_fees f join invoices i on i.id = f.invoice_id join invoice_balances b on b.invoice_id = i.id
  where f.workflow = '${recheckFlow.name}' and f.record_id = t.id and f.taken_back_at is null)`)

/** What a step does with the fee. What was paid, or is paid no more, is known where it was charged. */
export async function feeAfter(
  ctx: Ctx,
  tx: Tx,
  {
    id,
    action,
    from,
    reason,
  }: Pick<Moved, 'id' | 'from' | 'reason'> & { readonly action: keyof typeof recheckFlow.actions },
): Promise<void> {
  if (action === FEE.charge && ctx.system === null && (await chargeFor(ctx, tx, id)) === null)
    throw refuse(409, 'fee_nothing', { fee: FEE_ITEM })
  const back =
    action === 'cancel' ||
    (action === 'reject' && from === FEE.due) ||
    (action === FEE.waive && ctx.system === null) ||
    (action === 'accept' && (await universitySettingsOf(ctx, ['recheck_fee_back'])).recheck_fee_back === 'true')
  if (back)
    await takeBackFee(ctx, tx, { workflow: recheckFlow.name, id }, reason ?? recheckFlow.actions[action].label[0])
}
