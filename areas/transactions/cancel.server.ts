/** Takes booked transactions back: what they settled is open again, what they put into the wallet leaves it. */
import { followDebts, tellAccounts } from '#areas/invoices/holds.server.ts'
import { postEntries } from '#areas/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Refusal } from '#kit/server/errors.ts'
import { sql } from 'kysely'

/**
 * Cancels transactions that are paid, by entries that turn theirs round; others of them stay as they are. Of one that was paid
 * back, in whole or part, the rest is not the payer's to lose: it is refused by name. Holds rows and payers in the order in
 * which booking does.
 *
 * @returns how many were cancelled
 */
export async function cancelTransactions(ctx: Ctx, tx: Tx, ids: readonly number[], reason: string): Promise<number> {
  if (!ids.length) return 0
  const { rows } = await sql<{ id: number; number: string; payer_id: number; entry_id: string; refunded: boolean }>`
    select t.id, t.number, t.payer_id, t.entry_id, exists (select from transactions r where r.refund_of = t.id
      and r.status in ('new', 'pending', 'paid')) as refunded
    from transactions t where t.id = any(${[...ids]}::int[]) and t.status = 'paid' and t.entry_id is not null
    order by t.id for no key update of t`.execute(tx)
  const refunded = rows.filter((one) => one.refunded)
  if (refunded.length)
    throw new Refusal(
      409,
      refunded.slice(0, 20).map(({ number }) => ({ code: 'transaction_refunded', data: { number } })),
    )
  const payers = [...new Set(rows.map((one) => one.payer_id))]
  await sql`select from payers where id = any(${payers}::int[]) order by id for no key update`.execute(tx)
  await postEntries(
    tx,
    rows.map((one) => ({ source: `transaction:${one.id}:cancelled`, reversal_of: Number(one.entry_id), reason })),
  )
  await sql`update transactions set status = 'cancelled', reason = ${reason}, decided_by = ${ctx.actor?.user_id ?? null}
    where id = any(${rows.map((one) => one.id)}::int[])`.execute(tx)
  await followDebts(ctx, tx, payers)
  await tellAccounts(ctx, tx, payers)
  return rows.length
}
