import { decisionBasis } from '#kit/contract/index.ts'

/** An invoice of a term whose registrations or scholarships have changed. */
export const invoiceBasis = decisionBasis({
  kind: 'invoice',
  one: ['Invoice', 'فاتورة'],
  many: ['Invoices', 'الفواتير'],
  why: [
    'Registrations or scholarships have changed since it was issued: a note tells the difference.',
    'تغيّرت التسجيلات أو المنح بعد إصدارها، ويُصدر إشعار بالفرق.',
  ],
  becomes: 'follows',
  sees: 'access_payment',
})
