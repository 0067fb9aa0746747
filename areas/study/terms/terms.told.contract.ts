import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const termsTold: TablesTold = {
  current_terms: {
    one: ['Current term', 'فصل حالي'],
    many: ['Current terms', 'الفصول الحالية'],
    fields: {
      key: f.choice(
        ['Kind', 'النوع'],
        [
          { value: 'current_term', label: ['Current term', 'الفصل الحالي'] },
          { value: 'current_admission_term', label: ['Current term of admission', 'فصل القبول الحالي'] },
          {
            value: 'current_admission_term_UG',
            label: ['Current term of undergraduate admission', 'فصل قبول المرحلة الجامعية'],
          },
          {
            value: 'current_admission_term_PG',
            label: ['Current term of postgraduate admission', 'فصل قبول الدراسات العليا'],
          },
          { value: 'current_transfer_term', label: ['Current term of transfers', 'فصل التحويلات الحالي'] },
          { value: 'current_control_term', label: ['Current term of control', 'فصل الكنترول الحالي'] },
          { value: 'current_exam_term', label: ['Current term of exams', 'فصل الامتحانات الحالي'] },
        ],
      ),
    },
    title: ['key'],
  },
}
