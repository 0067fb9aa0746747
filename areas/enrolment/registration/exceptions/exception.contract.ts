import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** A window opened for single students of a faculty, with the reason and an end: it works as a window of the term. */
export const windowException = resource({
  name: 'windowException',
  path: '/window-exceptions',
  table: 'window_exceptions',
  one: ['Window exception', 'استثناء من مرحلة'],
  many: ['Window exceptions', 'استثناءات المراحل'],
  adding: ['Open a window for single students', 'فتح مرحلة لطلاب محددين'],
  editing: ['Edit window exception', 'تعديل استثناء من مرحلة'],
  permissions: { ...crud('windowException'), import: null },
  scope: ['faculty'],
  fields: {
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { required: true, createOnly: true }),
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', { required: true, createOnly: true }),
    stage_code_id: f.lookup(['Kind', 'النوع'], 'stageCode', {
      required: true,
      createOnly: true,
      help: ['Registration, add and drop, withdrawal or excuse', 'التسجيل أو الحذف والإضافة أو الانسحاب أو الاعتذار'],
    }),
    students: f.lookups(['Students', 'الطلاب'], 'student', {
      through: { table: 'window_exception_students', from: 'window_exception_id', to: 'student_id' },
      dependsOn: 'faculty_id',
    }),
    reason: f.text(['Reason', 'السبب'], { required: true, max: 500 }),
    starts_at: f.instant(['Opens', 'تفتح'], { required: true }),
    ends_at: f.instant(['Closes', 'تغلق'], { required: true, help: ['At most 60 days later', 'بحد أقصى بعد 60 يومًا'] }),
  },
  list: {
    columns: ['faculty_id', 'term_id', 'stage_code_id', 'reason', 'starts_at', 'ends_at'],
    search: ['reason'],
    sort: ['starts_at', 'ends_at'],
    filters: ['faculty_id', 'term_id', 'stage_code_id'],
    order: ['ends_at', 'desc'],
  },
  exportName: 'Window exceptions',
  softDelete: true,
  screens: {
    list: '/window-exceptions',
    show: '/window-exceptions/:id',
    add: '/window-exceptions/add',
    edit: '/window-exceptions/edit/:id',
  },
  plain: true,
  menu: { group: 'study', order: 625, icon: 'calendar-time', block: 'offering' },
})
