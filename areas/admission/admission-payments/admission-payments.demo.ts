import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { chargeApplicant } from './fees/charge.server.ts'
import type { FeeKind } from './fees/fee.rules.ts'

/** Nobody is written to while the demo university is loaded. */
const QUIET = {
  actor: null,
  services: { events: { publish: async () => {} }, jobs: { send: async () => {} } },
} as unknown as Ctx

/**
 * Whoever sent an application in has paid for it, by number or card. Those who are asked for the fee of the exam or of a seat owe it
 * still; one of them has paid a part.
 */
export default demoPart(
  ['applicant_fees'],
  ['applicants', 'applicant_degrees', 'admissions', 'invoices', 'transactions', 'debts', 'sponsorships', 'batches'],
  async (tx) => {
    const { rows: applicants } = await sql<{ id: number; status: string }>`select id, status from applicants
      where status not in ('INCOMPLETE', 'CANCELLED', 'REJECTED') and removed_at is null order by id`.execute(tx)
    let n = 0
    const charge = async (id: number, fee: FeeKind, part: number) => {
      const charged = await chargeApplicant(QUIET, tx, id, fee)
      if (!charged || part === 0) return
      const way = n % 3 === 2 ? 'card' : 'mobile'
      const { rows } = await sql<{ id: number }>`
        insert into transactions (payer_id, way, currency, amount, status, invoice_id, provider, provider_reference)
        select i.payer_id, case when i.currency = 'EGP' then ${way} else 'card' end, i.currency, b.charged * ${part}::int / 100, 'pending', i.id,
          case when i.currency = 'EGP' and ${way} = 'mobile' then 'fawry' else 'paymob' end, ${`DEMO-A${++n}`}
        from invoices i join invoice_balances b on b.invoice_id = i.id where i.id = ${charged.invoice_id} returning id`.execute(
        tx,
      )
      await bookTransactions(QUIET, tx, [firstRow(rows).id])
    }
    for (const { id, status } of applicants) {
      await charge(id, 'application', 100)
      if (status === 'EXAM_FEES_REQUIRED') await charge(id, 'exam', 0)
      if (status === 'FINAL_FEES_REQUIRED') await charge(id, 'final', 40)
    }
    await sql`update applicant_fees f set settled = true from invoice_balances b
      where b.invoice_id = f.invoice_id and b.settled >= b.charged`.execute(tx)
  },
)
