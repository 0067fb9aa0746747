/** What a sponsor paid of what it took over, by share: computed of its invoices by the rule that it has. */
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { paidOfLines, type SponsoredLine, type Spread } from '../shares/share.rules.ts'

interface OfInvoice {
  readonly spread: Spread
  readonly settled: number
  readonly lines: readonly SponsoredLine[]
}
/**
 * @param until as of a day: what was invoiced and paid by then
 * @returns by share: what is on invoices of the sponsor, and what of that is paid
 */
export async function paidByShare(
  db: Db | Tx,
  sponsor_id: number,
  until: string | null = null,
): Promise<Map<number, { billed: number; paid: number }>> {
  const { rows } = await sql<OfInvoice>`
    select o.spread,
      (select coalesce(sum(a.amount), 0)::float8 from transaction_allocations a join transactions t on t.id = a.transaction_id
        join ledger_entries e on e.id = t.entry_id
        where a.invoice_id = i.id and (t.status = 'paid' or (t.status = 'pending' and t.entry_id is not null))
          and (${until}::date is null or e.booked_on <= ${until}::date)) as settled,
      (select coalesce(json_agg(json_build_object('share_id', l.share_id, 'amount', l.amount, 'closed', l.closed) order by l.first), '[]') from (
        select l.share_id, sum(l.amount) as amount, min(l.id) as first, h.closed_at is not null as closed
        from invoice_lines l join sponsor_shares h on h.id = l.share_id left join invoice_notes n on n.id = l.note_id
        where l.invoice_id = i.id and (${until}::date is null or coalesce(n.issued_on, i.issued_on) <= ${until}::date)
        group by l.share_id, h.closed_at) l) as lines
    from invoices i join payers p on p.id = i.payer_id join sponsors o on o.id = p.sponsor_id
    where o.id = ${sponsor_id} and i.reversed_at is null and (${until}::date is null or i.issued_on <= ${until}::date) order by i.id`.execute(
    db,
  )
  const out = new Map<number, { billed: number; paid: number }>()
  for (const { spread, settled, lines } of rows) {
    const paid = paidOfLines(lines, settled, spread)
    for (const { share_id, amount } of lines) {
      const before = out.get(share_id) ?? { billed: 0, paid: 0 }
      out.set(share_id, { billed: before.billed + amount, paid: before.paid + (paid.get(share_id) ?? 0) })
    }
  }
  return out
}
