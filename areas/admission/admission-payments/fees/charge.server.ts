/** Charges applicants, each fee by an invoice of its own, and takes charges back. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { ADMISSION_FEES } from '#areas/admission/admissions/words.contract.ts'
import type { ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'
import { holdInvoice, issueInvoices, reverseInvoice } from '#areas/money/invoices/issue.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { FEE_KINDS, type AskedFee, type ChargedFee, type FeeKind, type PayingFacts } from './fee.rules.ts'

/** Days in which a fee is paid where the admission names none. */
const DAYS = 14

/** SQL: the fees that its admission asks of the applicant `t`: none for the seat of whoever has a full scholarship. Whoever names no nationality is a foreigner. */
const ASKED_OF = sql`f.admission_id = t.admission_id
  and (f.asked_of = 'all' or (f.asked_of = 'egyptian') = (t.nationality_id is not distinct from 64))
  and not (f.fee = 'final' and t.full_scholarship_id is not null)`

/** What decides which fees an applicant can pay; `writable`: whether the form can still be sent in. */
export async function payingFacts(db: Db | Tx, id: number, writable: boolean): Promise<PayingFacts> {
  const { rows } = await sql<{
    status: ApplicantStatus
    exam_attempt: number
    asked: AskedFee[]
    charged: ChargedFee[]
  }>`select t.status, t.exam_attempt::int as exam_attempt,
      coalesce((select json_agg(json_build_object('fee', f.fee, 'currency', f.currency, 'amount', f.amount) order by f.position)
        from admission_fees f where ${ASKED_OF}), '[]') as asked,
      coalesce((select json_agg(json_build_object('invoice_id', f.invoice_id, 'fee', f.fee, 'attempt', f.attempt, 'currency', i.currency,
          'charged', coalesce(b.charged, 0), 'open', coalesce(b.charged - b.settled, 0)) order by f.invoice_id)
        from applicant_fees f join invoices i on i.id = f.invoice_id left join invoice_balances b on b.invoice_id = i.id
        where f.applicant_id = t.id and f.taken_back_at is null), '[]') as charged
    from applicants t where t.id = ${id}`.execute(db)
  return { ...firstRow(rows), writable }
}

/** The payer that an applicant is: made with the first charge. The applicant is held. */
async function payerOf(tx: Tx, applicant: number): Promise<number> {
  await sql`insert into payers (applicant_id) values (${applicant}) on conflict do nothing`.execute(tx)
  const { rows } = await sql<{ id: number }>`select id from payers where applicant_id = ${applicant}`.execute(tx)
  return firstRow(rows).id
}

interface Charged {
  readonly invoice_id: number
  /** What stood in the wallet settled it at once. */
  readonly settled: boolean
}
/**
 * Charges an applicant, who is held, for a fee, as much as the admission asks now; null: it asks nothing of this applicant. What was
 * charged already stays as it is. What lies in the wallet settles it at once, so that nobody pays twice.
 */
export async function chargeApplicant(ctx: Ctx, tx: Tx, id: number, fee: FeeKind): Promise<Charged | null> {
  const { rows } = await sql<{
    attempt: number
    there: number | null
    program_id: number | null
    faculty_id: number | null
    term_id: number
    year_id: number | null
    pay_until: string | null
    closes_at: string
    name: string
    name_local: string
    currency: string | null
    amount: number | null
  }>`select x.attempt, (select f.invoice_id from applicant_fees f where f.applicant_id = t.id and f.fee = ${fee} and f.attempt = x.attempt
        and f.taken_back_at is null) as there,
      p.id as program_id, p.faculty_id, a.term_id, w.year_id, a.pay_until::text as pay_until, a.closes_at, a.name, a.name_local,
      f.currency, f.amount::float8 as amount
    from applicants t join admissions a on a.id = t.admission_id join terms w on w.id = a.term_id left join programs p on p.id = t.program_id
      cross join lateral (select case when ${fee} = 'exam' then t.exam_attempt::int else 1 end as attempt) x
      left join admission_fees f on f.fee = ${fee} and ${ASKED_OF}
    where t.id = ${id}`.execute(tx)
  const of = firstRow(rows)
  if (of.there !== null) return { invoice_id: of.there, settled: false }
  if (of.currency === null || of.amount === null) return null
  const { attempt, currency, amount } = of
  const payer_id = await payerOf(tx, id)
  const today = dayOf()
  const until = fee === 'final' ? of.pay_until : fee === 'application' ? dayOf(new Date(of.closes_at)) : null
  const [label, local] = ADMISSION_FEES.find(({ value }) => value === fee)!.label
  const again = fee === 'exam' && attempt > 1 ? ` (${attempt})` : ''
  const [issued] = await issueInvoices(ctx, tx, [
    {
      payer_id,
      year_id: of.year_id,
      term_id: of.term_id,
      type: 'admission',
      currency,
      faculty_id: of.faculty_id,
      program_id: of.program_id,
      level: null,
      told: true,
      lines: [
        {
          account: 'admission',
          item: `admission_${fee}`,
          name: `${label}${again} · ${of.name}`,
          name_local: `${local}${again} · ${of.name_local}`,
          unit_amount: amount,
          amount,
        },
      ],
      installments: [{ amount, due_date: until !== null && until >= today ? until : addDays(today, DAYS) }],
    },
  ])
  const invoice_id = issued!.id
  await sql`insert into applicant_fees (invoice_id, applicant_id, fee, attempt) values (${invoice_id}, ${id}, ${fee}, ${attempt})`.execute(
    tx,
  )
  return { invoice_id, settled: await settleFromWallet(ctx, tx, payer_id, invoice_id, currency, amount) }
}

/** Settles an invoice of a payer, who is held, by what the wallet holds; whether that is all of it. */
async function settleFromWallet(
  ctx: Ctx,
  tx: Tx,
  payer_id: number,
  invoice_id: number,
  currency: string,
  amount: number,
): Promise<boolean> {
  const { rows } = await sql<{ wallet: number }>`select b.wallet::float8 as wallet from payer_balances b
    where b.payer_id = ${payer_id} and b.currency = ${currency} and b.wallet > 0`.execute(tx)
  const there = Math.min(amount, rows[0]?.wallet ?? 0)
  if (there <= 0) return false
  const { rows: made } = await sql<{ id: number }>`
    insert into transactions (payer_id, way, currency, amount, invoice_id, created_by)
    values (${payer_id}, 'wallet', ${currency}, ${there}, ${invoice_id}, ${ctx.actor?.user_id ?? null}) returning id`.execute(
    tx,
  )
  await bookTransactions(ctx, tx, [firstRow(made).id], { only: true })
  return there === amount
}

/** Charges of an applicant that stand, the oldest first. */
export async function chargesOf(
  tx: Tx,
  id: number,
): Promise<{ invoice_id: number; fee: FeeKind; attempt: number; settled: boolean; exam_attempt: number }[]> {
  const { rows } = await sql<{
    invoice_id: number
    fee: FeeKind
    attempt: number
    settled: boolean
    exam_attempt: number
  }>`select f.invoice_id, f.fee, f.attempt::int as attempt, coalesce(b.settled >= b.charged, false) as settled,
      t.exam_attempt::int as exam_attempt
    from applicant_fees f join applicants t on t.id = f.applicant_id left join invoice_balances b on b.invoice_id = f.invoice_id
    where f.applicant_id = ${id} and f.taken_back_at is null order by f.invoice_id`.execute(tx)
  return rows.filter((one) => FEE_KINDS.includes(one.fee))
}

/** Takes a charge back: its invoice is reversed, and what was paid of it goes into the applicant's wallet. */
export async function takeBackCharge(ctx: Ctx, tx: Tx, invoice_id: number, reason: string): Promise<void> {
  // The payer is held before the fee, as by whoever reverses the invoice by hand.
  const invoice = await holdInvoice(tx, invoice_id)
  await sql`update applicant_fees set taken_back_at = now(), settled = false, unsettled_at = null where invoice_id = ${invoice_id}`.execute(
    tx,
  )
  if (!invoice.reversed) await reverseInvoice(ctx, tx, invoice, reason)
}
