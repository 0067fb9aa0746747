/** Who may have paid a line that names nothing of ours: who owes just so much, and who paid from its account before. */
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { nameWords, type OpenDebt } from './match.rules.ts'

/** Who owes exactly one of these amounts, as a whole or as a part that is due. */
export async function debtsOf(db: Db | Tx, currency: string, amounts: readonly number[]): Promise<OpenDebt[]> {
  if (!amounts.length) return []
  const { rows } = await sql<{ payer_id: number; invoice_id: number; amounts: number[]; names: string }>`
    with wanted as materialized (select distinct a from unnest(${[...new Set(amounts)]}::bigint[]) as w (a)),
    open as (select i.id, i.payer_id, b.charged - b.settled as amount, b.settled from invoice_balances b join invoices i on i.id = b.invoice_id
      where b.settled < b.charged and i.currency = ${currency} and i.reversed_at is null),
    parts as (select o.id, o.payer_id, o.amount as part from open o
      union select o.id, o.payer_id, least(n.until - o.settled, n.amount) from open o join lateral (
        select n.amount, sum(n.amount) over (order by n.position) as until from installments n where n.invoice_id = o.id) n on n.until > o.settled)
    select p.payer_id, p.id as invoice_id, json_agg(distinct p.part) as amounts, max(coalesce(s.name || ' ' || s.name_local, o.name || ' ' || o.name_local,
        concat_ws(' ', q.name, q.name_local))) as names
    from parts p join wanted w on w.a = p.part join payers y on y.id = p.payer_id left join students s on s.id = y.student_id
      left join sponsors o on o.id = y.sponsor_id left join applicants q on q.id = y.applicant_id
    group by p.id, p.payer_id order by p.id`.execute(db)
  return rows.map(({ names, ...row }) => ({ ...row, amounts: row.amounts.map(Number), words: nameWords(names) }))
}

/** Payers of earlier lines by the account that they paid from. */
export async function payersByIban(db: Db | Tx, ibans: readonly string[]): Promise<Map<string, number[]>> {
  if (!ibans.length) return new Map()
  const { rows } = await sql<{ iban: string; payers: number[] }>`
    select l.iban, json_agg(distinct l.payer_id) as payers from batch_lines l join transactions t on t.id = l.transaction_id and t.status = 'paid'
    where l.live and l.iban = any(${[...new Set(ibans)]}::text[]) and l.payer_id is not null group by l.iban having count(distinct l.payer_id) <= 3`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.iban, row.payers]))
}
