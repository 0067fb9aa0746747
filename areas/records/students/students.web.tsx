import { ahead, defineAreaWeb } from '#kit/web/router/index.ts'
import light from './students.light.web.tsx'

export default defineAreaWeb({
  area: 'students',
  screens: {
    '/students/:id': () => import('./student/detail.web.tsx'),
    '/students/edit/:id/:details': () => import('./sections/edit.web.tsx'),
    '/student-academic': () => import('./own/academic.web.tsx'),
    '/profile/shares': () => import('./shares/shares.web.tsx'),
    '/profile/shares/:id': () => import('./shares/preview.web.tsx'),
    ...light.screens,
    '/address': () => import('./own/address.web.tsx'),
    '/student-profile': () => import('./own/profile.web.tsx'),
    '/myCourses': () => import('./own/courses.web.tsx'),
    '/myCourses/:offering_id': () => import('./own/course.web.tsx'),
  },
  ahead: async ({ user }) => {
    if (user.student_id === null) return []
    const [{ ownCalls }, { academicRecordCalls }] = await Promise.all([
      import('./own/own.contract.ts'),
      import('./record/record.contract.ts'),
    ])
    return [
      ahead(ownCalls.courses, { query: {} }),
      ahead(academicRecordCalls.dashboard),
      ahead(academicRecordCalls.termsGrades),
    ]
  },
  resources: {
    student: () => import('./student/student.web.tsx'),
  },
})
