import { defineAreaWeb } from '#kit/web/router/index.ts'
import light from './distribution.light.web.tsx'

export default defineAreaWeb({
  area: 'distribution',
  screens: {
    '/distribution_applicants': () => import('./runs/before.web.tsx'),
    '/distribution_applicants_pg': () => import('./runs/before-postgraduates.web.tsx'),
    '/transfered_distribution': () => import('./runs/before-transfers.web.tsx'),
    '/applicants/seat/:id': () => import('./seats/seat.web.tsx'),
  },
  fills: light.fills,
  resources: { distributionRun: () => import('./runs/run.web.tsx') },
})
