import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'questionnaires',
  screens: {
    '/student_questionnaires': () => import('./filling/own.web.tsx'),
    '/questionnaire_form/:id': () => import('./filling/form.web.tsx'),
    '/questionnaires/show/:id': () => import('./planning/show.web.tsx'),
    '/questionnaires/statistics/show/:id': () => import('./results/stats.web.tsx'),
  },
})
