import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'applicants',
  screens: {
    '/apply/:type?': () => import('./apply/begin.web.tsx'),
    '/applicants/duplicates': () => import('./merging/duplicates.web.tsx'),
    '/apply/:id/success': () => import('./apply/sent.web.tsx'),
    '/applicants/edit/:type/:id/:secretKey/:name?': () => import('./apply/form.web.tsx'),
  },
  resources: { applicant: () => import('./applicant/applicant.web.tsx') },
})
