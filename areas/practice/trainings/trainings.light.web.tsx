import { defineAreaWeb } from '#kit/web/router/area.ts'

/** What people without an account see: organisations that the university asks about their students. */
export default defineAreaWeb({
  area: 'trainings',
  screens: { '/training-answer': () => import('./organisations/answer.web.tsx') },
})
