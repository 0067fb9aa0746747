import { Status } from '#kit/web/feedback/index.ts'
import { useLabel } from '#kit/web/i18n/index.ts'
import { PURPOSES, TRANSACTION_STATES, PAYMENT_WAYS, type TransactionRow } from './transaction.contract.ts'

/** Where a transaction stands. */
export function TransactionState({ of }: { of: TransactionRow['status'] }) {
  const say = useLabel()
  const { tone, label } = TRANSACTION_STATES.find((state) => state.value === of)!
  return <Status tone={tone} label={say(label)} />
}

/** A provider of payments by its name. */
export const providerName = (of: string): string => (of === 'fawry' ? 'FawryPay' : of === 'paymob' ? 'Paymob' : of)

/** What it was for and how it came, in the reader's words. */
export function usePurpose() {
  const say = useLabel()
  return {
    purpose: (of: TransactionRow['purpose']) => say(PURPOSES.find((one) => one.value === of)!.label),
    way: (of: TransactionRow['way']) => say(PAYMENT_WAYS.find((paymentWay) => paymentWay.value === of)!.label),
  }
}
