import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'applicant-imports',
  screens: { '/applicants/import': () => import('./screen/import.web.tsx') },
})
