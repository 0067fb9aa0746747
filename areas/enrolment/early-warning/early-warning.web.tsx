import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'early-warning',
  screens: {
    '/early-warning': () => import('./risks/list.web.tsx'),
    '/early-warning/:id': () => import('./risks/student.web.tsx'),
    '/my-early-warning': () => import('./risks/own.web.tsx'),
    '/early-warning-models': () => import('./past/models.web.tsx'),
  },
})
