import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'questionnaires',
  resources: {
    questionnaireType: () => import('./types/type.web.tsx'),
    questionnaireQuestion: () => import('./types/question.web.tsx'),
  },
  screens: {
    '/student_questionnaires': () => import('./filling/own.web.tsx'),
    '/graduate_questionnaires': () => import('./filling/own.web.tsx'),
    '/faculty_questionnaires': () => import('./filling/own.web.tsx'),
    '/student_questionnaires/:id': () => import('./filling/form.web.tsx'),
    '/graduate_questionnaires/:id': () => import('./filling/form.web.tsx'),
    '/faculty_questionnaires/:id': () => import('./filling/form.web.tsx'),
    '/questionnaire_form/:id': () => import('./filling/form.web.tsx'),
    '/questionnaire-invited': () => import('./inviting/invited.web.tsx'),
    '/forms': () => import('./filling/own.web.tsx'),
    '/forms/:id': () => import('./filling/form.web.tsx'),
    '/questionnaires/show/:id': () => import('./planning/show.web.tsx'),
    '/questionnaires/statistics/show/:id': () => import('./results/stats.web.tsx'),
  },
})
