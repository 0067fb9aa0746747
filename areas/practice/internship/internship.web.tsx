import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'internship',
  screens: {
    '/emtyaz/board/:id': () => import('./board/board.web.tsx'),
  },
})
