import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'banks',
  screens: {
    '/bank-settings': () => import('./bank-settings.web.tsx'),
    '/payments/batches': () => import('./batches/list.web.tsx'),
    '/payments/batch/:id': () => import('./batches/batch.web.tsx'),
    '/payments/imported_payments': () => import('./batches/import.web.tsx'),
    '/payments/learned_payers': () => import('./batches/learned.web.tsx'),
    '/payments/reconciliation': () => import('./batches/reconciliation.web.tsx'),
  },
  resources: {
    bank: () => import('./banks/bank.web.tsx'),
    currency: () => import('./currencies/currency.web.tsx'),
    bankInfo: () => import('./bank-info/bank-info.web.tsx'),
  },
})
