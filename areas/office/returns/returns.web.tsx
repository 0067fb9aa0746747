import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'returns',
  screens: {
    '/statistical-returns/:id': () => import('./filed/show.web.tsx'),
    '/return-templates/:id': () => import('./templates/show.web.tsx'),
  },
  resources: {
    statisticalReturn: () => import('./filed/list.web.tsx'),
  },
})
