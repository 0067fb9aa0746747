import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { TAX_RECEIPT_KINDS, TAX_RECEIPT_STATES } from './tax-receipts/tax-receipt.contract.ts'

/** What the log of changes says of its tables. */
export const transactionsTold: TablesTold = {
  transactions: {
    one: ['Transaction', 'معاملة مالية'],
    many: ['Transactions', 'المعاملات المالية'],
    untold: ['entry_id'],
  },
  transaction_allocations: {
    one: ['What a transaction settled', 'ما سددته معاملة'],
    many: ['What transactions settled', 'ما سددته المعاملات'],
  },
  tax_receipts: {
    one: ['Receipt to the tax authority', 'إيصال إلكتروني للضرائب'],
    many: ['Receipts to the tax authority', 'الإيصالات الإلكترونية للضرائب'],
    fields: {
      kind: f.choice(['Kind', 'النوع'], TAX_RECEIPT_KINDS),
      state: f.choice(['State', 'الحالة'], TAX_RECEIPT_STATES),
      uuid: f.text(['Name at the tax authority', 'معرّف الإيصال لدى المصلحة']),
    },
  },
  refund_requests: {
    one: ['Refund asked for', 'طلب استرداد'],
    many: ['Refunds asked for', 'طلبات الاسترداد'],
  },
  cash_shifts: {
    one: ['Cashier’s drawer', 'وردية خزينة'],
    many: ['Cashiers’ drawers', 'ورديات الخزينة'],
  },
  payment_slips: {
    one: ['Bank slip', 'إيصال بنكي'],
    many: ['Bank slips', 'الإيصالات البنكية'],
  },
  cash_counts: {
    one: ['Count of a cash drawer', 'جرد خزينة'],
    many: ['Counts of cash drawers', 'جرد الخزائن'],
    untold: ['entry_id'],
  },
  payers: {
    one: ['Payer', 'دافع'],
    title: ['student_id'],
  },
}
