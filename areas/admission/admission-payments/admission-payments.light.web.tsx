import { paymentOfApplication } from '#areas/admission/applicants/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/area.ts'

/** What people see who pay for an application. */
export default defineAreaWeb({
  area: 'admission-payments',
  screens: { '/apply/:id/paid': () => import('./website/paid.web.tsx') },
  fills: [fill(paymentOfApplication, async () => (await import('./website/payment.web.tsx')).ApplicationPayment)],
})
