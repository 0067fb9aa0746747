import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'transactions',
  screens: {
    '/payments/paid/:id': () => import('./providers/paid.web.tsx'),
    '/transactions/provider-events': () => import('./providers/provider-events.web.tsx'),
  },
})
