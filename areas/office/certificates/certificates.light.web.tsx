import { defineAreaWeb } from '#kit/web/router/area.ts'

/** What graduates see who have no account. */
export default defineAreaWeb({
  area: 'certificates',
  screens: {
    '/certificates/graduate': () => import('./graduates/begin.web.tsx'),
    '/certificates/graduate/paid': () => import('./graduates/paid.web.tsx'),
    '/certificates/graduate/:id/:secretKey': () => import('./graduates/follow.web.tsx'),
  },
})
