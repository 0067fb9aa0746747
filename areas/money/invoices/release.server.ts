/** What is paid of an invoice and no longer charged moves into the wallet of its payer. */
import type { LedgerEntry } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'

/**
 * A transaction with what it takes back of the invoice, and the entry that settles less: whoever asks books it, and marks the
 * transaction as paid.
 */
export async function releaseToWallet(
  tx: Tx,
  of: {
    readonly payer_id: number
    readonly invoice_id: number
    readonly currency: string
    readonly amount: number
    readonly reason: string
    /** What it follows from, as the ledger tells it. */
    readonly told: string
  },
): Promise<{ readonly id: number; readonly entry: LedgerEntry }> {
  const { payer_id, invoice_id, currency, amount, reason, told } = of
  const { rows } = await sql<{ id: number }>`
    insert into transactions (payer_id, direction, way, purpose, currency, amount, status, invoice_id, reason, created_by)
    values (${payer_id}, 'out', 'wallet', 'cash_back', ${currency}, ${amount}, 'new', ${invoice_id}, ${reason},
      nullif(nullif(current_setting('ems.actor', true), '')::jsonb ->> 'actor_id', '')::int) returning id`.execute(tx)
  const { id } = firstRow(rows)
  await sql`insert into transaction_allocations (transaction_id, invoice_id, amount) values (${id}, ${invoice_id}, ${-amount})`.execute(
    tx,
  )
  return {
    id,
    entry: {
      kind: 'wallet',
      source: `transaction:${id}`,
      currency,
      settles: true,
      reason: told,
      postings: [
        { role: 'receivable', payer_id, invoice_id, amount },
        { role: 'wallet', payer_id, amount: -amount },
      ],
    },
  }
}
