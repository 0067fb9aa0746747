import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'banks',
  screens: { '/bank-settings': () => import('./bank-settings.web.tsx') },
  resources: {
    bank: () => import('./banks/bank.web.tsx'),
    currency: () => import('./currencies/currency.web.tsx'),
    bankInfo: () => import('./bank-info/bank-info.web.tsx'),
  },
})
