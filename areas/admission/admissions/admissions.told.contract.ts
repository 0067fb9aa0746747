import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const admissionsTold: TablesTold = {
  admission_fees: { one: ['Fee of an admission', 'رسم فترة قبول'], many: ['Fees of admissions', 'رسوم فترات القبول'] },
  admission_documents: {
    one: ['Document asked for in an admission', 'مستند مطلوب في فترة قبول'],
    many: ['Documents asked for in admissions', 'المستندات المطلوبة في فترات القبول'],
  },
  admission_declarations: {
    one: ['Declaration of an admission', 'إقرار فترة قبول'],
    many: ['Declarations of admissions', 'إقرارات فترات القبول'],
  },
  admission_subject_weights: {
    one: ['Weight of a subject', 'وزن مادة'],
    many: ['Weights of subjects', 'أوزان المواد'],
  },
  admission_ties: {
    one: ['Criterion for equals', 'معيار عند التساوي'],
    many: ['Criteria for equals', 'معايير عند التساوي'],
  },
  admission_quotas: { one: ['Quota of a program', 'حصة برنامج'], many: ['Quotas of programs', 'حصص البرامج'] },
  admission_program_subjects: {
    one: ['Least mark in a subject', 'حد أدنى لدرجة مادة'],
    many: ['Least marks in subjects', 'الحد الأدنى لدرجات المواد'],
  },
  certificate_type_subjects: {
    one: ['Subject of a certificate type', 'مادة نوع شهادة'],
    many: ['Subjects of certificate types', 'مواد أنواع الشهادات'],
  },
}
