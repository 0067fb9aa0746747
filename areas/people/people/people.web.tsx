import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'people',
  screens: {
    '/instructors/reports': () => import('./load/load.web.tsx'),
  },
  resources: {
    instructor: () => import('./instructors/instructor.web.tsx'),
    employee: () => import('./employees/employee.web.tsx'),
  },
})
