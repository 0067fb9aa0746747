/** Transactions, held in the one order; and taken back: what they settled is open again, what they put into the wallet leaves it. */
import { followDebts, tellAccounts } from '#areas/invoices/holds.server.ts'
import { postEntries } from '#areas/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Refusal } from '#kit/server/errors.ts'
import { sql } from 'kysely'

/**
 * Holds transactions, their payers before them: each in the order of their ids. Whoever books, gives back or cancels does it in
 * this order, so that of two one waits, and neither for the other.
 */
export async function holdTransactions(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`select from payers where id in (select payer_id from transactions where id = any(${[...ids]}::int[]))
    order by id for no key update`.execute(tx)
  await sql`select from transactions where id = any(${[...ids]}::int[]) order by id for no key update`.execute(tx)
}

/**
 * The one way to cancel: transactions that are under way or booked, those by entries that turn theirs round; others of them stay
 * as they are. Of one that was paid back, in whole or part, or is asked back, the rest is not the payer's to lose: it is refused
 * by name.
 *
 * @returns how many were cancelled
 */
export async function cancelTransactions(ctx: Ctx, tx: Tx, ids: readonly number[], reason: string): Promise<number> {
  if (!ids.length) return 0
  await holdTransactions(tx, ids)
  const { rows } = await sql<{
    id: number
    number: string
    payer_id: number
    entry_id: string | null
    refunded: boolean
    asked: boolean
  }>`
    select t.id, t.number, t.payer_id, t.entry_id, exists (select from transactions r where r.refund_of = t.id
      and r.status in ('new', 'pending', 'paid')) as refunded,
      exists (select from refund_requests q where q.payment_id = t.id and q.status in ('asked', 'approved')) as asked
    from transactions t where t.id = any(${[...ids]}::int[]) and t.status in ('new', 'pending', 'paid') order by t.id`.execute(
    tx,
  )
  const kept = rows.filter((one) => one.refunded || one.asked)
  if (kept.length)
    throw new Refusal(
      409,
      kept.slice(0, 20).map(({ number, refunded }) => ({
        code: refunded ? 'transaction_refunded' : 'transaction_asked_back',
        data: { number },
      })),
    )
  const payers = [...new Set(rows.map((one) => one.payer_id))]
  await postEntries(
    tx,
    rows.flatMap((one) =>
      one.entry_id === null
        ? []
        : [{ source: `transaction:${one.id}:cancelled`, reversal_of: Number(one.entry_id), reason }],
    ),
  )
  await sql`update transactions set status = 'cancelled', reason = ${reason}, decided_by = ${ctx.actor?.user_id ?? null}, version = version + 1
    where id = any(${rows.map((one) => one.id)}::int[])`.execute(tx)
  await followDebts(ctx, tx, payers)
  await tellAccounts(ctx, tx, payers)
  return rows.length
}
