import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'reports',
  screens: { '/overview': () => import('./overview/overview.web.tsx') },
})
