import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

export const INVIGILATOR_ROLES = [
  { value: 'chief', label: ['Chief invigilator', 'رئيس لجنة'] },
  { value: 'invigilator', label: ['Invigilator', 'مراقب'] },
  // Of a student who sits alone; no other invigilator is needed there.
  { value: 'reader', label: ['Reader', 'قارئ'] },
  { value: 'scribe', label: ['Scribe', 'كاتب'] },
] as const

/** One offering in an exam: when, in which halls, under whose eyes. */
export const examSchedule = resource({
  name: 'examSchedule',
  path: '/exam-schedules',
  table: 'exam_schedules',
  one: ['Exam schedule', 'موعد امتحان'],
  many: ['Exam schedules', 'جداول الامتحانات'],
  adding: ['Add exam schedule', 'إضافة موعد امتحان'],
  editing: ['Edit exam schedule', 'تعديل موعد امتحان'],
  permissions: { ...crud('examSchedule'), import: null },
  scope: ['faculty'],
  fields: {
    exam_id: f.lookup(['Exam', 'الامتحان'], 'exam', { required: true, createOnly: true }),
    offering_id: f.lookup(['Offering', 'المقرر المطروح'], 'offering', { required: true, createOnly: true }),
    on_date: f.date(['Day', 'اليوم']),
    exam_slot_id: f.lookup(['Exam slot', 'فترة الامتحان'], 'examSlot'),
    is_locked: f.flag(['Locked', 'مقفل'], {
      help: ['Stays where it is: neither moved nor placed automatically.', 'يبقى في موعده: لا يُنقل ولا يُوزَّع تلقائيًا.'],
    }),
    duration: f.integer(['Minutes', 'المدة بالدقائق'], {
      min: 5,
      max: 600,
      help: ['Empty: the whole slot', 'فارغ: الفترة كلها'],
    }),
    open_book: f.flag(['Open book', 'كتاب مفتوح']),
    calculator: f.flag(['Calculator allowed', 'يُسمح بالآلة الحاسبة']),
    instructions: f.longText(['Instructions', 'التعليمات'], { max: 2000, detailOnly: true }),
    locations: f.rows(
      ['Halls', 'القاعات'],
      {
        location_id: f.lookup(['Location', 'القاعة'], 'location', { required: true }),
        seats: f.integer(['Students', 'الطلاب'], { required: true, min: 1, max: 10_000 }),
      },
      {
        table: 'exam_schedule_locations',
        parent: 'exam_schedule_id',
        by: '(select l.code from locations l where l.id = c.location_id)',
        max: 60,
        detailOnly: true,
      },
    ),
    instructors: f.rows(
      ['Invigilators', 'المراقبون'],
      {
        location_id: f.lookup(['Location', 'القاعة'], 'location', { required: true }),
        instructor_id: f.lookup(['Instructor', 'عضو هيئة التدريس'], 'instructor', { required: true }),
        role: f.choice(['Role', 'الدور'], INVIGILATOR_ROLES, { required: true }),
      },
      { table: 'exam_schedule_instructors', parent: 'exam_schedule_id', by: 'c.id', max: 120, detailOnly: true },
    ),
    students: f.integer(['Students', 'الطلاب'], { readOnly: true }),
    seats: f.integer(['Seats', 'المقاعد'], { readOnly: true }),
    same_day: f.integer(['Students with another exam that day', 'طلاب لديهم امتحان آخر في اليوم'], {
      readOnly: true,
      detailOnly: true,
      noExport: true,
    }),
    starts: f.time(['Begins', 'يبدأ'], { readOnly: true }),
    ends: f.time(['Ends', 'ينتهي'], { readOnly: true }),
  },
  list: {
    columns: ['exam_id', 'offering_id', 'on_date', 'starts', 'ends', 'students', 'seats', 'is_locked'],
    search: [],
    sort: ['on_date'],
    filters: ['exam_id', 'on_date', 'exam_slot_id', 'is_locked'],
    order: ['on_date', 'asc'],
  },
  exportName: 'Exam schedules',
  softDelete: true,
  // Offerings of the current term, in oral exams that nobody has begun.
  examples: Array.from({ length: 12 }, (_, i) => ({ exam_id: 4, offering_id: 249 + i })),
  screens: {
    list: '/exams_schedules',
    show: '/exam_schedule/:id?',
    add: '/exams_schedules/add/:id?',
    edit: '/exams_schedule/:id?/edit',
  },
  menu: { group: 'exams', order: 20, icon: 'calendar-event' },
})
