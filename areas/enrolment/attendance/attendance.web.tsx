import { ahead, defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'attendance',
  screens: {
    '/offerings/attendance/:id': () => import('./meetings/attendance.web.tsx'),
    '/attendance/import/:id': () => import('./meetings/import.web.tsx'),
    '/attendance/code/:id/:date': () => import('./codes/show.web.tsx'),
    '/attend/:code?': () => import('./codes/scan.web.tsx'),
    '/my_attendance': () => import('./absences/own.web.tsx'),
    '/student/attendance/:id': () => import('./absences/student.web.tsx'),
    '/excuses/add': () => import('./excuses/add.web.tsx'),
    '/excuses/:id': () => import('./excuses/show.web.tsx'),
    '/excuses/edit/:id': () => import('./excuses/edit.web.tsx'),
    '/absences': () => import('./absences/list.web.tsx'),
  },
  waiting: { 'attendance.states': () => import('./meetings/waiting.web.ts') },
  ahead: async ({ user }) => {
    const { attendanceCalls } = await import('./attendance.calls.contract.ts')
    return user.student_id === null ? [] : [ahead(attendanceCalls.own, { query: {} })]
  },
})
