import { owned, type Door, type Label } from '#kit/contract/index.ts'
import { INVOICE_STATES } from './invoices/invoice.contract.ts'

type State = (typeof INVOICE_STATES)[number]['value']
/** Money that comes. */
const COMES: readonly Door[] = [
  'POST /cashier/take',
  'POST /payments/pay_from_wallet/{id}',
  'POST /transactions/put',
  'POST /transactions/provider-events/{id}/decide',
  // A refund that the provider did not make.
  'POST /payments/refunds/unanswered/{id}',
  { steps: 'slip' },
  { steps: 'batch' },
]
/** Money that goes back. */
const GOES: readonly Door[] = [
  'POST /transactions/cancel-transaction',
  'POST /payments/refund',
  'POST /payments/refund/{id}',
  'POST /payments/refunds/{id}/pay_out',
  'POST /payments/direct_cash_back/{id}',
]
/** What is asked for anew. */
const ISSUED: readonly Door[] = [
  'POST /payments/create_payment/{id}',
  'POST /payments/create_payer_payment',
  'POST /payments/apply_next_invoice/{id}',
  { job: 'next-invoices' },
  { fees: 'of requests' },
  // Fees of applicants.
  'POST /admission/website/transaction/create',
  { steps: 'applicant' },
  // Beds that are given.
  { steps: 'hotel_reservation' },
  // What is sat again.
  'POST /control/levels/second-session',
]
/** Notes: more is asked for, or less. */
const NOTES: readonly Door[] = [
  'POST /payments/edit-invoice/{id}',
  'POST /payments/edit-invoice',
  'PUT /payment/items/edit/{id}',
  'PUT /payment/items/edit_amount/{id}',
  { job: 'reprice-invoices' },
  // Prices that were changed after it was issued.
  'POST /outdated-decisions/renew',
]
/** What a sponsor takes over, and what goes back to the student. */
const SPONSORED: readonly Door[] = [
  'POST /sponsorships/begin',
  'POST /sponsorships/add-many',
  'POST /sponsors/{id}/withdraw',
]
const PAID: Label = ['postings of the ledger', 'القيود المحاسبية']
const OWNERS: Readonly<Record<State, { owner: Label; doors: readonly Door[] }>> = {
  unpaid: {
    owner: PAID,
    doors: [
      ...ISSUED,
      ...NOTES,
      ...GOES,
      { steps: 'batch' },
      'POST /sponsors/{id}/withdraw',
      { job: 'sponsor-invoices' },
    ],
  },
  partially_paid: { owner: PAID, doors: [...COMES, ...GOES, ...NOTES, ...SPONSORED, { job: 'sponsor-invoices' }] },
  paid: {
    owner: PAID,
    doors: [...COMES, ...NOTES, 'POST /payments/scholarship/{id}', ...SPONSORED, { job: 'sponsor-invoices' }],
  },
  reversed: {
    owner: ['the reversal of an invoice by finance', 'عكس الفاتورة من الإدارة المالية'],
    doors: ['POST /payments/reverse-invoice/{id}', { fees: 'of requests' }, { steps: 'applicant' }],
  },
}

/** Who owns each state of an invoice: what it was charged and what was settled say it, and only reversing sets it aside. */
export const invoiceStates = owned<State>({
  name: 'invoice',
  one: ['Invoice', 'فاتورة'],
  table: 'invoices',
  state: `(select case when t.reversed_at is not null then 'reversed' when coalesce(b.settled, 0) >= coalesce(b.charged, 0) then 'paid'
    when b.settled > 0 then 'partially_paid' else 'unpaid' end from (values (1)) one left join invoice_balances b on b.invoice_id = t.id)`,
  from: { invoice_balances: 'invoice_id' },
  states: Object.fromEntries(
    INVOICE_STATES.map(({ value, label }) => [value, { label, screen: '/payments', ...OWNERS[value] }]),
  ) as Record<State, never>,
})
