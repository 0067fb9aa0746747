import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'reports',
  screens: {
    '/overview': () => import('./overview/overview.web.tsx'),
    '/finance': () => import('./finance/dashboard.web.tsx'),
    '/Financial-report': () => import('./financial/report.web.tsx'),
    '/payments-reports': () => import('./financial/payments.web.tsx'),
    '/finanicials-settings-reports': () => import('./financial/fees.web.tsx'),
  },
})
