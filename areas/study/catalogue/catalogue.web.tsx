import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'catalogue',
  resources: {
    faculty: () => import('./faculties/faculty.web.tsx'),
    department: () => import('./departments/department.web.tsx'),
    course: () => import('./courses/course.web.tsx'),
    program: () => import('./programs/program.web.tsx'),
    bylaw: () => import('./bylaws/bylaw.web.tsx'),
  },
})
