import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'specializations',
  screens: {
    '/specializations_time/show/:id': () => import('./distribution/distribution.web.tsx'),
    '/students/specialization': () => import('./students/students.web.tsx'),
    '/students/specializations/:student_id': () => import('./students/student.web.tsx'),
    '/specialization': () => import('./preferences/own.web.tsx'),
  },
})
