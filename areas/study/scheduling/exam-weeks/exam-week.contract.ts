import { crud } from '#access/permissions.contract.ts'
import { EXAM_KINDS } from '#areas/common/academics/exam-words.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** Exams for which weekly meetings are switched off. */
export const EXAM_WEEK_KINDS = EXAM_KINDS.filter(({ value }) => value === 'midterm' || value === 'final')

/** Days of exams on which weekly meetings do not take place. */
export const examWeek = resource({
  name: 'examWeek',
  path: '/exam-weeks',
  table: 'exam_weeks',
  one: ['Exam week', 'أسبوع امتحانات'],
  many: ['Exam weeks', 'أسابيع الامتحانات'],
  adding: ['Add exam week', 'إضافة أسبوع امتحانات'],
  editing: ['Edit exam week', 'تعديل أسبوع امتحانات'],
  permissions: { ...crud('examWeek'), import: null },
  scope: ['faculty'],
  common: true,
  fields: {
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', { required: true, createOnly: true }),
    kind: f.choice(['For which exams', 'لأي امتحانات'], EXAM_WEEK_KINDS, { required: true }),
    start_date: f.date(['First day', 'أول يوم'], { required: true }),
    end_date: f.date(['Last day', 'آخر يوم'], { required: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', {
      help: ['Empty: all faculties', 'فارغ: كل الكليات'],
    }),
    level: f.integer(['Level', 'المستوى'], {
      min: 0,
      max: 7,
      help: ['Only offerings of this level; empty: of all levels', 'مقررات هذا المستوى فقط؛ فارغ: كل المستويات'],
    }),
  },
  list: {
    columns: ['term_id', 'kind', 'start_date', 'end_date', 'faculty_id', 'level'],
    search: [],
    sort: ['start_date', 'end_date'],
    filters: ['term_id', 'faculty_id', 'kind'],
    order: ['start_date', 'desc'],
  },
  plain: true,
  exportName: 'Exam weeks',
  softDelete: true,
  // The oldest term of the demo university began in one of these years, before October.
  examples: [2023, 2024, 2025, 2026, 2027].flatMap((year) =>
    Array.from({ length: 8 }, (_, level) => ({
      term_id: 1,
      kind: 'midterm',
      start_date: `${year}-10-10`,
      end_date: `${year}-10-14`,
      level,
    })),
  ),
  screens: { list: '/exam-weeks', add: '/exam-weeks/add', edit: '/exam-weeks/edit/:id' },
  menu: { group: 'study', order: 712, icon: 'calendar-off', block: 'teaching', subject: 'timetables' },
})
