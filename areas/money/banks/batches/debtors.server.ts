/** Who may have paid a line that names nothing of ours: who owes just so much, and who paid from its account before. */
import type { Db, Tx } from '#db/connect.ts'
import { sql, type RawBuilder } from 'kysely'
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
        u.name || ' ' || u.name_local, v.name || ' ' || v.name_local, concat_ws(' ', q.name, q.name_local))) as names
    from parts p join wanted w on w.a = p.part join payers y on y.id = p.payer_id left join students s on s.id = y.student_id
      left join sponsors o on o.id = y.sponsor_id left join applicants q on q.id = y.applicant_id
      left join users u on u.id = y.user_id left join guests v on v.id = y.guest_id
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

/**
 * SQL: who works here and guests that a line names, to follow the others that it may name; `k` holds what it says. A staff number that
 * is short may be anything: it names nobody.
 *
 * @param key a number of ours as lines write it
 */
export const othersNamed = (key: (column: string) => RawBuilder<unknown>): RawBuilder<unknown> => sql`union all
    select k.key, json_build_object('kind', 'student', 'payer_id', p.id)
      from k join users u on ${key('u.code')} = k.key and u.removed_at is null join payers p on p.user_id = u.id and p.main
      where length(k.key) >= 6
    union all
    select k.key, json_build_object('kind', 'student', 'payer_id', p.id)
      from k join instructors i on ${key('i.code')} = k.key and i.removed_at is null join payers p on p.user_id = i.user_id and p.main
      where length(k.key) >= 6
    union all
    select k.key, json_build_object('kind', 'student', 'payer_id', p.id)
      from k join guests v on (${key('v.code')} = k.key or ${key('v.document_number')} = k.key) and v.removed_at is null
        join payers p on p.guest_id = v.id where length(k.key) >= 6`
