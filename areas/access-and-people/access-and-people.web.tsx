import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'access-and-people',
  screens: { '/profile/delegations': () => import('./delegations/delegations.web.tsx') },
})
