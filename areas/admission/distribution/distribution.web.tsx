import { resultOfApplication } from '#areas/admission/applicants/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'distribution',
  screens: {
    '/distribution_applicants': () => import('./runs/before.web.tsx'),
    '/distribution_applicants_pg': () => import('./runs/before-postgraduates.web.tsx'),
    '/transfered_distribution': () => import('./runs/before-transfers.web.tsx'),
    '/applicants/seat/:id': () => import('./seats/seat.web.tsx'),
  },
  fills: [fill(resultOfApplication, async () => (await import('./results/own-result.web.tsx')).ResultOfApplication)],
  resources: { distributionRun: () => import('./runs/run.web.tsx') },
})
