import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'degree-audit',
  screens: {
    '/programs/:id/requirements': () => import('./requirements/of-program.web.tsx'),
    '/bylaws/:id/requirements': () => import('./requirements/of-bylaw.web.tsx'),
    '/degree-audits': () => import('./audits/runs.web.tsx'),
    '/degree-audits/:id': () => import('./audits/run.web.tsx'),
  },
})
