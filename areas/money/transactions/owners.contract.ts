import { owned, type Door, type Label } from '#kit/contract/index.ts'
import { TRANSACTION_STATES } from './moves/transaction.contract.ts'

type State = (typeof TRANSACTION_STATES)[number]['value']
const PROVIDER: Label = ['the provider’s answer', 'رد مزود الدفع']
/** Whoever pays by a provider: a student, or an applicant by the key of the application. */
const BEGINS: readonly Door[] = [
  'POST /payments/pay/{id}',
  'POST /admission/website/transaction/create',
  'POST /admission/website/transaction/create/{id}',
]
/** Money that goes back by the provider through whom it came. */
const BACK: readonly Door[] = [
  'POST /payments/refund',
  'POST /payments/refund/{id}',
  'POST /payments/refunds/{id}/pay_out',
]
/** What is given back once less is asked for. */
const RELEASED: readonly Door[] = [
  'POST /payments/edit-invoice/{id}',
  'POST /payments/edit-invoice',
  'PUT /payment/items/edit/{id}',
  'PUT /payment/items/edit_amount/{id}',
  'POST /payments/scholarship/{id}',
  'POST /payments/reverse-invoice/{id}',
  { job: 'reprice-invoices' },
  // A sponsor takes over what is paid, or withdraws from what it paid too much of.
  'POST /sponsorships/begin',
  'POST /sponsorships/add-many',
  'POST /sponsors/{id}/withdraw',
  // What it had paid more than it owed.
  { job: 'sponsor-invoices' },
  // An application was put on hold or cancelled.
  { steps: 'applicant' },
]
const OWNERS: Readonly<Record<State, { owner: Label; doors: readonly Door[] }>> = {
  new: {
    owner: ['whoever begins to pay', 'من يبدأ الدفع'],
    doors: [...BEGINS, 'POST /payments/payment-slip', { steps: 'slip' }],
  },
  pending: {
    owner: PROVIDER,
    doors: [...BEGINS, ...BACK, 'POST /transactions/put', 'POST /transactions/put/{id}'],
  },
  paid: {
    owner: ['the receipt of the money', 'استلام المبلغ'],
    doors: [
      'POST /cashier/take',
      'POST /payments/pay_from_wallet/{id}',
      'POST /deposits/return',
      'POST /transactions/put',
      'POST /credits/charge-credit',
      'POST /credits/charge-payer',
      'POST /payments/cash_back/{id}',
      'POST /payments/cash_back_payer',
      'POST /payments/direct_cash_back/{id}',
      'POST /transactions/provider-events/{id}/decide',
      'POST /payments/refunds/unanswered/{id}',
      ...BACK,
      ...RELEASED,
      { steps: 'slip' },
      { steps: 'batch' },
    ],
  },
  failed: { owner: PROVIDER, doors: BEGINS },
  expired: { owner: PROVIDER, doors: BEGINS },
  rejected: {
    owner: ['the cashier’s decision on a bank slip', 'قرار أمين الخزينة في إيصال البنك'],
    // The slip is rejected, and its transaction begins anew: rows that other systems brought are in this state.
    doors: [],
  },
  cancelled: {
    owner: ['the cancellation of a transaction by finance', 'إلغاء المعاملة من الإدارة المالية'],
    doors: [
      'POST /transactions/cancel-transaction',
      'POST /payments/refunds/unanswered/{id}',
      { steps: 'slip' },
      { steps: 'batch' },
    ],
  },
}

/** Who owns each state of a transaction. */
export const transactionStates = owned<State>({
  name: 'transaction',
  one: ['Transaction', 'معاملة'],
  table: 'transactions',
  state: 't.status',
  states: Object.fromEntries(
    TRANSACTION_STATES.map(({ value, label }) => [value, { label, ...OWNERS[value] }]),
  ) as Record<State, never>,
})
