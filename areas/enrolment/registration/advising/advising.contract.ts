import { z } from 'zod'
import { bulkResult, call, id, idParam, listOf, listQuery, ref, safeText } from '#kit/contract/index.ts'

/** A student as advising sees him or her. */
export const adviseeRow = ref.extend({
  code: z.string(),
  name_local: z.string(),
  program: ref,
  faculty: ref,
  level: z.int(),
  status: z.string(),
  gpa: z.string().nullable(),
  passed_hours: z.number(),
  warnings: z.int(),
  /** Credit hours of the current term. */
  hours: z.number(),
  /** Requests that wait for an answer. */
  waiting: z.int(),
  /** What keeps the student from registering. */
  holds: z.int(),
  advisor: ref.nullable(),
})
export type AdviseeRow = z.output<typeof adviseeRow>

export const advisorRow = ref.extend({
  code: z.string(),
  name_local: z.string(),
  academic_title: z.string().nullable(),
  faculty: ref,
  department: ref.nullable(),
  max_advised: z.int(),
  advised: z.int(),
  free: z.int(),
  waiting: z.int(),
  abilities: z.array(z.string()),
})
export type AdvisorRow = z.output<typeof advisorRow>

const exported = listQuery.extend({
  lang: z.enum(['ar', 'en']).optional(),
  columns: z.array(z.string()).max(100).optional(),
  ids: z.array(id).max(5000).optional(),
})
const most = z.int().min(1).max(10_000)

export const advisingCalls = {
  mine: call('GET', '/registrations/advisor-students', {
    permission: 'access_my_advising',
    summary: ['My advised students', 'طلاب الإرشاد الخاصون بي'],
    query: z.strictObject({
      search: z.string().trim().max(200).default(''),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      perPage: z.coerce.number().int().min(1).max(500).default(50),
      /** Only students whose requests wait. */
      waiting: z.stringbool().default(false),
      /** Only students who have a warning, or a GPA for which their bylaw warns. */
      at_risk: z.stringbool().default(false),
      order_by: listQuery.shape.order_by,
      order_direction: listQuery.shape.order_direction,
    }),
    response: listOf(adviseeRow),
  }),
  exportMine: call('POST', '/advisor-students/export', {
    permission: 'access_my_advising',
    summary: ['Export my advised students', 'تصدير طلاب الإرشاد الخاصين بي'],
    body: exported,
    file: { name: 'advisor-students.xlsx', type: 'xlsx' },
    reads: true,
  }),
  advisors: call('POST', '/advisors/academic-advisors', {
    permission: ['access_advising', 'edit_advising'],
    summary: ['Academic advisors', 'المرشدون الأكاديميون'],
    body: listQuery,
    response: listOf(advisorRow),
    reads: true,
  }),
  export: call('POST', '/advisors/export', {
    permission: ['access_advising', 'edit_advising'],
    summary: ['Export academic advisors', 'تصدير المرشدين الأكاديميين'],
    body: exported,
    file: { name: 'advisors.xlsx', type: 'xlsx', fixed: true },
    reads: true,
  }),
  /** Advisors with free places; for chosen students only those of their faculty. */
  available: call('POST', '/advisors/available-advisors', {
    permission: ['access_advising', 'edit_advising'],
    summary: ['Advisors with free places', 'المرشدون المتاحون'],
    body: z.strictObject({
      faculty_id: id.nullish(),
      student_ids: z.array(id).max(5000).default([]),
      search: z.string().trim().max(200).default(''),
    }),
    response: z.object({ data: z.array(advisorRow) }),
    reads: true,
    example: {},
  }),
  students: call('POST', '/advisors/advised-students', {
    permission: ['access_advising', 'edit_advising'],
    summary: ['Students and their advisors', 'الطلاب ومرشدوهم'],
    body: listQuery,
    response: listOf(adviseeRow),
    reads: true,
  }),
  unassign: call('POST', '/advisors/unassign-bulk-students', {
    permission: 'edit_advising',
    summary: ['Take students from their advisors', 'إلغاء إرشاد مجموعة طلاب'],
    body: z.strictObject({ student_ids: z.array(id).min(1).max(5000), reason: safeText(500).nullish() }),
    response: bulkResult,
    example: { student_ids: [1] },
  }),
  /** Instructors by name or code, advisors or not: to make them advisors. */
  search: call('GET', '/advisors/search-in-advisors', {
    permission: ['access_advising', 'edit_advising'],
    summary: ['Search instructors', 'البحث في أعضاء هيئة التدريس'],
    query: z.strictObject({ search: z.string().trim().max(200).default(''), faculty_id: idParam.optional() }),
    response: z.object({
      data: z.array(ref.extend({ faculty: ref, max_advised: z.int().nullable(), advised: z.int() })),
    }),
  }),
  byFaculty: call('GET', '/advisors/advisors-by-faculty', {
    permission: ['access_advising', 'edit_advising'],
    summary: ['Advisors and students without advisor by faculty', 'المرشدون والطلاب بلا مرشد حسب الكلية'],
    response: z.object({
      data: z.array(z.object({ faculty: ref, advisors: z.int(), places: z.int(), advised: z.int(), without: z.int() })),
    }),
  }),
  /** With `advisor_id` all to this one; without, shared among the advisors of each faculty by their places. No `student_ids`: all without advisor. */
  assign: call('PUT', '/advisors/assign-bulk-students', {
    permission: 'edit_advising',
    summary: ['Assign students to advisors', 'توزيع طلاب على المرشدين'],
    body: z.strictObject({
      advisor_id: id.nullish(),
      student_ids: z.array(id).max(5000).default([]),
      faculty_id: id.nullish(),
      program_id: id.nullish(),
    }),
    response: bulkResult.extend({
      assigned: z.array(z.object({ advisor: ref, count: z.int() })),
      /** Who has this advisor already; where they are shared out, who has one. */
      unchanged: z.array(id),
    }),
    example: { advisor_id: 1, student_ids: [1] },
  }),
  /** Ends somebody's advising; the students go to `to_advisor_id`, or to nobody. */
  remove: call('PUT', '/advisors/delete-advisors/{id}', {
    permission: 'edit_advising',
    summary: ['End the advising of an instructor', 'إنهاء إرشاد عضو هيئة تدريس'],
    body: z.strictObject({ to_advisor_id: id.nullish() }),
    response: z.object({ id, students: z.int() }),
    example: {},
  }),
  add: call('PUT', '/advisors/add-advisors', {
    permission: 'edit_advising',
    summary: ['Make instructors advisors, or set how many they advise', 'إضافة مرشدين أو تحديد الحد الأقصى لطلابهم'],
    body: z.strictObject({ instructor_ids: z.array(id).min(1).max(500), max_advised: most }),
    response: bulkResult,
    example: { instructor_ids: [1], max_advised: 25 },
  }),
}
