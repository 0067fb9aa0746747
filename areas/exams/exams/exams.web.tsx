import { ahead, defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'exams',
  screens: {
    '/my_exams': () => import('./schedules/own.web.tsx'),
    '/exams/board/:id': () => import('./board/address.web.tsx'),
    '/offering/exams_schedules/add/:examId?': () => import('./schedules/add.web.tsx'),
    '/offering/exams_schedules/edit': () => import('./schedules/of-offering.web.tsx'),
  },
  ahead: async ({ user }) => {
    const { scheduleCalls } = await import('./schedules/lists.contract.ts')
    return [
      ...(user.student_id ? [ahead(scheduleCalls.ofType, { params: { id: user.student_id, type: 'student' } })] : []),
      ...(user.instructor_id ? [ahead(scheduleCalls.ownInstructor, { body: {} })] : []),
    ]
  },
  resources: {
    exam: () => import('./exams/exam.web.tsx'),
    examSchedule: () => import('./schedules/schedule.web.tsx'),
  },
})
