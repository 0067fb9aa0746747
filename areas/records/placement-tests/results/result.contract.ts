import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { STATES } from '../tests/test.contract.ts'

/** What a student came to in a placement test; without score and exemption it is still to be taken. */
export const placementResult = resource({
  name: 'placementResult',
  path: '/placement-results',
  table: 'placement_results',
  one: ['Placement result', 'نتيجة تحديد مستوى'],
  many: ['Placement results', 'نتائج تحديد المستوى'],
  adding: ['Add placement result', 'إضافة نتيجة تحديد مستوى'],
  editing: ['Edit placement result', 'تعديل نتيجة تحديد مستوى'],
  // Sheets come in by test, with the codes of students: see `placementCalls.importResults`.
  permissions: { ...crud('placementResult'), import: null },
  scope: ['faculty', 'department', 'bylaw', 'program', 'advised'],
  fields: {
    // Test and student, put together by the database.
    code: f.code(['Code', 'الكود'], { max: 80, readOnly: true }),
    placement_test_id: f.lookup(['Placement test', 'اختبار تحديد المستوى'], 'placementTest', {
      required: true,
      createOnly: true,
    }),
    student_id: f.lookup(['Student', 'الطالب'], 'student', { required: true, createOnly: true }),
    state: f.choice(['State', 'الحالة'], STATES, { readOnly: true }),
    score: f.decimal(['Mark', 'الدرجة'], {
      places: 2,
      max: 1000,
      help: ['Empty: still to be taken.', 'فارغة: لم يؤدَّ الاختبار بعد.'],
    }),
    level: f.integer(['Level', 'المستوى'], { readOnly: true, min: 1, max: 20 }),
    is_exempt: f.flag(['Exempt', 'معفى']),
    taken_on: f.date(['Taken on', 'تاريخ الاختبار']),
    reason: f.text(['Reason', 'السبب'], { max: 500 }),
    touches: f.integer(['Registrations it does not permit', 'تسجيلات لا تسمح بها'], { readOnly: true, noExport: true }),
  },
  list: {
    columns: ['student_id', 'placement_test_id', 'state', 'score', 'level', 'taken_on', 'touches'],
    search: [],
    sort: ['score', 'level', 'taken_on', 'code'],
    filters: ['placement_test_id', 'student_id', 'state', 'level'],
    order: ['code', 'asc'],
  },
  exportName: 'Placement results',
  softDelete: true,
  screens: {
    list: '/placement_results',
    show: '/placement_results/:id',
    add: '/placement_results/add',
    edit: '/placement_results/edit/:id',
  },
  examples: [1, 2, 3, 4].map((student_id) => ({ placement_test_id: 1, student_id, score: '64' })),
  menu: { group: 'people', order: 415, icon: 'stairs', block: 'students' },
  plain: true,
})
