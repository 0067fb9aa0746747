import { area } from '#kit/contract/index.ts'

/** Invoices. */
export const invoicesArea = area({
  name: 'invoices',
  label: ['Invoices', 'الفواتير'],
  tables: {
    invoices: ['Invoices', 'الفواتير'],
    invoice_notes: ['Notes of invoices', 'إشعارات الفواتير'],
    installments: ['Instalments', 'الأقساط'],
  },
  errors: {
    installments_differ: [
      'The instalments together are not what the invoice charges.',
      'مجموع الأقساط لا يساوي قيمة الفاتورة.',
    ],
    invoice_twice: ['There is an invoice for this already.', 'توجد فاتورة لهذا بالفعل.'],
  },
})
