import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'course-files',
  screens: { '/courseFile/:id': () => import('./files/show.web.tsx') },
  resources: { courseFile: () => import('./files/list.web.tsx') },
})
