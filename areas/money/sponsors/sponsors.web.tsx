import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'sponsors',
  screens: {},
  resources: {
    sponsor: () => import('./sponsors/sponsor.web.tsx'),
    sponsorship: () => import('./sponsorships/sponsorship.web.tsx'),
  },
})
