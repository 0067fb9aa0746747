import { PRIVATE_READERS } from '#areas/records/students/student/student.contract.ts'
import { documentsOf } from '../document.contract.ts'

/** Documents of students: handed in by the student or at the desk, decided by who keeps the records. */
export const studentDocuments = documentsOf({
  kind: 'student',
  one: ['Document of a student', 'مستند طالب'],
  many: ['Documents of students', 'مستندات الطلاب'],
  exportName: 'Documents of students',
  people: '/students',
  person: ['Student', 'الطالب'],
  scope: ['faculty', 'department', 'bylaw', 'program', 'own', 'advised'],
  readers: PRIVATE_READERS,
  order: 410,
  block: 'students',
  ownPage: '/student-profile?tab=documents',
})
