import { rating } from '#areas/common/academics/grading-words.contract.ts'
import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import {
  bulkResult,
  call,
  code,
  f,
  id,
  idParam,
  listOf,
  listQuery,
  option,
  ref,
  resource,
  rowSchema,
  safeText,
  failing,
} from '#kit/contract/index.ts'
import { meeting, meetingInput } from './slots/slots.contract.ts'
import { CONTROL_STATUSES, CONTROL_STEPS, TEAM_ROLES } from '#areas/common/academics/offering-words.contract.ts'

/** Somebody of the team of an offering. */
export const teamMember = ref.extend({ role: z.enum(TEAM_ROLES.map((r) => r.value)) })
/** A program (and a level of it) to which an offering is open. */
export const openProgram = ref.extend({ level: z.int().nullable() })
/** A group with its weekly meetings. */
export const offeringGroup = z.object({ id, number: z.int(), meetings: z.array(meeting) })
/** An offering that takes the seats of another. */
export const linkedOffering = ref.extend({ offering_code: z.string(), registered: z.int(), faculty: ref.nullable() })
/** One category of the mark scheme. */
export const offeringSchemeItem = ref.extend({ max: z.string(), is_final_exam: z.boolean() })

const count = { readOnly: true, required: true } as const

/**
 * One course taught in one term. Figures (`seats`, `free_seats`, `groups_count`, `unplaced`) are those of the offering
 * whose groups its students attend: its own, or of the one it is linked to.
 */
export const offering = resource({
  name: 'offering',
  path: '/offerings',
  table: 'offerings',
  one: ['Course offering', 'مقرر مطروح'],
  many: ['Course offerings', 'المقررات المطروحة'],
  adding: ['Add offering', 'طرح مقرر'],
  editing: ['Edit offering', 'تعديل مقرر مطروح'],
  permissions: { ...crud('offering'), import: null },
  scope: ['faculty', 'department', 'program', 'bylaw', 'taught'],
  fields: {
    course_id: f.lookup(['Course', 'المقرر'], 'course', { required: true, createOnly: true }),
    code: f.code(['Offering code', 'كود الطرح'], {
      max: 20,
      required: true,
      help: ['Tells offerings of one course in one term apart.', 'يميز بين طروحات المقرر الواحد في الفصل نفسه.'],
    }),
    term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', { required: true, createOnly: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
    department_id: f.lookup(['Department', 'القسم'], 'department', { dependsOn: 'faculty_id' }),
    level: f.integer(['Level', 'المستوى'], { max: 7 }),
    is_open: f.flag(['Open for registration', 'مفتوح للتسجيل']),
    control_status: f.choice(['Marks', 'حالة الدرجات'], CONTROL_STATUSES, { readOnly: true }),
    seats: f.integer(['Seats', 'المقاعد'], count),
    free_seats: f.integer(['Free seats', 'المقاعد الشاغرة'], count),
    registered: f.integer(['Registered students', 'المسجلون'], count),
    requested: f.integer(['Requests', 'طلبات التسجيل'], count),
    waiting: f.integer(['Wait list', 'قائمة الانتظار'], count),
    groups_count: f.integer(['Groups', 'المجموعات'], count),
    unplaced: f.integer(['Meetings without a time', 'مواعيد غير محددة'], count),
    credit_hours: f.number(['Credit hours', 'الساعات المعتمدة'], { ...count, places: 2 }),
    min_students: f.integer(['Minimum students', 'الحد الأدنى للطلاب'], { max: 100_000 }),
    max_students: f.integer(['Maximum students', 'الحد الأقصى للطلاب'], { max: 100_000 }),
    linked_offering_id: f.lookup(['Seats from', 'يشغل مقاعد'], 'offering', { readOnly: true }),
    mark_id: f.lookup(['Mark scheme', 'توزيع الدرجات'], 'mark'),
    notes: f.longText(['Notes', 'ملاحظات'], { max: 2000, detailOnly: true }),
    instructors: f.json(['Instructors', 'فريق التدريس'], z.array(teamMember), { readOnly: true, noExport: true }),
    programs: f.json(['Programs', 'البرامج'], z.array(openProgram), { readOnly: true, noExport: true }),
    hours: f.json(
      ['Weekly hours', 'الساعات الأسبوعية'],
      z.object({ Lecture: z.int(), Tutorial: z.int(), Lab: z.int(), Clinic: z.int() }),
      { readOnly: true, detailOnly: true, noExport: true },
    ),
    groups: f.json(['Groups and meetings', 'المجموعات والمواعيد'], z.array(offeringGroup), {
      readOnly: true,
      detailOnly: true,
      noExport: true,
    }),
    linked: f.json(['Linked offerings', 'المقررات المرتبطة'], z.array(linkedOffering), {
      readOnly: true,
      detailOnly: true,
      noExport: true,
    }),
    scheme: f.json(['Mark scheme', 'توزيع الدرجات'], z.array(offeringSchemeItem), {
      readOnly: true,
      detailOnly: true,
      noExport: true,
    }),
  },
  list: {
    columns: [
      'course_id',
      'code',
      'faculty_id',
      'instructors',
      'groups_count',
      'seats',
      'free_seats',
      'registered',
      'requested',
      'is_open',
      'control_status',
    ],
    search: ['code', 'course_id'],
    sort: [
      'course_id',
      'code',
      'faculty_id',
      'department_id',
      'level',
      'seats',
      'free_seats',
      'registered',
      'requested',
      'waiting',
      'groups_count',
      'unplaced',
      'credit_hours',
      'is_open',
      'control_status',
    ],
    filters: [
      'term_id',
      'course_id',
      'faculty_id',
      'department_id',
      'level',
      'is_open',
      'control_status',
      'linked_offering_id',
    ],
    order: ['course_id', 'asc'],
  },
  exportName: 'offerings',
  softDelete: true,
  screens: { list: '/offerings', show: '/offering/:id', add: '/offerings/add', edit: '/offering/edit/:id' },
  menu: { group: 'study', order: 605, icon: 'books', block: 'offering' },
})

const seatsCount = z.int().min(0).max(10_000)
const teamInput = z.strictObject({
  instructor_id: id,
  role: z.enum(TEAM_ROLES.map((r) => r.value)).default('instructor'),
})
const programInput = z.strictObject({ program_id: id, level: z.int().min(0).max(7).nullish() })
/** Facts of an offering as sent. */
const facts = z.strictObject({
  code: code(20).optional(),
  faculty_id: id.nullish(),
  department_id: id.nullish(),
  level: z.int().min(0).max(7).nullish(),
  is_open: z.boolean().optional(),
  min_students: z.int().min(0).max(100_000).nullish(),
  max_students: z.int().min(0).max(100_000).nullish(),
  mark_id: id.nullish(),
  notes: safeText(2000).nullish(),
})
/** A new offering. Number of groups, and meetings with quota and over-quota, must be given. */
export const newOffering = facts.extend({
  course_id: id,
  /** The current term unless told. */
  term_id: id.optional(),
  groups: z.int().min(1).max(500),
  /** A meeting without `group` is one of every group. */
  slots: z
    .array(meetingInput.extend({ group: z.int().min(1).max(500).optional() }).omit({ id: true }))
    .min(1)
    .max(2000),
  instructors: z.array(teamInput).max(100).default([]),
  programs: z.array(programInput).max(200).default([]),
})
/** What changes. `slots` is the whole list: meetings with `id` are changed, those without are new, those missing are removed. */
export const changedOffering = facts.extend({
  version: z.int().optional(),
  groups: z.int().min(1).max(500).optional(),
  slots: z.array(meetingInput).max(2000).optional(),
  /** Moves meetings although students who hold a seat have another meeting at that time. */
  allow_student_clashes: z.boolean().default(false),
})

const detail = z.object({ data: rowSchema(offering as never, 'detail') })
const bulk = z.array(id).min(1).max(5000)

const registrationRow = z.object({
  id,
  student: ref,
  program: ref,
  level: z.int(),
  status: z.string(),
  group: z.int().nullable(),
  slots: z.array(z.string()),
  offering_id: id,
  total: z.string().nullable(),
  /** Out of how many marks, under a regulation by marks. */
  maximum: z.int().nullable(),
  letter: z.string().nullable(),
  rating: rating.nullable(),
})

const add = {
  permission: 'add_offering',
  summary: ['Offer a course in a term', 'طرح مقرر في فصل دراسي'],
  body: newOffering,
  // 2,000 meetings.
  maxBody: 1_000_000,
  response: detail,
  example: { course_id: 1, groups: 1, slots: [{ type: 'Lecture', quota: 60, over_quota: 3 }] },
} as const
const edit = {
  permission: ['edit_offering', 'edit_offering_slots'],
  summary: ['Change an offering, its groups and meetings', 'تعديل مقرر مطروح ومجموعاته ومواعيده'],
  body: changedOffering,
  maxBody: 1_000_000,
  response: detail,
  example: { is_open: false },
} as const

export const offeringCalls = {
  add: call('POST', '/offerings/add', add),
  create: call('PUT', '/offerings', add),
  edit: call('PUT', '/offerings/edit/{id}', edit),
  update: call('PUT', '/offerings/{id}', edit),
  /** `is_open` is the same as the status `open` or `closed`. */
  updateStatus: call('POST', '/offerings/update_status_bulk', {
    permission: [
      'edit_offering',
      'submit_control',
      'review_control',
      'approve_control',
      'publish_control',
      'freeze_control',
      'undo_control',
      'unfreeze_control',
    ],
    summary: [
      'Open or close registration of many offerings, or take a step of control with them',
      'فتح أو غلق التسجيل لعدة مقررات أو تنفيذ خطوة كنترول عليها',
    ],
    body: z
      .strictObject({
        ids: bulk,
        status: z.enum(['open', 'closed', ...CONTROL_STEPS]).optional(),
        is_open: z.boolean().optional(),
        /** Needed for undo. */
        reason: safeText(500).optional(),
      })
      .refine((body) => (body.status === undefined) !== (body.is_open === undefined), {
        path: ['status'],
        ...failing('required'),
      }),
    response: bulkResult,
    example: { ids: [1], status: 'open' },
  }),
  programCourses: call('GET', '/offerings/lookup/program-courses', {
    permission: ['access_offering', 'add_offering'],
    summary: ['Courses of a study plan and how they are offered', 'مقررات الخطة الدراسية وما طُرح منها'],
    query: z.strictObject({
      program_id: idParam,
      term_id: idParam.optional(),
      level: z.coerce.number().int().min(0).max(7).optional(),
      semester: z.coerce.number().int().min(1).max(16).optional(),
    }),
    response: z.object({
      data: z.array(
        ref.extend({
          level: z.int(),
          semester: z.int(),
          kind: z.string(),
          credit_hours: z.number(),
          hours: z.object({ Lecture: z.int(), Tutorial: z.int(), Lab: z.int(), Clinic: z.int() }),
          /** Studying students of the program at this level who have neither passed the course nor registered it this term. */
          need: z.int(),
          offering_courses: z.array(
            z.object({
              id,
              code: z.string(),
              is_open: z.boolean(),
              seats: z.int(),
              free_seats: z.int(),
              registered: z.int(),
            }),
          ),
        }),
      ),
      term: option.nullable(),
    }),
  }),
  /** Adds an offering per course; a course that cannot be offered is reported, the others are added. */
  addMany: call('POST', '/offerings/add_bulk', {
    permission: 'add_offering',
    summary: ['Offer many courses of a study plan', 'طرح عدة مقررات من خطة دراسية'],
    body: z.strictObject({
      term_id: id.optional(),
      program_id: id.optional(),
      quota: seatsCount,
      over_quota: seatsCount,
      is_open: z.boolean().default(false),
      /** `students`: how many are expected; the number of groups follows from the quota. */
      courses: z
        .array(z.strictObject({ course_id: id, students: z.int().min(0).max(100_000) }))
        .min(1)
        .max(300),
    }),
    response: bulkResult.extend({ offering_ids: z.array(z.int()) }),
    example: { quota: 60, over_quota: 3, courses: [{ course_id: 1, students: 120 }] },
  }),
  students: call('POST', '/offerings/students/{id}', {
    permission: 'access_registration',
    summary: ['Students of an offering', 'طلاب المقرر المطروح'],
    body: listQuery,
    response: listOf(registrationRow),
    reads: true,
  }),
}
export type StudentOfOffering = z.output<typeof registrationRow>
export { teamInput, programInput }
