/** Paying without an account: whoever has the key of an application sees what it costs, begins to pay, and asks how it stands. */
import { sql } from 'kysely'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { openWithKey } from '#areas/admission/applicants/apply/key.server.ts'
import { isWritable, type OpenedApplication } from '#areas/admission/applicants/apply/read.server.ts'
import {
  askedPayment,
  payOnline,
  underWay,
  waysOffered,
  type OnlinePayer,
} from '#areas/money/transactions/providers/pay.server.ts'
import { chargeApplicant, payingFacts } from '../fees/charge.server.ts'
import {
  FEE_KINDS,
  checkPaying,
  currentCharge,
  payableFees,
  type FeeKind,
  type PayingFacts,
} from '../fees/fee.rules.ts'
import { applicantPaymentCalls as calls, type ApplicantAccount, type ApplicantFeeStanding } from './payment.contract.ts'
import { paperTicket } from './ticket.server.ts'

/** An applicant as one who pays by a provider. */
const payerOf = ({ id, language }: OpenedApplication): OnlinePayer => ({
  within: sql`p.applicant_id = ${id}::int`,
  lang: language === 'ar' ? 'ar' : 'en',
})

type Bill = NonNullable<ApplicantFeeStanding['invoice']> & { readonly paid: ApplicantFeeStanding['paid'] }
async function billsOf(ctx: Ctx, invoices: readonly number[]): Promise<Map<number, Bill>> {
  const { rows } =
    await sql<Bill>`select i.id, i.number, (select min(n.due_date)::text from installments n where n.invoice_id = i.id) as due_date,
      coalesce((select json_agg(json_build_object('number', coalesce(x.receipt, x.number), 'way', x.way, 'amount', a.amount, 'on', x.booked_on) order by x.id)
        from transaction_allocations a join transactions x on x.id = a.transaction_id and x.status = 'paid' and x.direction = 'in'
        where a.invoice_id = i.id), '[]') as paid
    from invoices i where i.id = any(${[...invoices]}::int[])`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Fees that were charged for attempts that are over, and the one of each kind that counts now. */
function shownFees(facts: PayingFacts): { fee: FeeKind; attempt: number; invoice_id: number | null }[] {
  return FEE_KINDS.flatMap((fee) => {
    const charged = facts.charged
      .filter((one) => one.fee === fee)
      .map(({ attempt, invoice_id }) => ({ fee, attempt, invoice_id }))
    const asked = facts.asked.some((one) => one.fee === fee) && !currentCharge(facts, fee)
    return [...charged, ...(asked ? [{ fee, attempt: fee === 'exam' ? facts.exam_attempt : 1, invoice_id: null }] : [])]
  })
}

/** What an application costs, what of it is paid, and how the rest can be paid. */
async function accountOf(program: Ctx, opened: OpenedApplication): Promise<ApplicantAccount> {
  const facts = await payingFacts(program.db, opened.id, isWritable(opened))
  const bills = await billsOf(
    program,
    facts.charged.map((one) => one.invoice_id),
  )
  const payable = payableFees(facts)
  const fees: ApplicantFeeStanding[] = []
  for (const { fee, attempt, invoice_id } of shownFees(facts)) {
    const charge = facts.charged.find((one) => one.invoice_id === invoice_id)
    const asked = facts.asked.find((one) => one.fee === fee)
    const now = payable.find((one) => one.fee === fee && one.invoice_id === invoice_id)
    const bill = invoice_id === null ? undefined : bills.get(invoice_id)
    const currency = charge?.currency ?? asked?.currency ?? 'EGP'
    const amount = charge ? charge.charged : (asked?.amount ?? 0)
    const open = charge ? charge.open : amount
    fees.push({
      fee,
      attempt,
      state: open <= 0 ? 'paid' : open < amount ? 'part' : charge || now ? 'due' : 'later',
      currency,
      amount,
      open,
      invoice: bill ? { id: bill.id, number: bill.number, due_date: bill.due_date } : null,
      payable: now !== undefined,
      ways: now ? await waysOffered(program, currency) : [],
      under_way: invoice_id === null ? [] : await underWay(program, payerOf(opened), invoice_id),
      paid: bill?.paid ?? [],
    })
  }
  const { rows } = await sql<{
    wallets: ApplicantAccount['wallets']
  }>`select coalesce(json_agg(json_build_object('currency', b.currency,
      'amount', b.wallet) order by b.currency), '[]') as wallets
    from payer_balances b join payers p on p.id = b.payer_id where p.applicant_id = ${opened.id} and b.wallet > 0`.execute(
    program.db,
  )
  return { fees, wallets: firstRow(rows).wallets, ticket: await paperTicket(program, opened.id) }
}

const account = handle(calls.account, async (ctx, { body }) => {
  const { opened, program } = await openWithKey(ctx, body)
  return { data: await accountOf(program, opened) }
})

/** The fee that is paid: the named one, that of an invoice, or the first that is due. @throws {Refusal} 404, 409 */
function chosen(facts: PayingFacts, fee: FeeKind | undefined, invoice: number | null) {
  const of = invoice === null ? undefined : facts.charged.find((one) => one.invoice_id === invoice)
  if (invoice !== null && (!of || (fee !== undefined && of.fee !== fee))) throw refuse(404, 'not_found')
  const reasons = checkPaying(facts, of?.fee ?? fee)
  if (reasons.length) throw new Refusal(409, reasons)
  const payable = payableFees(facts)
  const one = of
    ? payable.find(({ invoice_id }) => invoice_id === invoice)
    : payable.find((each) => fee === undefined || each.fee === fee)
  if (!one) throw refuse(409, 'admission_fee_not_due')
  return one
}

/** Charges the fee where it was not charged yet, and begins to pay it. */
async function begin(
  ctx: Ctx,
  { way, fee, ...who }: { id: number; key: string; way: 'card' | 'mobile' | 'cash'; fee?: FeeKind | undefined },
  invoice: number | null,
) {
  const { opened, program } = await openWithKey(ctx, who)
  const due = await program.write(async (tx) => {
    // Of two devices that ask at once, the second finds what the first was charged.
    await sql`select from applicants where id = ${opened.id} for no key update`.execute(tx)
    const one = chosen(await payingFacts(tx, opened.id, isWritable(opened)), fee, invoice)
    if (one.invoice_id !== null) return { invoice_id: one.invoice_id, settled: false }
    const charged = await chargeApplicant(program, tx, opened.id, one.fee)
    if (!charged) throw refuse(409, 'admission_fee_not_due')
    return charged
  })
  const payment =
    way === 'cash' || due.settled ? null : await payOnline(program, payerOf(opened), due.invoice_id, { way })
  return { data: { ...(await accountOf(program, opened)), payment } }
}

/** Asks the provider; what it books is booked by the system, and leads the application on. */
async function check(ctx: Ctx, who: { id: number; key: string }, transaction: number, invoice: number | null) {
  const { opened, program } = await openWithKey(ctx, who)
  const { payment, answered } = await askedPayment(program, payerOf(opened), transaction)
  if (invoice !== null && payment.invoice_id !== invoice) throw refuse(404, 'not_found')
  return { data: { ...(await accountOf(program, opened)), payment, answered } }
}

export const applicantPaymentHandlers: readonly Handled[] = [
  account,
  handle(calls.create, (ctx, { body }) => begin(ctx, body, null)),
  handle(calls.createOf, (ctx, { params, body }) => begin(ctx, body, params.id)),
  handle(calls.check, (ctx, { params, body }) => check(ctx, body, params.transaction, null)),
  handle(calls.checkOf, (ctx, { params, body }) => check(ctx, body, params.transaction, params.id)),
]
