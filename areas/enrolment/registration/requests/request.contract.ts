import { z } from 'zod'
import { bulkResult, call, flags, id, idParam, problem, ref, safeText } from '#kit/contract/index.ts'
import { refusalCodes } from '../registration-refusals.rules.ts'
import { mainFlags, stageCodes } from '#areas/common/academics/status.rules.ts'
import { STEP_LABELS } from '#areas/common/academics/registration-words.contract.ts'

const state = z.enum(mainFlags)
const minutes = z.string().regex(/^\d\d:\d\d$/)

/** A weekly meeting that can be chosen. Times are those that apply now (regular or Ramadan). */
export const slotRow = z.object({
  id,
  group_id: id,
  group: z.int(),
  group_name: z.string().nullable(),
  type: z.enum(['Lecture', 'Lab', 'Tutorial', 'Clinic']),
  /** Meetings of one group, type and section are attended together; others of the type are alternatives. */
  section: z.string().nullable(),
  /** 0 Saturday … 6 Friday; null: not yet placed. */
  day: z.int().nullable(),
  slot: ref.nullable(),
  from: minutes.nullable(),
  to: minutes.nullable(),
  location: ref.nullable(),
  instructors: z.array(ref),
  quota: z.int(),
  /** Seats left within the quota. */
  free: z.int(),
  /** Places above the quota that are left; only told to who may use them. */
  over_free: z.int().nullable(),
})
export type SlotRow = z.output<typeof slotRow>

/** A dated window for this student. */
export const stageRow = z.object({
  id,
  code: z.enum(stageCodes),
  name: z.string(),
  name_local: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
  open: z.boolean(),
  term: ref,
})
export type StageRow = z.output<typeof stageRow>

/** What a student has taken of what he or she may take in a term, in credit hours, and why. */
export const loadRow = z.object({
  hours: z.number(),
  /** null: the bylaw sets no limit. */
  max_hours: z.number().nullable(),
  courses: z.int(),
  max_courses: z.int().nullable(),
  /** By marks: courses come with the level, and nothing limits them. */
  by_marks: z.boolean(),
  /** null: none yet, or not for this reader. */
  gpa: z.string().nullable(),
  warnings: z.int().nullable(),
  level: z.int(),
  /** What the person takes in other programs in the term: told, and not part of what this bylaw limits. */
  elsewhere: z.array(z.object({ program: ref, hours: z.number(), courses: z.int() })),
})
export type LoadRow = z.output<typeof loadRow>

const term = ref.extend({
  term_type: z.enum(['fall', 'spring', 'summer']),
  start_date: z.string(),
  end_date: z.string(),
})
const person = ref.extend({ code: z.string(), level: z.int(), program: ref, faculty: ref, advisor: ref.nullable() })
const course = ref.extend({ credit_hours: z.number() })

const exchanged = z.object({ registration_id: id, offering_id: id, course: ref }).nullable()

/** A registration of the student in the term. `abilities`: actions that the reader may take on it now. */
export const requestedRow = z.object({
  id,
  offering_id: id,
  offering_code: z.string(),
  course,
  status: flags,
  state,
  attempt: z.enum(['Fresh', 'Repeat', 'Improve']).nullable(),
  audit: z.boolean(),
  /** The state was decided by a case that stands: it is taken back there. */
  by_decision: z.boolean(),
  slots: z.array(slotRow),
  requested_at: z.string(),
  abilities: z.array(z.string()),
  /** Why control keeps it as it is; null: control does not hold the offering. */
  held: problem.nullable(),
  /** What is given up once this request is accepted, and the request for which this is given up; null: nothing. */
  gives_up: exchanged,
  given_for: exchanged,
})
export type RequestedRow = z.output<typeof requestedRow>

/** A place in a queue. */
export const waitRow = z.object({
  id,
  offering_id: id,
  offering_code: z.string(),
  course,
  /** 1 is next. */
  position: z.int(),
  since: z.string(),
  offering_slot_ids: z.array(id),
  /** What is given up in the moment in which the seat is had; null: nothing, or it is not there any more. */
  gives_up: z.object({ registration_id: id, course: ref }).nullable(),
  /** The seat was free, and is had. */
  moved: z.boolean(),
  /** It is had as a request: what was offered for it stays until that is accepted. */
  keeps: z.boolean(),
  /** Whether somebody answers for the exchange, and has; null: nothing that is registered is given up for it. */
  answer: z.enum(['waits', 'given']).nullable(),
})
export type WaitRow = z.output<typeof waitRow>

const requested = z.object({
  data: z.object({
    student: person,
    term: term.nullable(),
    stages: z.array(stageRow),
    load: loadRow,
    registrations: z.array(requestedRow),
    waiting: z.array(waitRow),
    /** What the reader may do for this student beyond single rows: request, add, enroll, override, over_quota, accept. */
    abilities: z.array(z.string()),
  }),
})
export type Requested = z.output<typeof requested>['data']

/** A reason why an offering cannot be had now; `data.step` is what unblocks it. */
export const refusalRow = problem.extend({ code: z.enum(refusalCodes) })

const offeringRow = z.object({
  id,
  code: z.string(),
  course: course.extend({
    lecture_hours: z.int(),
    tutorial_hours: z.int(),
    laboratory_hours: z.int(),
    clinical_hours: z.int(),
  }),
  /** Place in the student's study plan; null: not in the plan. */
  plan: z
    .object({
      level: z.int(),
      semester: z.int(),
      kind: z.enum(['mandatory', 'elective', 'university', 'faculty']),
      pool: ref.nullable(),
    })
    .nullable(),
  instructors: z.array(ref),
  slots: z.array(slotRow),
  /** Whatever stands against it, the choice of slots apart; empty: it can be requested. */
  refusals: z.array(refusalRow),
  /** The student's registration in it. */
  registration: z.object({ id, state }).nullable(),
  /** How many wait for a seat, and the student's place in the queue. */
  waiting: z.int(),
  wait_position: z.int().nullable(),
})
export type AvailableOffering = z.output<typeof offeringRow>

const available = z.object({
  data: z.object({
    term: term.nullable(),
    student: person,
    stages: z.array(stageRow),
    load: loadRow,
    offerings: z.array(offeringRow),
  }),
})
export type Available = z.output<typeof available>['data']

const made = z.object({
  data: z.array(z.object({ id, offering_id: id, student_id: id, status: flags.nullable(), state: state.nullable() })),
})
export type Made = z.output<typeof made>['data'][number]

const override = z.strictObject({ code: z.enum(refusalCodes), reason: safeText(500) })
const wanted = z.strictObject({
  offering_id: id,
  /** One meeting of every type of one group; with one meeting of a section come the others. */
  offering_slot_ids: z.array(id).max(40).default([]),
  /** Asks to improve a grade already passed. */
  improve: z.boolean().default(false),
})
/** The student asked for; left out: the student who asks. */
const forStudent = { student_id: id.optional() }
const asked = z.strictObject({
  ...forStudent,
  offerings: z.array(wanted).min(1).max(15),
  overrides: z.array(override).max(20).default([]),
  over_quota: z.boolean().default(false),
  reason: safeText(500).nullish(),
})
/** Registrations by id, with a reason that the history keeps. */
const chosen = z.strictObject({
  registration_ids: z.array(id).min(1).max(100),
  reason: safeText(500).nullish(),
  overrides: z.array(override).max(20).default([]),
  over_quota: z.boolean().default(false),
})
const inTerm = z.strictObject({ term_id: idParam.optional() })
const staff = ['access_registration', 'request_registration', 'accept_registration', 'access_advising'] as const
const anyone = ['access_student', ...staff] as const

export const requestCalls = {
  requested: call('GET', '/registrations/students/requested-offerings', {
    permission: 'access_student',
    summary: ['My registrations of a term', 'تسجيلاتي في فصل دراسي'],
    query: inTerm,
    response: requested,
  }),
  requestedOf: call('GET', '/registrations/students/requested-offerings/{id}', {
    permission: staff,
    summary: ['Registrations of a student in a term', 'تسجيلات طالب في فصل دراسي'],
    query: inTerm,
    response: requested,
  }),
  stages: call('GET', '/registrations/students/available-termstages', {
    permission: 'access_student',
    summary: ['My stages, open and coming', 'مراحل الفصل المتاحة لي'],
    response: z.object({ data: z.array(stageRow) }),
  }),
  stagesOf: call('GET', '/registrations/students/available-termstages/{id}', {
    permission: staff,
    summary: ['Windows of a student, open and coming', 'مراحل الفصل المتاحة لطالب'],
    response: z.object({ data: z.array(stageRow) }),
  }),
  available: call('GET', '/registrations/students/available-offerings', {
    heavy: true,
    permission: 'access_student',
    summary: ['Offerings I can ask for', 'المقررات المتاحة لي'],
    query: inTerm,
    response: available,
  }),
  availableTo: call('GET', '/registrations/students/available-offerings/{id}', {
    heavy: true,
    permission: staff,
    summary: ['Offerings a student can ask for', 'المقررات المتاحة لطالب'],
    query: inTerm,
    response: available,
  }),
  currentSlots: call('GET', '/registrations/students/current-offering-slots/{offering_id}', {
    permission: anyone,
    summary: ['Slots chosen in an offering', 'المواعيد المختارة في مقرر'],
    query: z.strictObject({ student_id: idParam.optional() }),
    response: z.object({
      data: z.object({ registration_id: id.nullable(), chosen: z.array(id), slots: z.array(slotRow) }),
    }),
  }),
  slots: call('POST', '/registrations/students/offering-slots/{offering_id}', {
    permission: anyone,
    summary: [
      'Slots that can be chosen; refused with every reason where the offering cannot be had',
      'المواعيد المتاحة في مقرر، أو كل أسباب عدم إتاحته',
    ],
    body: z.strictObject({ ...forStudent, improve: z.boolean().default(false) }),
    response: z.object({
      /** `clashes`: codes of the student's courses at the same time. */
      data: z.array(slotRow.extend({ clashes: z.array(z.string()) })),
    }),
    reads: true,
    example: {},
  }),
  terms: call('GET', '/registrations/students/{id}/terms', {
    permission: anyone,
    summary: ['Terms in which a student has registrations', 'الفصول التي سجل فيها الطالب'],
    response: z.object({
      data: z.array(
        term.extend({ courses: z.int(), hours: z.number(), gpa: z.string().nullable(), is_current: z.boolean() }),
      ),
    }),
  }),
  request: call('PUT', '/registrations/students/request-offering', {
    permission: ['access_student', 'request_registration', 'enroll_students'],
    summary: ['Request offerings, all or none', 'طلب تسجيل مقررات'],
    body: asked.extend({ enroll: z.boolean().default(false) }),
    response: made,
    example: { offerings: [{ offering_id: 1, offering_slot_ids: [1] }] },
  }),
  addDrop: call('PUT', '/registrations/students/addDrop-offering', {
    permission: ['access_student', 'request_registration'],
    summary: ['Ask to add or to drop offerings', 'طلب إضافة أو حذف مقررات'],
    body: z.discriminatedUnion('action', [
      asked.extend({ action: z.literal('add') }),
      chosen.extend({ action: z.literal('drop') }),
    ]),
    response: made,
    example: { action: 'drop', registration_ids: [1] },
  }),
  updateSlots: call('PUT', '/registrations/students/update-slot-offering', {
    permission: ['access_student', 'request_registration', 'enroll_students'],
    summary: ['Change the chosen slots', 'تغيير المواعيد المختارة'],
    body: z.strictObject({
      registration_id: id,
      offering_slot_ids: z.array(id).min(1).max(40),
      overrides: z.array(override).max(20).default([]),
      over_quota: z.boolean().default(false),
      reason: safeText(500).nullish(),
    }),
    response: made,
    example: { registration_id: 1, offering_slot_ids: [1] },
  }),
  join: call('PUT', '/registrations/students/wait-list', {
    permission: ['access_student', 'request_registration'],
    summary: ['Wait for a seat, also in exchange for another', 'الانضمام إلى قائمة انتظار مقرر، أو طلب مبادلة مقعد'],
    body: z.strictObject({
      ...forStudent,
      offering_id: id,
      offering_slot_ids: z.array(id).min(1).max(40),
      /** Asks to improve a grade already passed, once a seat is free. */
      improve: z.boolean().default(false),
      /** A registration of the student in the term, given up in the moment in which the seat is had, and not otherwise. */
      gives_up_id: id.optional(),
    }),
    response: z.object({ data: waitRow }),
    example: { offering_id: 1, offering_slot_ids: [1] },
  }),
  answer: call('PUT', '/registrations/students/wait-list/answer/{id}', {
    permission: 'accept_registration',
    summary: [
      'Agree to an exchange before the seat is there, or refuse it',
      'الموافقة المسبقة على مبادلة مقعد أو رفضها',
    ],
    body: z.strictObject({ accept: z.boolean(), reason: safeText(500).nullish() }),
    response: z.object({ id }),
    example: { accept: true },
  }),
  leave: call('DELETE', '/registrations/students/wait-list/{id}', {
    permission: ['access_student', 'request_registration'],
    summary: ['Leave a wait list', 'مغادرة قائمة الانتظار'],
    response: z.object({ id }),
  }),
}

const change = <S extends z.ZodType = typeof chosen>(
  path: string,
  permission: Parameters<typeof call>[2]['permission'],
  summary: readonly [string, string],
  body: S = chosen as never,
) =>
  call('PUT', `/registrations/students/${path}`, {
    permission,
    summary,
    body,
    response: made,
    example: { registration_ids: [1] },
  })

export const changeCalls = {
  remove: change(
    'remove-offering',
    ['access_student', 'request_registration', 'enroll_students'],
    ['Take requests back', 'سحب طلبات'],
  ),
  accept: change('accept-requested-offering', 'accept_registration', ['Accept requests', 'قبول طلبات']),
  reject: change('reject-requested-offering', 'accept_registration', ['Reject requests', 'رفض طلبات']),
  withdraw: change(
    'withdraw-offering',
    ['access_student', 'withdraw_registration'],
    [
      'Ask to withdraw; by staff: record the withdrawal, or force it',
      'طلب الانسحاب، أو تسجيله أو السحب الإجباري من قبل الإدارة',
    ],
    // Without `forced` the registrar records what the student could have asked for; with it the university withdraws the
    // student, at any time.
    chosen.extend({ forced: z.boolean().default(false) }),
  ),
  undo: change('undo-registered-offering', 'undo_registration', ['Return to registered', 'الإعادة إلى مسجل']),
  undoIncomplete: change('undo-incomplete-registered-offering', 'undo_registration', [
    'Return an incomplete registration to registered',
    'إعادة غير مكتمل إلى مسجل',
  ]),
  acceptAll: call('PUT', '/registrations/students/accept-all-requested-offerings', {
    permission: 'accept_registration',
    summary: ['Accept everything a student asks for', 'قبول كل طلبات الطالب'],
    body: z.strictObject({
      student_id: id,
      term_id: id.optional(),
      reason: safeText(500).nullish(),
      overrides: z.array(override).max(20).default([]),
    }),
    response: bulkResult,
    example: { student_id: 1 },
  }),
  /** 1 register request, 2 registered, 3 withdraw request, 4 drop request, 5 withdrawn, 6 dropped, 7 excused, 8 incomplete, 9 add request, 10 absent, 11 punished, 12 audit, 13 banned, 14 deregistered. */
  updateStatus: call('PUT', '/registrations/students/update-status/{status}', {
    permission: ['update_registration_status', 'accept_registration', 'withdraw_registration', 'undo_registration'],
    summary: ['Set the status by its numeric code', 'ضبط حالة التسجيل برقمها'],
    params: z.object({
      status: z
        .string()
        .regex(/^([1-9]|1[0-4])$/)
        .transform(Number),
    }),
    body: chosen,
    response: made,
    example: { registration_ids: [1] },
  }),
}

/** One step of a registration. */
export const stepRow = z.object({
  at: z.string(),
  action: z.enum(Object.keys(STEP_LABELS) as [keyof typeof STEP_LABELS]),
  from_state: state.nullable(),
  to_state: state.nullable(),
  by: ref.nullable(),
  as: ref.nullable(),
  reason: z.string().nullable(),
  overrides: z.array(z.object({ code: z.string(), reason: z.string() })),
})
export type StepRow = z.output<typeof stepRow>
