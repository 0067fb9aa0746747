import { defineAreaWeb } from '#kit/web/router/area.ts'

/** What people see with whom students share something. */
export default defineAreaWeb({
  area: 'students',
  screens: { '/shared': () => import('./shares/shared.web.tsx') },
})
