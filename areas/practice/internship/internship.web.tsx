import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'internship',
  screens: {
    '/emtyaz/course/show/:id/:bylaw?': () => import('./setup/course.web.tsx'),
    '/emtyaz/training/:id': () => import('./trainings/show.web.tsx'),
    '/emtyaz/registration/:id': () => import('./interns/show.web.tsx'),
    '/emtyaz/mine': () => import('./interns/mine.web.tsx'),
    '/emtyaz/offerings/:id': () => import('./grades/show.web.tsx'),
    '/emtyaz/board/:id': () => import('./board/board.web.tsx'),
  },
  resources: {
    emtyazYear: () => import('./setup/year.web.tsx'),
    emtyazCourse: () => import('./setup/list.web.tsx'),
    emtyazIntern: () => import('./interns/list.web.tsx'),
    emtyazTraining: () => import('./trainings/list.web.tsx'),
    emtyazOffering: () => import('./grades/list.web.tsx'),
    rotation: () => import('./rotations/rotation.web.tsx'),
  },
})
