/**
 * Transactions, held in the one order; and taken back: what they settled is open again, what they put into the wallet leaves it, and
 * what they gave back settles what it settled before, as far as that still charges it.
 */
import { followDebts, tellAccounts } from '#areas/money/invoices/holds.server.ts'
import { releaseToWallet } from '#areas/money/invoices/release.server.ts'
import { holdPayers, postEntries, type LedgerEntry } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { settledBy, type SettledLine } from './moves/back.rules.ts'

/**
 * Holds transactions, their payers before them: each in the order of their ids. Whoever books, gives back or cancels does it in
 * this order, so that of two one waits, and neither for the other.
 */
export async function holdTransactions(tx: Tx, ids: readonly number[]): Promise<void> {
  await holdPayers(tx, sql`select payer_id from transactions where id = any(${[...ids]}::int[])`)
  await sql`select from transactions where id = any(${[...ids]}::int[]) order by id for no key update`.execute(tx)
}

/** What settled the invoices that payments settled, by payment, in its order; of transactions that count. */
export async function settledLinesOf(tx: Tx, payments: readonly number[]): Promise<Map<number, SettledLine[]>> {
  const { rows } = await sql<SettledLine & { payment: number }>`
    select x.payment, a.transaction_id, a.invoice_id, a.amount::float8 as amount, o.refund_of
    from (select distinct transaction_id as payment, invoice_id from transaction_allocations
        where transaction_id = any(${[...payments]}::int[]) and amount > 0) x
      join transaction_allocations a on a.invoice_id = x.invoice_id
      join transactions o on o.id = a.transaction_id and o.entry_id is not null and o.status in ('pending', 'paid')
    order by x.payment, a.id`.execute(tx)
  return Map.groupBy(rows, (row) => row.payment)
}

/**
 * The one way to cancel: transactions that are under way or booked, those by entries that turn theirs round; others of them stay
 * as they are. Of one that was paid back, in whole or part, or is asked back, the rest is not the payer's to lose: it is refused
 * by name. What a cancelled refund brings back and its invoice does not take any more goes into the wallet.
 *
 * @returns how much went into the wallet so
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
  const kept = rows.filter((row) => row.refunded || row.asked)
  if (kept.length)
    throw new Refusal(
      409,
      kept.slice(0, 20).map(({ number, refunded }) => ({
        code: refunded ? 'transaction_refunded' : 'transaction_asked_back',
        data: { number },
      })),
    )
  const payers = [...new Set(rows.map((row) => row.payer_id))]
  const back = await takenOut(
    tx,
    rows.flatMap((row) => (row.entry_id === null ? [] : [row.id])),
    reason,
  )
  const more = await brought(tx, rows, back, reason)
  const reversal = (id: number, entry_id: string) => ({
    source: `transaction:${id}:cancelled`,
    reversal_of: Number(entry_id),
    reason,
  })
  // All at once: what stands afterwards is what counts.
  const entries = await postEntries(tx, [
    ...rows.flatMap((row) => (row.entry_id === null ? [] : [reversal(row.id, row.entry_id)])),
    ...back.flatMap((one) => [reversal(one.id, one.entry_id), ...(one.rest ? [one.rest.entry] : [])]),
    ...more.map((one) => one.entry),
  ])
  const booked = new Map(entries.map((one) => [one.source, one.entry_id]))
  for (const { id, entry } of [...back.flatMap(({ rest }) => rest ?? []), ...more])
    await sql`update transactions set status = 'paid', entry_id = ${booked.get(entry.source)!}, booked_on = university_today(), paid_at = now()
      where id = ${id}`.execute(tx)
  if (back.length)
    await sql`update transactions set status = 'cancelled', reason = ${reason}, decided_by = ${ctx.actor?.user_id ?? null}, version = version + 1
      where id = any(${back.map((one) => one.id)}::int[])`.execute(tx)
  await sql`update transactions set status = 'cancelled', reason = ${reason}, decided_by = ${ctx.actor?.user_id ?? null}, version = version + 1
    where id = any(${rows.map((row) => row.id)}::int[])`.execute(tx)
  await followDebts(ctx, tx, payers)
  await tellAccounts(ctx, tx, payers)
  return more.reduce((sum, one) => sum + one.amount, 0)
}

interface Out {
  readonly id: number
  readonly entry_id: string
  /** What of it was not of payments that are cancelled: it stays in the wallet, by a move of its own. */
  readonly rest: { readonly id: number; readonly entry: LedgerEntry } | null
  readonly invoice_id: number
  /** What of it is of payments that are cancelled. */
  readonly taken: number
}
/**
 * What payments settled may have gone into the wallet since, because the invoice charges less: when they are cancelled it leaves the
 * wallet again. Such moves are taken back whole; what of them came from other payments is moved anew.
 */
async function takenOut(tx: Tx, payments: readonly number[], reason: string): Promise<Out[]> {
  const cancelled = new Set(payments)
  const lines = await settledLinesOf(tx, payments)
  const taken = new Map<number, number>()
  for (const id of payments)
    for (const one of settledBy(id, lines.get(id) ?? []).released)
      if (!cancelled.has(one.transaction_id))
        taken.set(one.transaction_id, (taken.get(one.transaction_id) ?? 0) + one.amount)
  if (!taken.size) return []
  const { rows } = await sql<{
    id: number
    entry_id: string
    payer_id: number
    invoice_id: number
    currency: string
    amount: number
    reason: string | null
    told: string | null
  }>`select t.id, t.entry_id, t.payer_id, t.invoice_id, t.currency, t.amount::float8 as amount, t.reason, e.reason as told
    from transactions t join ledger_entries e on e.id = t.entry_id
    where t.id = any(${[...taken.keys()]}::int[]) order by t.id for no key update of t`.execute(tx)
  const out: Out[] = []
  for (const { id, entry_id, amount, ...of } of rows) {
    const left = amount - taken.get(id)!
    out.push({
      id,
      entry_id,
      invoice_id: of.invoice_id,
      taken: taken.get(id)!,
      rest:
        left > 0
          ? await releaseToWallet(tx, { ...of, amount: left, reason: of.reason ?? reason, told: of.told ?? reason })
          : null,
    })
  }
  return out
}

/**
 * A refund that is cancelled settles again what it had left open. An invoice that charges less since, or that somebody paid
 * meanwhile, takes less than that: what is over moves into the wallet at once, as if it had been settled all along.
 */
async function brought(
  tx: Tx,
  cancelled: readonly { readonly id: number; readonly entry_id: string | null }[],
  out: readonly Out[],
  reason: string,
): Promise<{ readonly id: number; readonly entry: LedgerEntry; readonly amount: number }[]> {
  const booked = cancelled.flatMap((one) => (one.entry_id === null ? [] : [one.id]))
  const { rows } = await sql<{
    invoice_id: number
    payer_id: number
    currency: string
    open: number
    back: number
    settles: number
  }>`
    select i.id as invoice_id, i.payer_id, i.currency, (b.charged - b.settled)::float8 as open, x.back, x.settles
    from (select a.invoice_id, sum(-a.amount) filter (where t.refund_of is not null)::float8 as back, sum(-a.amount)::float8 as settles
        from transaction_allocations a join transactions t on t.id = a.transaction_id
        where a.transaction_id = any(${booked}::int[]) group by a.invoice_id) x
      join invoices i on i.id = x.invoice_id join invoice_balances b on b.invoice_id = i.id
    where x.back > 0 order by i.id`.execute(tx)
  const made: { id: number; entry: LedgerEntry; amount: number }[] = []
  for (const { invoice_id, payer_id, currency, open, back, settles } of rows) {
    const left = out.reduce((sum, one) => sum + (one.invoice_id === invoice_id ? one.taken : 0), 0)
    const amount = Math.min(back, settles + left - open)
    if (amount > 0)
      made.push({
        ...(await releaseToWallet(tx, { payer_id, invoice_id, currency, amount, reason, told: reason })),
        amount,
      })
  }
  return made
}
