import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { decisionBasis } from '#kit/contract/basis.ts'

/** Who helps a student in an exam. */
export const HELPERS = [
  { value: 'reader', label: ['Reader', 'قارئ'] },
  { value: 'scribe', label: ['Scribe', 'كاتب'] },
] as const
export type Helper = (typeof HELPERS)[number]['value']

/**
 * What a student was granted for exams: more time, a room alone, somebody who reads or writes. Known to the exam office only: there is no
 * sheet of it, and its history tells what was granted and not why.
 */
export const examAccommodation = resource({
  name: 'examAccommodation',
  path: '/exam-accommodations',
  table: 'exam_accommodations',
  one: ['Exam accommodation', 'تيسير في الامتحانات'],
  many: ['Exam accommodations', 'تيسيرات الامتحانات'],
  adding: ['Grant an accommodation', 'منح تيسير'],
  editing: ['Edit accommodation', 'تعديل تيسير'],
  permissions: { ...crud('examAccommodation'), export: null, import: null },
  scope: ['faculty'],
  fields: {
    student_id: f.lookup(['Student', 'الطالب'], 'student', { required: true, createOnly: true }),
    from_term_id: f.lookup(['From term', 'من فصل'], 'term', { required: true }),
    to_term_id: f.lookup(['To term', 'إلى فصل'], 'term', {
      help: ['Empty: for good', 'فارغ: دائمًا'],
    }),
    extra_percent: f.integer(['More time (percent)', 'وقت إضافي (نسبة)'], {
      min: 5,
      max: 200,
      help: ['25: a quarter of the time more', '25: ربع الوقت زيادة'],
    }),
    own_room: f.flag(['A room alone', 'قاعة بمفرده'], {
      help: ['A hall of the exam in which nobody else sits', 'قاعة من قاعات الامتحان لا يجلس فيها غيره'],
    }),
    helper: f.choice(['Who helps', 'المساعد'], HELPERS, {
      help: ['Only in a room alone; in place of its invigilator', 'في قاعة بمفرده فقط، ويحل محل مراقبها'],
    }),
    notes: f.text(['Notes', 'ملاحظات'], {
      max: 500,
      detailOnly: true,
      help: ['What else is to be seen to: large print, a seat near the door', 'ما يُراعى أيضًا: خط كبير، مقعد قرب الباب'],
    }),
    reason: f.longText(['Reason', 'السبب'], { max: 1000, detailOnly: true, noExport: true }),
    file_id: f.file(['Document', 'المستند'], { accept: ['pdf', 'png', 'jpg'], detailOnly: true, noExport: true }),
  },
  list: {
    columns: ['student_id', 'extra_percent', 'own_room', 'helper', 'from_term_id', 'to_term_id'],
    search: [],
    sort: ['extra_percent'],
    filters: ['student_id', 'own_room', 'helper', 'from_term_id'],
    order: ['extra_percent', 'desc'],
  },
  exportName: 'Exam accommodations',
  softDelete: true,
  plain: true,
  // One of each stands at a time.
  examples: Array.from({ length: 12 }, (_, i) => ({ student_id: 21 + i, from_term_id: 1, extra_percent: 25 })),
  screens: {
    list: '/exam-accommodations',
    show: '/exam-accommodations/:id',
    add: '/exam-accommodations/add',
    edit: '/exam-accommodations/edit/:id',
  },
  menu: { group: 'exams', order: 45, icon: 'accessible' },
})

/** The plan of an exam whose student was granted something that the plan does not hold. */
export const accommodationBasis = decisionBasis({
  kind: 'exam_accommodation',
  one: ['Plan of an exam', 'خطة امتحان'],
  many: ['Plans of exams', 'خطط امتحانات'],
  why: [
    'A student was granted more time or a room alone since: another exam begins meanwhile, a hall is not held as long, or there is no room.',
    'مُنح طالب منذئذ وقتًا إضافيًا أو قاعة بمفرده: يبدأ امتحان آخر أثناءه، أو لا تبقى القاعة محجوزة مدة كافية، أو لا قاعة له.',
  ],
  becomes: 'waits',
  sees: 'access_examAccommodation',
  decides: 'edit_examAccommodation',
  renew: {
    label: ['Hold what was granted', 'حجز ما مُنح'],
    consequence: [
      'A hall of the exam stays open as much longer, and a free one is kept for the student alone. Seats of others stay.',
      'تبقى قاعة من قاعات الامتحان مفتوحة المدة الزائدة، وتُحجز قاعة خالية للطالب بمفرده، ولا تتغير مقاعد غيره.',
    ],
  },
})
