import { defineAreaWeb } from '#kit/web/router/area.ts'

/** The repository, for whoever is not signed in. */
export default defineAreaWeb({
  area: 'theses',
  screens: {
    '/repository': () => import('./repository/search.web.tsx'),
    '/repository/:handle': () => import('./repository/shown.web.tsx'),
  },
})
