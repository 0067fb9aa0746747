import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'access-and-people',
  screens: {
    '/profile/delegations': () => import('./delegations/delegations.web.tsx'),
    '/profile/sign-in': () => import('./second-factor/own.web.tsx'),
    '/settings/second-factor': () => import('./second-factor/roles.web.tsx'),
  },
})
