import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { INVOICE_TYPES } from './invoices/invoice.contract.ts'

/** What the log of changes says of its tables. */
export const invoicesTold: TablesTold = {
  invoices: {
    one: ['Invoice', 'فاتورة'],
    many: ['Invoices', 'الفواتير'],
    fields: { type: f.choice(['For', 'عن'], INVOICE_TYPES) },
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
