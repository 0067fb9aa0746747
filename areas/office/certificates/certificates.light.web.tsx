import { defineAreaWeb } from '#kit/web/router/area.ts'

/** What people without an account see: graduates who ask, and issuers whom the university asks whether a paper is genuine. */
export default defineAreaWeb({
  area: 'certificates',
  screens: {
    '/external-answer': () => import('./external/answer.web.tsx'),
    '/certificates/graduate': () => import('./graduates/begin.web.tsx'),
    '/certificates/graduate/paid': () => import('./graduates/paid.web.tsx'),
    '/certificates/graduate/:id/:secretKey': () => import('./graduates/follow.web.tsx'),
  },
})
