import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const applicantsTold: TablesTold = {
  applicant_subjects: { one: ['Mark of an applicant', 'درجة متقدم'], many: ['Marks of applicants', 'درجات المتقدمين'] },
  applicant_preferences: {
    one: ['Wish of an applicant', 'رغبة متقدم'],
    many: ['Wishes of applicants', 'رغبات المتقدمين'],
  },
  applicant_degrees: {
    one: ['Degree of an applicant', 'درجة علمية لمتقدم'],
    many: ['Degrees of applicants', 'الدرجات العلمية للمتقدمين'],
  },
  applicant_documents: {
    one: ['Document of an applicant', 'مستند متقدم'],
    many: ['Documents of applicants', 'مستندات المتقدمين'],
  },
}
