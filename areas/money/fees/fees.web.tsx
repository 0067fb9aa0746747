import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'fees',
  screens: {
    '/settings/payment': () => import('./settings/overview.web.tsx'),
    '/settings/year/payment/:id': () => import('./settings/year.web.tsx'),
    '/scholarships': () => import('./scholarships/grants.web.tsx'),
  },
  resources: {
    scholarship: () => import('./scholarships/scholarship.web.tsx'),
    family: () => import('./families/family.web.tsx'),
  },
})
