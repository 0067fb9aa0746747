import { paymentOfApplication } from '#areas/admission/applicants/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'admission-payments',
  screens: {
    '/admission-payments': () => import('./desk/list.web.tsx'),
    '/admission-payments/:id': () => import('./desk/detail.web.tsx'),
    '/apply/:id/paid': () => import('./website/paid.web.tsx'),
  },
  fills: [fill(paymentOfApplication, async () => (await import('./website/payment.web.tsx')).ApplicationPayment)],
})
