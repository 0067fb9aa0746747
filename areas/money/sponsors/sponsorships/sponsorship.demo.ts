import { firstRow } from '#db/rows.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { SILENT } from '#areas/money/transactions/transactions.demo.ts'
import { demoPart } from '#demo/part.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { billSponsor } from '../billing/bill.server.ts'
import { beginSponsorships } from './begin.server.ts'
import { withdraw } from './withdraw.server.ts'

/** Students of the company, of the ministry, and those whose sponsorship is only offered. */
const [COMPANY, MINISTRY, OFFERED] = [30, 8, 3]

/**
 * The company pays sixty percent of tuition and hours for thirty students, has its invoice of the term and paid a part of it. The
 * ministry paid a fixed amount for eight, and withdrew in mid-term.
 */
export default demoPart(
  ['sponsorships', 'sponsor_shares'],
  ['sponsors', 'invoices', 'transactions', 'debts', 'students', 'terms', 'batches', 'refund_requests', 'payment_slips'],
  async (tx, demo) => {
    const term = demo.current_terms.current_term
    const { rows: students } = await sql<{ id: number }>`
      select s.id from students s join payers p on p.student_id = s.id and p.main join invoices i on i.payer_id = p.id and i.reversed_at is null
        join invoice_balances b on b.invoice_id = i.id
      where i.term_id = ${term} and i.currency = 'EGP' and i.type in ('tuition', 'hours') and b.settled < b.charged and s.status = 'studying'
        and s.removed_at is null and s.id > 20 and s.id not between 201 and 204
        and exists (select from invoice_lines l where l.invoice_id = i.id and l.account in ('tuition', 'hours'))
        and not exists (select from refund_requests q where q.payer_id = p.id)
        and not exists (select from payment_slips u where u.invoice_id = i.id)
      order by row_number() over (partition by s.faculty_id order by s.id), s.id limit ${COMPANY + MINISTRY + OFFERED}`.execute(
      tx,
    )
    const add = async (
      of: readonly { id: number }[],
      sponsor_id: number,
      terms: { percent?: number; amount?: number; types?: string[] },
    ) =>
      (
        await sql<{ id: number }>`
          insert into sponsorships (sponsor_id, student_id, from_term_id, percent, amount, types, reference)
          select ${sponsor_id}, x, ${term}, ${terms.percent ?? null}::numeric, ${terms.amount ?? null}::bigint, ${terms.types ?? []}::text[],
            ${`L-${sponsor_id}-${dayOf().slice(0, 4)}`}
          from unnest(${of.map((one) => one.id)}::int[]) x returning id`.execute(tx)
      ).rows.map((row) => row.id)
    const company = await add(students.slice(0, COMPANY), 1, { percent: 60, types: ['tuition', 'hours'] })
    const ministry = await add(students.slice(COMPANY, COMPANY + MINISTRY), 2, { amount: 2_000_00 })
    await add(students.slice(COMPANY + MINISTRY), 1, { percent: 60, types: ['tuition', 'hours'] })
    await beginSponsorships(SILENT, tx, [...company, ...ministry])
    const pay = async (sponsor_id: number, part: number) => {
      const bill = await billSponsor(SILENT, tx, { sponsor_id, term_id: term })
      if (!bill) return
      const { rows } = await sql<{ id: number }>`
        insert into transactions (payer_id, way, currency, amount, status, invoice_id, note)
        values (${bill.payer_id}, 'bank', ${bill.currency}, ${Math.floor((bill.amount * part) / 100)}, 'pending', ${bill.id}, ${`Transfer ${bill.number}`})
        returning id`.execute(tx)
      await bookTransactions(SILENT, tx, [firstRow(rows).id])
    }
    await pay(1, 40)
    await pay(2, 25)
    if (ministry.length)
      await withdraw(SILENT, tx, {
        sponsor_id: 2,
        which: sql`true`,
        day: dayOf(),
        due_on: addDays(dayOf(), 30),
        reason: 'Its budget of the year is used up',
      })
  },
)
