import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const gradingTold: TablesTold = {
  anonymous_offerings: {
    one: ['Offering marked without names', 'مقرر يُصحَّح بلا أسماء'],
    many: ['Offerings marked without names', 'مقررات تُصحَّح بلا أسماء'],
  },
  exam_barcodes: {
    one: ['Exam paper', 'ورقة امتحان'],
    many: ['Exam papers by barcode', 'أوراق الامتحان بالباركود'],
    title: ['code'],
  },
  exam_name_readers: {
    one: ['Look at the names of exam papers', 'اطلاع على أسماء أوراق الامتحان'],
    many: ['Who has seen names of exam papers', 'من اطلع على أسماء أوراق الامتحان'],
    title: ['offering_id', 'read_by'],
  },
  grade_rechecks: {
    one: ['Grade recheck', 'مراجعة درجة'],
    many: ['Grade rechecks', 'مراجعات الدرجات'],
  },
  mark_items: {
    one: ['Line of a mark scheme', 'بند توزيع درجات'],
    many: ['Lines of mark schemes', 'بنود توزيع الدرجات'],
  },
  offering_marks: {
    one: ['Mark category of an offering', 'بند درجات مقرر مطروح'],
    many: ['Mark schemes of offerings', 'توزيع درجات المقررات المطروحة'],
    title: ['mark_category_id'],
  },
  student_terms: {
    one: ['Result of a term', 'نتيجة فصل'],
    many: ['Results of terms', 'نتائج الفصول'],
  },
  registration_marks: {
    one: ['Mark of a student', 'درجة طالب'],
    many: ['Marks of students', 'درجات الطلاب'],
    title: ['registration_id', 'offering_mark_id'],
    says: {
      mark: [
        '{who} changed the {small_mark_category} of {student} from {old} to {new} in {offering}',
        '{who}: تعديل {small_mark_category} للطالب {student} من {old} إلى {new} في {offering}',
      ],
    },
    adds: [
      {
        by: 'mark',
        says: [
          '{who} entered {new} as {small_mark_category} of {whole_student} in {offering}',
          '{who}: رصد {new} في {small_mark_category} للطالب {whole_student} في {offering}',
        ],
      },
      {
        by: 'absent',
        says: [
          '{who} entered “absent” as {small_mark_category} of {whole_student} in {offering}',
          '{who}: رصد «غائب» في {small_mark_category} للطالب {whole_student} في {offering}',
        ],
      },
    ],
  },
}
