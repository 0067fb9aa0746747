import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'distribution',
  screens: {
    '/distribution_applicants': () => import('./runs/before.web.tsx'),
    '/distribution_applicants_pg': () => import('./runs/before-postgraduates.web.tsx'),
    '/transfered_distribution': () => import('./runs/before-transfers.web.tsx'),
  },
  resources: { distributionRun: () => import('./runs/run.web.tsx') },
})
