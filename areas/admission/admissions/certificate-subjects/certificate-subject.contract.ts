import { lookup } from '#kit/contract/index.ts'

/** Subjects of school certificates: marks in them are asked of applicants, and count in rankings. */
export const certificateSubject = lookup('certificateSubject', {
  path: '/certificate-subjects',
  one: ['Certificate subject', 'مادة شهادة'],
  many: ['Certificate subjects', 'مواد الشهادات'],
  adding: ['Add certificate subject', 'إضافة مادة شهادة'],
  editing: ['Edit certificate subject', 'تعديل مادة شهادة'],
  menu: { group: 'admission', order: 30, icon: 'list-letters', setup: true },
})
