import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const invoicesTold: TablesTold = {
  invoices: {
    one: ['Invoice', 'فاتورة'],
    many: ['Invoices', 'الفواتير'],
  },
  invoice_notes: {
    one: ['Note of an invoice', 'إشعار فاتورة'],
    many: ['Notes of invoices', 'إشعارات الفواتير'],
  },
  installments: {
    one: ['Instalment', 'قسط'],
    many: ['Instalments', 'الأقساط'],
  },
}
