import { defineAreaWeb } from '#kit/web/router/area.ts'

/** What people see who apply. */
export default defineAreaWeb({
  area: 'applicants',
  screens: {
    '/apply/:type?': () => import('./apply/begin.web.tsx'),
    '/apply/:id/success': () => import('./apply/sent.web.tsx'),
    '/applicants/edit/:type/:id/:secretKey/:name?': () => import('./apply/form.web.tsx'),
  },
})
