import { defineAreaWeb } from '#kit/web/router/area.ts'

/** What everybody may see of a researcher. */
export default defineAreaWeb({
  area: 'publications',
  screens: {
    '/researchers/:slug': () => import('./researcher/page.web.tsx'),
  },
})
