import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'terms',
  screens: {
    '/timeline': () => import('./timeline/timeline.web.tsx'),
    '/settings/years/show/:id?': () => import('./years/year-screen.web.tsx'),
    '/settings/current_terms': () => import('./terms/current.web.tsx'),
  },
  resources: {
    year: () => import('./years/year.web.tsx'),
    term: () => import('./terms/term.web.tsx'),
    stage: () => import('./stages/stage.web.tsx'),
    stageGroup: () => import('./stages/stage-group.web.tsx'),
  },
})
