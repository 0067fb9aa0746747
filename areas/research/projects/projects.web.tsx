import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'projects',
  resources: {
    project: () => import('./project/project.web.tsx'),
  },
})
