import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'grading',
  screens: {
    '/offerings/grades/:id': () => import('./grades/grades.web.tsx'),
    '/offerings/import_grades/:id': () => import('./grades/import.web.tsx'),
    '/control/offerings': () => import('./control/offerings.web.tsx'),
    '/control/results': () => import('./control/results.web.tsx'),
    '/control/students': () => import('./terms/students.web.tsx'),
    '/control/students/:student_id/:term_id': () => import('./terms/student.web.tsx'),
  },
  resources: {
    mark: () => import('./marks/mark.web.tsx'),
  },
})
