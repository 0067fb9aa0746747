import { owned, type Door, type Label } from '#kit/contract/index.ts'
import { INVOICE_STATES } from './invoices/invoice.contract.ts'

type State = (typeof INVOICE_STATES)[number]['value']
/** Money that comes and goes. */
const MONEY: readonly Door[] = [
  'POST /cashier/take',
  'POST /payments/pay_from_wallet/{id}',
  'POST /payments/pay/{id}',
  'POST /transactions/put',
  'POST /transactions/put/{id}',
  'POST /transactions/cancel-transaction',
  'POST /payments/refund',
  'POST /payments/refund/{id}',
  'POST /payments/refunds/{id}/pay_out',
  'POST /payments/direct_cash_back/{id}',
  'POST /transactions/provider-events/{id}/decide',
  { steps: 'slip' },
  { steps: 'batch' },
]
/** What is asked for, and what lessens it. */
const CHARGES: readonly Door[] = [
  'POST /payments/create_payment/{id}',
  'POST /payments/apply_next_invoice/{id}',
  'POST /payments/next-invoices',
  'POST /payments/edit-invoice/{id}',
  'POST /payments/edit-invoice',
  'POST /payments/reverse-invoice/{id}',
  'PUT /payment/items/edit/{id}',
  'PUT /payment/items/edit_amount/{id}',
  'POST /payments/scholarship/{id}',
  'POST /students/scholarships/apply-scholarship/{id}',
  'POST /scholarship/apply-automatic/{id}',
  'DELETE /{resource}/{id}/payments/delete-scholarship/{scholarshipId}',
  'POST /grades-recheck/paid/{id}',
  { steps: 'grade_recheck' },
]
const PAID: Label = ['postings of the ledger', 'القيود المحاسبية']
const OWNERS: Readonly<Record<State, { owner: Label; doors: readonly Door[] }>> = {
  unpaid: { owner: PAID, doors: [...MONEY, ...CHARGES] },
  partially_paid: { owner: PAID, doors: [...MONEY, ...CHARGES] },
  paid: { owner: PAID, doors: [...MONEY, ...CHARGES] },
  reversed: {
    owner: ['the reversal of an invoice by finance', 'عكس الفاتورة من الإدارة المالية'],
    doors: ['POST /payments/reverse-invoice/{id}', 'POST /payments/edit-invoice/{id}', 'POST /payments/edit-invoice'],
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
