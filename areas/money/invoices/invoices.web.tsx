import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'invoices',
  screens: {
    '/payments': () => import('./invoices/list.web.tsx'),
    '/payments/:id': () => import('./invoices/detail.web.tsx'),
    '/payments/history/:id': () => import('./invoices/history.web.tsx'),
    '/payments/items/:id': () => import('./invoices/items.web.tsx'),
  },
})
