import { defineAreaWeb } from '#kit/web/router/index.ts'
import light from './trainings.light.web.tsx'

export default defineAreaWeb({
  area: 'trainings',
  screens: {
    ...light.screens,
    '/trainings/overview/:id': () => import('./places/overview.web.tsx'),
    '/trainings/student/:training_student_id': () => import('./students-trainings/show.web.tsx'),
    '/trainings/interviews/:id': () => import('./places/interviews.web.tsx'),
  },
  resources: {
    training: () => import('./places/training.web.tsx'),
    studentTraining: () => import('./students-trainings/student-training.web.tsx'),
  },
})
