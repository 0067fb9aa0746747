import { z } from 'zod'
import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { call, f, id, resource } from '#kit/contract/index.ts'
import { ATTEMPTS, REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import { stepRow } from '../requests/request.contract.ts'

const shown = { readOnly: true } as const

/** Registrations of all students and terms, as staff look them up. They change by their own calls only. */
export const registration = resource({
  name: 'registration',
  path: '/registrations',
  table: 'registrations',
  one: ['Registration', 'تسجيل'],
  many: ['Registrations', 'التسجيلات'],
  adding: ['Register a student', 'تسجيل طالب'],
  editing: ['Change registration', 'تعديل التسجيل'],
  permissions: {
    list: 'access_registration',
    show: 'show_registration',
    add: null,
    edit: null,
    remove: null,
    restore: null,
    export: 'export_registration',
    import: null,
  },
  scope: ['faculty', 'department', 'bylaw', 'program', 'own', 'taught', 'advised'],
  fields: {
    student_id: f.lookup(['Student', 'الطالب'], 'student', shown),
    student_code: f.text(['Student code', 'كود الطالب'], shown),
    program_id: f.lookup(['Program', 'البرنامج'], 'program', shown),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', shown),
    level: f.integer(['Level', 'المستوى'], { ...shown, max: 100 }),
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', shown),
    course_id: f.lookup(['Course', 'المقرر'], 'course', shown),
    course_code: f.text(['Course code', 'كود المقرر'], shown),
    offering_id: f.lookup(['Offering', 'المقرر المطروح'], 'offering', { ...shown, noExport: true }),
    credit_hours: f.number(['Credit hours', 'الساعات المعتمدة'], { ...shown, places: 2, max: 1000 }),
    state: f.choice(['Status', 'الحالة'], REGISTRATION_STATES, shown),
    attempt: f.choice(['Attempt', 'نوع التسجيل'], ATTEMPTS, shown),
    audit: f.flag(['Audit', 'مستمع'], shown),
    by_decision: f.flag(['Decided by a case that stands', 'بقرار قائم'], {
      ...shown,
      detailOnly: true,
      noExport: true,
    }),
    status: f.flags(['Status flags', 'علامات الحالة'], { ...shown, noExport: true }),
    group_number: f.integer(['Group', 'المجموعة'], shown),
    total: f.decimal(['Total', 'المجموع'], { places: 2, max: 999, ...shown }),
    maximum: f.integer(['Maximum mark', 'النهاية العظمى'], { ...shown, max: 999 }),
    letter: f.text(['Grade', 'التقدير'], shown),
    // By marks: what the letter is called.
    rating: f.text(['Rating', 'اسم التقدير'], { ...shown, noExport: true }),
    rating_local: f.text(['Rating in Arabic', 'اسم التقدير بالعربية'], { ...shown, noExport: true }),
    advisor_id: f.lookup(['Academic advisor', 'المرشد الأكاديمي'], 'instructor', shown),
    created_at: f.instant(['Requested at', 'تاريخ الطلب'], shown),
  },
  list: {
    columns: [
      'student_id',
      'student_code',
      'course_id',
      'course_code',
      'group_number',
      'state',
      'attempt',
      'credit_hours',
      'program_id',
      'level',
      'created_at',
    ],
    search: ['student_id', 'course_id'],
    sort: ['student_code', 'course_code', 'credit_hours', 'level', 'created_at', 'letter', 'total', 'state'],
    filters: [
      'term_id',
      'student_id',
      'offering_id',
      'course_id',
      'program_id',
      'faculty_id',
      'level',
      'state',
      'attempt',
      'advisor_id',
    ],
    order: ['created_at', 'desc'],
  },
  exportName: 'registrations',
  softDelete: false,
  screens: {},
})

export const registrationRecordCalls = {
  steps: call('GET', '/registrations/{id}/steps', {
    permission: ['show_registration', 'access_student'],
    summary: ['Every step of a registration', 'كل خطوات تسجيل'],
    response: z.object({ data: z.array(stepRow) }),
  }),
  studentSteps: call('GET', '/registrations/students/{id}/steps', {
    permission: ['show_registration', 'access_student'],
    summary: ['Every step of all registrations of a student', 'كل خطوات تسجيلات الطالب'],
    query: cutQuery,
    response: cutAnswer(
      stepRow.extend({
        registration_id: id,
        course: z.object({ code: z.string(), name: z.string(), name_local: z.string() }),
        term: z.object({ code: z.string(), name: z.string(), name_local: z.string() }),
      }),
    ),
  }),
}
