import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'documents',
  screens: {},
  resources: {
    studentDocument: () => import('./students/document.web.tsx'),
    documentKind: () => import('./kinds/kind.web.tsx'),
  },
})
