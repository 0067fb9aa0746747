import { decisionBasis } from '#kit/contract/index.ts'

/** An invoice of a year whose prices were changed after it was issued: it keeps its prices until somebody decides. */
export const priceBasis = decisionBasis({
  kind: 'invoice_price',
  one: ['Invoice at earlier prices', 'فاتورة بأسعار سابقة'],
  many: ['Invoices at earlier prices', 'فواتير بأسعار سابقة'],
  why: [
    'The prices of its year have changed since it was issued: at those of today it would charge something else.',
    'تغيّرت أسعار عامها بعد إصدارها، وتختلف قيمتها بأسعار اليوم.',
  ],
  becomes: 'waits',
  sees: 'access_payment',
  decides: 'edit_invoice',
  renew: {
    label: ['Charge the new prices', 'تطبيق الأسعار الجديدة'],
    consequence: [
      'A note charges the difference, or takes it off, and the student is told. What was paid beyond it goes into the wallet.',
      'يُصدر إشعار بالفرق زيادةً أو خصمًا ويُبلَّغ الطالب، وما زاد من المدفوع ينتقل إلى المحفظة.',
    ],
  },
  keep: {
    label: ['Keep the prices', 'الإبقاء على الأسعار'],
    consequence: [
      'The invoice keeps the prices that it was issued with, until they are changed again.',
      'تبقى الفاتورة بأسعار إصدارها حتى تتغير الأسعار مرة أخرى.',
    ],
  },
})
