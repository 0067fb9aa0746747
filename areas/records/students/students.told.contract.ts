import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const studentsTold: TablesTold = {
  record_shares: {
    one: ['What a student shares', 'ما يشاركه طالب'],
    many: ['What students share', 'ما يشاركه الطلاب'],
  },
  hold_overrides: {
    one: ['Hold set aside', 'مانع متجاوَز'],
    many: ['Holds set aside', 'موانع متجاوزة'],
  },
  student_holds: {
    one: ['Hold', 'مانع'],
    many: ['Holds', 'الموانع'],
  },
  student_tags: {
    one: ['Tag of a student', 'وسم طالب'],
    many: ['Tags of students', 'وسوم الطلاب'],
  },
  former_names: {
    one: ['Former name', 'اسم سابق'],
    many: ['Former names', 'أسماء سابقة'],
    fields: { until: f.instant(['Borne until', 'حمله حتى']) },
  },
  transcripts: {
    one: ['Transcript', 'بيان درجات'],
    many: ['Transcripts', 'بيانات الدرجات'],
  },
  student_status_decisions: {
    one: ['Decision about the status of a student', 'قرار حالة قيد طالب'],
    many: ['Decisions about the status of students', 'قرارات حالات قيد الطلاب'],
  },
}
