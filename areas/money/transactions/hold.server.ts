/** A transaction with everything that decides what of it may go back; held. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { reachedPayer } from '#areas/money/ledger/reach.server.ts'
import { sql, type RawBuilder } from 'kysely'
import type { PaidWay } from './book.server.ts'
import { holdTransactions, settledLinesOf } from './cancel.server.ts'
import { settledBy } from './moves/back.rules.ts'

/** SQL: whether the student `s` is within reach. */
export const studentReached = (ctx: Ctx, key: PermissionKey): RawBuilder<unknown> =>
  scopeCondition(ctx, key, studentReach(ctx, 's'))

/** SQL: what of the transaction `t` went back, or is on its way. */
export const REFUNDED = `coalesce((select sum(r.amount) from transactions r where r.refund_of = t.id and r.status in ('new', 'pending', 'paid')), 0)::float8`
/** SQL: what of the transaction `t` is asked back and not paid out yet. */
export const ASKED = `coalesce((select sum(q.amount) from refund_requests q where q.payment_id = t.id and q.status in ('asked', 'approved')), 0)::float8`

export interface HeldWallet {
  readonly id: number
  readonly number: string
  readonly payer_id: number
  readonly way: PaidWay
  readonly purpose: string
  readonly direction: 'in' | 'out'
  readonly currency: string
  readonly amount: number
  readonly status: string
  readonly entry_id: string | null
  readonly provider: string | null
  readonly provider_reference: string | null
  readonly refunded: number
  /** Asked back by others than the request that is looked at, and what of that lies in the wallet. */
  readonly asked: number
  readonly asked_from_wallet: number
  /** What the wallet holds beside what is asked for out of it. */
  readonly wallet: number
  readonly settles: readonly { invoice_id: number; amount: number }[]
  /** The bank account that it came into, and its account in the ledger. */
  readonly bank_id: number | null
  readonly account_id: number | null
  readonly shift_closed: boolean
  /** Whose drawer it went through. */
  readonly cashier_id: number | null
  readonly batch: boolean
  /** A refund by the provider that it has not answered. */
  readonly unanswered: boolean
}

/**
 * A transaction, its payer held before it: what it settles still, what of it went back and what is asked back.
 *
 * @param request of what is asked, this one is what is looked at
 */
export async function holdTransaction(
  ctx: Ctx,
  tx: Tx,
  id: number,
  key: PermissionKey,
  request: number | null = null,
): Promise<HeldWallet> {
  const { rows: found } =
    await sql`select from transactions t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id
    where t.id = ${id} and ${reachedPayer(ctx, key)}`.execute(tx)
  if (!found[0]) throw refuse(404, 'not_found')
  return readHeld(tx, id, request)
}

/** The same, whoever asks. */
export async function readHeld(tx: Tx, id: number, request: number | null = null): Promise<HeldWallet> {
  await holdTransactions(tx, [id])
  // Its drawer is counted before or after, not meanwhile.
  await sql`select from cash_shifts where id = (select shift_id from transactions where id = ${id}) for share`.execute(
    tx,
  )
  const lines = (await settledLinesOf(tx, [id])).get(id) ?? []
  const { rows } = await sql<Omit<HeldWallet, 'settles'>>`
    select t.id, t.number, t.payer_id, t.way, t.purpose, t.direction, t.currency, t.amount::float8 as amount, t.status, t.entry_id,
      t.provider, t.provider_reference, ${sql.raw(REFUNDED)} as refunded, coalesce(q.amount, 0)::float8 as asked, coalesce(q.from_wallet, 0)::float8 as asked_from_wallet,
      greatest(0, coalesce((select b.wallet from payer_balances b where b.payer_id = t.payer_id and b.currency = t.currency), 0)
        - (select coalesce(sum(o.from_wallet), 0) from refund_requests o where o.payer_id = t.payer_id and o.currency = t.currency
            and o.status in ('asked', 'approved') and o.id is distinct from ${request}::int))::float8 as wallet,
      t.bank_id, k.ledger_account_id as account_id, coalesce(h.closed_at is not null, false) as shift_closed, h.cashier_id,
      exists (select from batch_lines l where l.transaction_id = t.id and l.live and l.state <> 'not_booked') as batch,
      exists (select from provider_refunds f where f.payment_id = t.id and f.status = 'asked') as unanswered
    from transactions t left join banks k on k.id = t.bank_id left join cash_shifts h on h.id = t.shift_id
      left join lateral (select sum(q.amount) as amount, sum(q.from_wallet) as from_wallet from refund_requests q
        where q.payment_id = t.id and q.status in ('asked', 'approved') and q.id is distinct from ${request}::int) q on true
    where t.id = ${id}`.execute(tx)
  return { ...firstRow(rows), settles: settledBy(id, lines).settles }
}
