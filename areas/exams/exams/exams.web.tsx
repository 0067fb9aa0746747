import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'exams',
  screens: {
    '/my_exams': () => import('./schedules/own.web.tsx'),
    '/exams/board/:id': () => import('./board/address.web.tsx'),
    '/offering/exams_schedules/add/:examId?': () => import('./schedules/add.web.tsx'),
    '/offering/exams_schedules/edit': () => import('./schedules/of-offering.web.tsx'),
  },
  resources: {
    exam: () => import('./exams/exam.web.tsx'),
    examSchedule: () => import('./schedules/schedule.web.tsx'),
  },
})
