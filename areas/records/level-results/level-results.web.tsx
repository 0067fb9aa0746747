import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'level-results',
  screens: {
    '/control/levels': () => import('./levels.web.tsx'),
    '/control/levels/:id': () => import('./result.web.tsx'),
  },
})
