import { collectingOfInvoice } from '#areas/money/invoices/outlets.contract.ts'
import { collectingOfAccount } from '#areas/money/transactions/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'collecting',
  screens: {
    '/reminders': () => import('./reminders/list.web.tsx'),
    '/promises': () => import('./promises/list.web.tsx'),
    '/payment-plans': () => import('./plans/list.web.tsx'),
  },
  fills: [
    fill(collectingOfInvoice, async () => (await import('./of-invoice.web.tsx')).CollectingOfInvoice),
    fill(collectingOfAccount, async () => (await import('./of-account.web.tsx')).CollectingOfAccount),
  ],
})
