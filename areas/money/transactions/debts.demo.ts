import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import { issueInvoices, type DraftInvoice } from '#areas/money/invoices/issue.server.ts'
import { postEntries } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { demoPart, usersByEmail } from '#demo/part.ts'
import { checkDigit } from '#demo/people.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { bookTransactions } from './book.server.ts'
import { payDemo, SILENT, type Invoice } from './transactions.demo.ts'

/** What students of this year have not paid in time: what for, in pounds, and since how many days it is late. */
const LATE = [
  ['Replacement of a card', 'بدل فاقد كارنيه', 150, 4, 'services'],
  ['Book not returned', 'كتاب لم يُرد', 640, 11, 'fines'],
  ['Damage in a laboratory', 'تلفيات في المعمل', 2200, 26, 'fines'],
  ['Training in the summer', 'تدريب صيفي', 3500, 38, 'services'],
  ['Room in the hall of residence', 'غرفة بالمدينة الجامعية', 5200, 52, 'services'],
  ['Sports club', 'النادي الرياضي', 800, 75, 'services'],
] as const
/** How much of a year's tuition graduates have paid, in turn, in percent. */
const PAID = [100, 100, 50, 100, 0, 100, 50, 100, 0, 100, 100, 50] as const
const TUITION = 18_000_00
/** What some who owe nothing have put into their wallets: pounds, and how many days ago. */
const CHARGED = [
  [500, 2],
  [1200, 5],
  [250, 9],
  [3000, 12],
  [750, 20],
  [1000, 33],
] as const

const line = (account: 'tuition' | 'services' | 'fines', name: string, name_local: string, amount: number) => ({
  account,
  item: name,
  name,
  name_local,
  unit_amount: amount,
  amount,
})

/** Issues and pays each its part, a week after its first day. */
async function issueAndPay(
  tx: Tx,
  drafts: readonly (DraftInvoice & { issued_on: string; part: number })[],
  shift: number,
) {
  const issued = await issueInvoices(
    SILENT,
    tx,
    drafts.map(({ part: _part, ...one }) => one),
  )
  const paid = drafts.flatMap((draft, i): (Invoice & { amount: number; on: string })[] => {
    const total = draft.lines.reduce((sum, { amount }) => sum + amount, 0)
    const of = { id: issued[i]!.id, payer_id: draft.payer_id, currency: draft.currency, total, first: total / 2 }
    return draft.part ? [{ ...of, amount: (total * draft.part) / 100, on: addDays(draft.issued_on, 7) }] : []
  })
  // Nothing of it lay in a drawer: those of the demo are closed.
  await payDemo(tx, paid, shift, null, 200_000)
}

/**
 * Graduates with what they were charged in their last year, paid, paid in part and not; what students of this year have not paid in
 * time, of whom all are held by older debts already; and what differed in drawers: one to be reviewed, one that was.
 */
/** Egyptians without a national id get one that agrees with birth date and gender and is nobody else's. */
async function nameByNumber(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: number; birth_date: string; gender: number }>`
    select id, birth_date::text, gender from students
    where nationality_id = 64 and national_id is null and birth_date is not null and gender is not null order by id`.execute(
    tx,
  )
  for (const [n, { id, birth_date, gender }] of rows.entries()) {
    const century = birth_date < '2000' ? '2' : '3'
    // Born in Giza; the thirteenth digit is odd for men and even for women.
    const thirteen = `${century}${birth_date.slice(2).replaceAll('-', '')}21${String(900 + n).slice(-3)}${gender === 1 ? 7 : 8}`
    await sql`update students set national_id = ${thirteen + String(checkDigit(thirteen))} where id = ${id}`.execute(tx)
  }
}

export default demoPart(
  ['debts'],
  [
    'invoices',
    'transactions',
    'cash_shifts',
    'payment_slips',
    'batches',
    'refund_requests',
    'students',
    'registrations',
  ],
  async (tx, demo) => {
    const users = await usersByEmail(tx)
    const cashier = users.get(`cashier@${demo.university.domain}`)
    const head = users.get(`finance.head@${demo.university.domain}`)
    if (!cashier || !head) return
    const today = dayOf()
    const now = demo.terms.find((one) => one.id === demo.current_terms.current_term)!
    const last = demo.terms.filter((one) => one.year_id === now.year_id - 1 && one.type !== 'summer').at(-1)
    const { rows: shifts } = await sql<{ id: number }>`select id from cash_shifts where number = 'S-DEMO'`.execute(tx)
    const shift = shifts[0]!.id
    const { rows: graduates } = await sql<{
      id: number
      faculty_id: number
      program_id: number
      level: number
    }>`
      with made as (
        insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, entry_term_id, level, gender, nationality_id, birth_date)
        select ((select max(x.code::bigint) from students x where x.code ~ '^[0-9]+$') + row_number() over (order by a.id))::text,
          split_part(a.name, ' ', 1) || ' ' || split_part(b.name, ' ', 2) || ' ' || split_part(b.name, ' ', -1),
          split_part(a.name_local, ' ', 1) || ' ' || split_part(b.name_local, ' ', 2) || ' ' || split_part(b.name_local, ' ', -1),
          a.faculty_id, a.program_id, a.bylaw_id, a.entry_term_id, a.level, a.gender, a.nationality_id, a.birth_date
        from (select s.*, row_number() over (order by s.level desc, s.id % 7, s.id) as n from students s where s.status = 'studying' and not s.is_second_record
          order by n limit ${PAID.length}) a
          join (select s.*, row_number() over (order by s.id % 11, s.id) as n from students s where s.status = 'studying' and not s.is_second_record
            order by n limit ${PAID.length}) b on b.n = a.n
        returning id, faculty_id, program_id, level)
      select * from made`.execute(tx)
    await nameByNumber(tx)
    await decideStatus(
      null,
      tx,
      graduates.map((graduate) => graduate.id),
      { to: 'graduated', decision: 'Graduated before this system was used', source: 'earlier' },
    )
    const { rows: payers } = await sql<{ student_id: number; id: number }>`
      select student_id, id from payers where student_id = any(${graduates.map((graduate) => graduate.id)}::int[]) and main`.execute(
      tx,
    )
    const payer = new Map(payers.map((one) => [one.student_id, one.id]))
    if (last)
      await issueAndPay(
        tx,
        graduates.map((graduate, i) => ({
          payer_id: payer.get(graduate.id)!,
          year_id: last.year_id,
          term_id: last.id,
          type: 'tuition' as const,
          currency: 'EGP',
          faculty_id: graduate.faculty_id,
          program_id: graduate.program_id,
          level: graduate.level,
          issued_on: last.start_date,
          lines: [line('tuition', 'Tuition of the term', 'مصروفات الفصل', TUITION)],
          installments: [1, 2].map((position) => ({
            position,
            amount: TUITION / 2,
            due_date: addDays(last.start_date, position === 1 ? 21 : 77),
          })),
          part: PAID[i]!,
        })),
        shift,
      )
    const { rows: held } = await sql<{ payer_id: number; faculty_id: number; program_id: number; level: number }>`
      select p.id as payer_id, s.faculty_id, s.program_id, s.level from students s join payers p on p.student_id = s.id and p.main
      where s.status = 'studying' and exists (select from student_holds h where h.student_id = s.id and h.kind = 'unpaid_invoice' and h.lifted_at is null)
      order by s.id`.execute(tx)
    if (held.length)
      await issueAndPay(
        tx,
        LATE.map(([name, name_local, pounds, late, account], i) => ({
          ...held[i % held.length]!,
          year_id: now.year_id,
          term_id: null,
          type: 'extra' as const,
          currency: 'EGP',
          issued_on: addDays(today, -late - 14),
          lines: [line(account, name, name_local, pounds * 100)],
          installments: [{ position: 1, amount: pounds * 100, due_date: addDays(today, -late) }],
          part: i === 3 ? 50 : 0,
        })),
        shift,
      )
    await sql`delete from student_holds where invoice_id is not null and lifted_at is not null`.execute(tx)

    const { rows: taken } = await sql<{
      amount: number
    }>`select coalesce(sum(amount), 0)::float8 as amount from transactions
      where shift_id = ${shift} and way = 'cash' and status = 'paid' and currency = 'EGP' and direction = 'in'`.execute(
      tx,
    )
    const { rows: charging } = await sql<{ payer_id: number }>`
      select p.id as payer_id from students s join payers p on p.student_id = s.id and p.main
      where s.status = 'studying' and exists (select from invoices i where i.payer_id = p.id)
        and not exists (select from payer_balances b where b.payer_id = p.id and b.owed > 0) order by s.id limit ${CHARGED.length}`.execute(
      tx,
    )
    for (const [i, { payer_id }] of charging.entries()) {
      const [pounds, days] = CHARGED[i]!
      const on = addDays(today, -days)
      const { rows } = await sql<{ id: number }>`
        insert into transactions (payer_id, way, purpose, currency, amount, status, provider, provider_reference, created_at, paid_at)
        values (${payer_id}, 'card', 'charge', 'EGP', ${pounds * 100}, 'pending', 'paymob', ${`DEMOW${i + 1}`}, ${on}::date + interval '11 hours',
          ${on}::date + interval '11 hours') returning id`.execute(tx)
      await bookTransactions(SILENT, tx, [firstRow(rows).id], { booked_on: on })
    }
    const { rows: earlier } = await sql<{
      id: number
    }>`insert into cash_shifts (number, cashier_id, opened_at, closed_at, note)
      values ('S-DEMO-2', ${cashier}, now() - interval '3 days 7 hours', now() - interval '3 days', 'Counted twice: a note more than the receipts say')
      returning id`.execute(tx)
    await sql`update cash_shifts set note = 'A note of 50 pounds given back as change by mistake' where id = ${shift}`.execute(
      tx,
    )
    for (const [id, opening, expected, difference] of [
      [shift, 100_000, 100_000 + taken[0]!.amount, -5_000],
      [earlier[0]!.id, 100_000, 100_000, 2_000],
    ] as const) {
      const [entry] = await postEntries(tx, [
        {
          kind: 'adjustment',
          source: `cash_shift:${id}:EGP`,
          currency: 'EGP',
          settles: true,
          reason: 'Count of the drawer',
          postings: [
            { role: 'cash', amount: difference },
            { role: 'cash_difference', amount: -difference },
          ],
        },
      ])
      await sql`insert into cash_counts (shift_id, currency, opening, expected, counted, entry_id)
        values (${id}, 'EGP', ${opening}, ${expected}, ${expected + difference}, ${entry!.entry_id})`.execute(tx)
    }
    // What lay there in other currencies was counted right.
    await sql`insert into cash_counts (shift_id, currency, opening, expected, counted)
      select ${shift}, currency, 0, sum(amount), sum(amount) from transactions where shift_id = ${shift} and way = 'cash' and status = 'paid'
        and direction = 'in' and currency <> 'EGP' group by currency`.execute(tx)
    await sql`update cash_shifts set reviewed_by = ${head}, reviewed_at = now() - interval '2 days',
      review_note = 'The student came back for it and got it' where id = ${earlier[0]!.id}`.execute(tx)
  },
)
