import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'oneroster',
  screens: { '/settings/import': () => import('./import.web.tsx') },
})
