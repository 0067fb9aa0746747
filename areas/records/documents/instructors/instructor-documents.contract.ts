import { documentsOf } from '../document.contract.ts'

/** Documents of instructors: degrees, identity cards, licences; read by who decides and by the person. */
export const instructorDocuments = documentsOf({
  kind: 'instructor',
  one: ['Document of an instructor', 'مستند عضو هيئة تدريس'],
  many: ['Documents of instructors', 'مستندات أعضاء هيئة التدريس'],
  exportName: 'Documents of instructors',
  people: '/instructors',
  person: ['Instructor', 'عضو هيئة التدريس'],
  scope: ['faculty', 'department', 'bylaw', 'program', 'own'],
  readers: ['self'],
  order: 510,
  block: 'staff',
  ownPage: '/my-documents',
})
