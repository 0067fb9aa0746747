import { besidesOfHome } from '#kit/contract/home.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'reports',
  fills: [fill(besidesOfHome, async () => (await import('./own/pins.web.tsx')).default)],
  screens: {
    '/overview': () => import('./overview/overview.web.tsx'),
    '/reports': () => import('./figures/index.web.tsx'),
    '/reports/differ': () => import('./differ/differ.web.tsx'),
    '/reports/own': () => import('./own/list.web.tsx'),
    '/reports/own/new': () => import('./own/report.web.tsx'),
    '/reports/own/:id': () => import('./own/report.web.tsx'),
    '/registrations-report': () => import('./figures/registrations.web.tsx'),
    '/admission-reports': () => import('./figures/admission.web.tsx'),
    '/graduat-reports': () => import('./figures/graduates.web.tsx'),
    '/equivalent-report': () => import('./figures/equivalence.web.tsx'),
    '/foreigner-report': () => import('./figures/foreigners.web.tsx'),
    '/rooms-report': () => import('./rooms/rooms.web.tsx'),
    '/finance': () => import('./finance/dashboard.web.tsx'),
    '/Financial-report': () => import('./financial/report.web.tsx'),
    '/payments-reports': () => import('./financial/payments.web.tsx'),
    '/finanicials-settings-reports': () => import('./financial/fees.web.tsx'),
  },
})
