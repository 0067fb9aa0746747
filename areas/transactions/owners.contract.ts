import { owned, type Door, type Label } from '#kit/contract/index.ts'
import { TRANSACTION_STATES } from './moves/transaction.contract.ts'

type State = (typeof TRANSACTION_STATES)[number]['value']
const PROVIDER: Label = ['the provider’s answer', 'رد مزود الدفع']
const ANSWERED: readonly Door[] = [
  'POST /payments/pay/{id}',
  'POST /transactions/provider-events/{id}/decide',
  'POST /payments/refunds/unanswered/{id}',
]
const OWNERS: Readonly<Record<State, { owner: Label; doors: readonly Door[] }>> = {
  new: {
    owner: ['whoever begins to pay', 'من يبدأ الدفع'],
    doors: ['POST /payments/pay/{id}', 'POST /payments/payment-slip', 'POST /transactions/put', { steps: 'slip' }],
  },
  pending: { owner: PROVIDER, doors: [...ANSWERED, 'POST /transactions/put/{id}', { steps: 'slip' }] },
  paid: {
    owner: ['the receipt of the money', 'استلام المبلغ'],
    doors: [
      'POST /cashier/take',
      'POST /payments/pay_from_wallet/{id}',
      'POST /transactions/put',
      'POST /transactions/put/{id}',
      'POST /credits/charge-credit',
      'POST /payments/refund',
      'POST /payments/refund/{id}',
      'POST /payments/refunds/{id}/pay_out',
      'POST /payments/cash_back/{id}',
      'POST /payments/direct_cash_back/{id}',
      'POST /payments/reverse-invoice/{id}',
      { steps: 'slip' },
      { steps: 'batch' },
      ...ANSWERED,
    ],
  },
  failed: { owner: PROVIDER, doors: ANSWERED },
  expired: { owner: PROVIDER, doors: ANSWERED },
  rejected: {
    owner: ['the cashier’s decision on a bank slip', 'قرار أمين الخزينة في إيصال البنك'],
    doors: [{ steps: 'slip' }],
  },
  cancelled: {
    owner: ['the cancellation of a transaction by finance', 'إلغاء المعاملة من الإدارة المالية'],
    doors: ['POST /transactions/cancel-transaction', { steps: 'slip' }, { steps: 'batch' }],
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
