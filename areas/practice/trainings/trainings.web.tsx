import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'trainings',
  screens: {
    '/trainings/student/:training_student_id': () => import('./students-trainings/show.web.tsx'),
    '/trainings/interviews/:id': () => import('./places/interviews.web.tsx'),
  },
  resources: {
    training: () => import('./places/training.web.tsx'),
    studentTraining: () => import('./students-trainings/student-training.web.tsx'),
  },
})
