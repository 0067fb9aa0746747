import { f } from '#kit/contract/field.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const ledgerTold: TablesTold = {
  ledger_closings: {
    one: ['Closing of the books', 'إقفال للدفاتر'],
    many: ['Closings of the books', 'إقفالات الدفاتر'],
    title: ['closed_through'],
    fields: {
      closed_through: f.date(['Closed through', 'مقفلة حتى']),
      note: f.text(['Note', 'ملاحظة']),
      closed_at: f.instant(['Closed at', 'وقت الإقفال']),
      closed_by: f.lookup(['Closed by', 'أقفلها'], 'user'),
      reopened_at: f.instant(['Taken back at', 'وقت التراجع']),
      reopened_by: f.lookup(['Taken back by', 'تراجع عنها'], 'user'),
      reopen_reason: f.text(['Reason', 'السبب']),
    },
  },
}
