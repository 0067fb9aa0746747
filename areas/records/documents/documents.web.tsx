import { documentsOfPerson } from '#areas/people/people/outlets.contract.ts'
import { defineAreaWeb, fill } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'documents',
  screens: { '/my-documents': () => import('./own.web.tsx') },
  resources: {
    studentDocument: () => import('./students/student-documents.web.tsx'),
    employeeDocument: () => import('./employees/employee-documents.web.tsx'),
    instructorDocument: () => import('./instructors/instructor-documents.web.tsx'),
    documentKind: () => import('./kinds/kind.web.tsx'),
  },
  fills: [fill(documentsOfPerson, async () => (await import('./of-person.web.tsx')).DocumentsOf)],
})
