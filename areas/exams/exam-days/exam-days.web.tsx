import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'exam-days',
  screens: {
    '/exams_seats': () => import('./seats/seats.web.tsx'),
    '/exams_absences': () => import('./absences/list.web.tsx'),
    '/exams_absences/hall': () => import('./absences/hall.web.tsx'),
    '/exams_punishments': () => import('./cases/list.web.tsx'),
    '/exams_delivery': () => import('./deliveries/list.web.tsx'),
  },
})
