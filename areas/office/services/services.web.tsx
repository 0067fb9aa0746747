import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'services',
  resources: { service: () => import('./requests/service.web.tsx') },
  screens: {
    '/services': () => import('./requests/home.web.tsx'),
    '/services/add': () => import('./requests/ask.web.tsx'),
    '/services/:id': () => import('./requests/show.web.tsx'),
    '/other/edit/:id': () => import('./requests/change.web.tsx'),
  },
})
