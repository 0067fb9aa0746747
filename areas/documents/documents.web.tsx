import { documentsOfStudent } from '#areas/students/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'documents',
  screens: {},
  resources: {
    studentDocument: () => import('./students/document.web.tsx'),
    documentKind: () => import('./kinds/kind.web.tsx'),
  },
  fills: [fill(documentsOfStudent, async () => (await import('./students/of-student.web.tsx')).DocumentsOf)],
})
