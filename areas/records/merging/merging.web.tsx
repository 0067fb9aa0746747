import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'merging',
  screens: {
    '/people/merge': () => import('./doubles.web.tsx'),
    '/people/merge/:kind/:keep/:merge': () => import('./compare.web.tsx'),
  },
})
