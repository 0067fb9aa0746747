import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'
import { firstRow } from '#db/rows.ts'
import { issueInvoices } from '#areas/money/invoices/issue.server.ts'
import { payerOfGuest, payerOfStaff } from '#areas/money/ledger/post.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { bookTransactions } from './book.server.ts'

/** Nobody is told while the demo university is loaded. */
const QUIET = {
  actor: null,
  services: { events: { publish: async () => {} }, jobs: { send: async () => {} } },
} as unknown as Ctx

/** Who is charged beside students: a job or a document, what for, how much in piasters, and how much of it was paid by transfer. */
const CHARGED = [
  ['Finance Officer', 'Lost staff card', 'بدل فاقد بطاقة عامل', 15_000, 0],
  ['Faculty Registrar', 'Use of the sports hall', 'استخدام الصالة الرياضية', 60_000, 60_000],
  ['28703152100348', 'Use of a hall', 'استخدام قاعة', 250_000, 100_000],
  ['AB4471902', 'Printing of posters', 'طباعة ملصقات', 42_000, 50_000],
] as const

/** Invoices of staff and guests: open, paid in part, paid, and more than was owed. */
export default demoPart(
  ['payers_of_staff_and_guests'],
  ['guests', 'employee_contracts', 'invoices', 'transactions', 'debts', 'batches', 'sponsorships', 'applicant_fees'],
  async (tx) => {
    for (const [known, name, name_local, amount, paid] of CHARGED) {
      const { rows } = await sql<{ staff_id: number | null; guest_id: number | null; faculty_id: number | null }>`
        select u.id as staff_id, g.id as guest_id, u.faculty_id from (values (1)) one
          left join lateral (select u.id, u.faculty_id from users u join job_titles j on j.id = u.job_title_id where j.name = ${known} order by u.id limit 1) u on true
          left join guests g on g.document_number = ${known}`.execute(tx)
      const { staff_id, guest_id, faculty_id } = firstRow(rows)
      if (staff_id === null && guest_id === null) throw new Error(`The demo university knows no ${known}`)
      const payer_id = staff_id === null ? await payerOfGuest(tx, guest_id ?? 0) : await payerOfStaff(tx, staff_id)
      const issued = await issueInvoices(QUIET, tx, [
        {
          payer_id,
          faculty_id,
          year_id: null,
          term_id: null,
          program_id: null,
          level: null,
          type: 'extra',
          currency: 'EGP',
          lines: [{ account: 'services', item: 'extra', name, name_local, unit_amount: amount, amount }],
          installments: [{ amount, due_date: addDays(dayOf(), 14) }],
        },
      ])
      if (paid === 0) continue
      const { rows: made } = await sql<{ id: number }>`
        insert into transactions (payer_id, way, currency, amount, status, invoice_id, bank_id)
        values (${payer_id}, 'bank', 'EGP', ${paid}, 'pending', ${firstRow(issued).id}, (select min(b.id) from banks b join currencies c on c.id = b.currency_id
          where c.code = 'EGP')) returning id`.execute(tx)
      await bookTransactions(QUIET, tx, [firstRow(made).id])
    }
  },
)
