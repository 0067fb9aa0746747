import { defineAreaWeb } from '#kit/web/router/area.ts'

/** What issuers see whom the university asks whether a paper is genuine. */
export default defineAreaWeb({
  area: 'certificates',
  screens: { '/external-answer': () => import('./external/answer.web.tsx') },
})
