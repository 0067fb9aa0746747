import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'archive',
  screens: {
    '/archives': () => import('./browse/archives.web.tsx'),
    '/editor/:id': () => import('./pages/editor.web.tsx'),
  },
})
