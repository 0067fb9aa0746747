import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'hotels',
  screens: {
    '/reservations': () => import('./stays/list.web.tsx'),
    '/reservations/add': () => import('./stays/add.web.tsx'),
    '/reservation/:id': () => import('./stays/show.web.tsx'),
    '/my_bed': () => import('./own/own.web.tsx'),
  },
  resources: {
    bedGroup: () => import('./groups/group.web.tsx'),
  },
})
