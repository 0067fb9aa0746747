import { z } from 'zod'
import {
  call,
  date,
  f,
  id,
  idParam,
  listOf,
  listQuery,
  option,
  problem,
  ref,
  request,
  safeText,
} from '#kit/contract/index.ts'
import { inputSchema, rowSchema } from '#kit/contract/resource.ts'
import { workflow } from '#kit/contract/workflow.ts'
import { training } from '../places/training.contract.ts'
import { checkTrainingAccepted, checkTrainingApproved, type StudentTrainingFacts } from '../places/training.rules.ts'

const PATH = '/students-trainings'
const DECIDE = 'decide_studentTraining'
const APPROVE = 'approve_studentTraining'
const told = { notice: 'kit.notice_request' } as const

/** A place is accepted; once it is done and assessed, its weeks are approved. What is not approved ends for good by a second decision. */
export const studentTrainingFlow = workflow<StudentTrainingFacts>()({
  name: 'studentTraining',
  one: ['Student training', 'تدريب طالب'],
  field: 'status',
  states: [
    { value: 'requested', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' },
    { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
    { value: 'approved', label: ['Approved', 'معتمد'], tone: 'done' },
    { value: 'disapproved', label: ['Not approved', 'غير معتمد'], tone: 'refused', sometimes: true },
    { value: 'final_disapproved', label: ['Refused for good', 'مرفوض نهائيًا'], tone: 'refused', sometimes: true },
    { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
  ],
  actions: {
    accept: {
      label: ['Accept', 'قبول'],
      call: ['POST', `${PATH}/accept/{id}`],
      permission: DECIDE,
      from: { requested: 'accepted' },
      needs: checkTrainingAccepted,
      consequence: ['The student has a place.', 'يصبح للطالب مكان في التدريب.'],
      takenBackBy: 'reopen',
      ...told,
    },
    approve: {
      label: ['Approve', 'اعتماد'],
      call: ['POST', `${PATH}/approve/{id}`],
      permission: APPROVE,
      from: { accepted: 'approved' },
      needs: checkTrainingApproved,
      consequence: ['Its weeks count for the degree.', 'تُحتسب أسابيعه ضمن متطلبات التخرج.'],
      takenBackBy: 'reopen',
      ...told,
    },
    disapprove: {
      label: ['Do not approve', 'عدم الاعتماد'],
      call: ['POST', `${PATH}/disapprove/{id}`],
      permission: DECIDE,
      from: { requested: 'disapproved', accepted: { to: 'disapproved', permission: APPROVE } },
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    disapprove_finally: {
      label: ['Refuse for good', 'الرفض النهائي'],
      call: ['POST', `${PATH}/disapprove_finally/{id}`],
      permission: APPROVE,
      from: { disapproved: 'final_disapproved' },
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    reopen: {
      label: ['Open again', 'إعادة الفتح'],
      call: ['POST', `${PATH}/reopen/{id}`],
      permission: DECIDE,
      from: {
        accepted: 'requested',
        approved: { to: 'accepted', permission: APPROVE },
        disapproved: { to: 'requested', back: { accepted: APPROVE } },
        final_disapproved: { to: 'disapproved', permission: APPROVE },
      },
      // A place that somebody else has meanwhile is not given back.
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    cancel: {
      label: ['Take back', 'سحب الطلب'],
      call: ['POST', `${PATH}/cancel/{id}`],
      permission: 'add_studentTraining',
      from: { requested: 'cancelled', accepted: 'cancelled' },
      byOwner: true,
      single: true,
      tone: 'refused',
    },
  },
  bulk: `${PATH}/bulk/{action}`,
  waits: 'kit.notice_waits',
  history: { path: `${PATH}/steps/{id}`, permission: 'show_studentTraining' },
})

/** What students ask for: a place that is offered, or one that they found. */
export const studentTraining = request('studentTraining', {
  path: PATH,
  one: ['Student training', 'تدريب طالب'],
  many: ['Student trainings', 'تدريبات الطلاب'],
  adding: ['Ask for a training', 'طلب تدريب'],
  flow: studentTrainingFlow as never,
  menu: {
    group: 'services',
    order: 71,
    icon: 'briefcase',
    subject: 'trainings',
    titleOfType: { 3: ['My trainings', 'تدريباتي'] },
  },
  fields: {
    training_id: f.lookup(['Training', 'التدريب'], 'training', {
      createOnly: true,
      help: ['Or say below which place you found yourself.', 'أو اذكر أدناه المكان الذي وجدته بنفسك.'],
    }),
    from_week: f.integer(['From week', 'من الأسبوع'], {
      min: 1,
      max: 60,
      createOnly: true,
      detailOnly: true,
      help: ['Only where weeks of a training are chosen.', 'فقط حيث تُختار أسابيع التدريب.'],
    }),
    until_week: f.integer(['Until week', 'حتى الأسبوع'], { min: 1, max: 60, createOnly: true, detailOnly: true }),
    wish: f.integer(['Wish number', 'ترتيب الرغبة'], { min: 1, max: 10, createOnly: true }),
    own_organisation: f.text(['Place found: organisation', 'مكان وجده الطالب: الجهة'], {
      max: 200,
      createOnly: true,
    }),
    own_contact: f.text(['Place found: contact there', 'مكان وجده الطالب: مسؤول التواصل'], {
      max: 300,
      createOnly: true,
      detailOnly: true,
    }),
    own_starts_on: f.date(['Place found: begins on', 'مكان وجده الطالب: يبدأ في'], {
      createOnly: true,
      detailOnly: true,
    }),
    own_ends_on: f.date(['Place found: ends on', 'مكان وجده الطالب: ينتهي في'], { createOnly: true, detailOnly: true }),
    own_weeks: f.integer(['Place found: weeks', 'مكان وجده الطالب: الأسابيع'], {
      min: 1,
      max: 60,
      createOnly: true,
      detailOnly: true,
    }),
    organisation_id: f.lookup(
      ['Place found: on the list as', 'مكان وجده الطالب: في القائمة باسم'],
      'trainingOrganisation',
      {
        readOnly: true,
        detailOnly: true,
      },
    ),
    cv_file_id: f.file(['CV', 'السيرة الذاتية'], { accept: ['pdf'], createOnly: true, detailOnly: true }),
    why: f.longText(['Motivation', 'دوافع التقديم'], { required: true, max: 2000, createOnly: true }),
    other_requests: f.integer(['Other requests that wait', 'طلبات أخرى في الانتظار'], {
      readOnly: true,
      detailOnly: true,
    }),
    weeks: f.integer(['Approved weeks', 'الأسابيع المعتمدة'], { min: 0, max: 60, readOnly: true }),
  },
  list: {
    columns: ['student_id', 'training_id', 'wish', 'weeks', 'status', 'created_at'],
    sort: ['wish', 'status', 'created_at'],
    filters: ['student_id', 'training_id', 'status'],
  },
})

const person = z.object({ name: z.string(), name_local: z.string() })
const report = z.object({ id, week: z.int(), text: z.string(), at: z.string() })
const interview = z.object({ id, starts_at: z.string(), minutes: z.int(), place: z.string() })
/** What was said of a student at the end, by whom. */
const assessed = z.object({
  id,
  source: z.enum(['supervisor', 'organisation']),
  score: z.int(),
  text: z.string(),
  visited_on: z.string().nullable(),
  by: person.nullable(),
  said_by: z.string().nullable(),
  at: z.string(),
})
export type TrainingAssessment = z.output<typeof assessed>
/** What the organisation advises. */
export const trainingAdvice = z.object({
  says: z.boolean(),
  reason: z.string().nullable(),
  said_by: z.string(),
  at: z.string(),
})
/** The open question to an organisation: to which address, by whom, and whether its link was opened. */
export const organisationAsk = z.object({
  email: z.string(),
  asked_at: z.string(),
  by: person.nullable(),
  opened_at: z.string().nullable(),
  ends_on: z.string(),
})
const detail = z.object({
  id,
  version: z.int(),
  status: z.string(),
  student: ref,
  training: ref.nullable(),
  organisation: person.nullable(),
  starts_on: z.string(),
  ends_on: z.string(),
  /** Of the training; approved ones are among the fields of the request. */
  weeks: z.int(),
  min_reports: z.int(),
  reports: z.array(report),
  has_interview: z.boolean(),
  interview: interview.nullable(),
  /** Interviews that nobody has booked, where one is still to be booked. */
  free: z.array(interview),
  /** The newest of the supervisor, which counts. */
  assessment: assessed.nullable(),
  /** All others, the newest first: of before, and of the organisation. */
  assessments: z.array(assessed),
  advice: trainingAdvice.nullable(),
  /** Other requests of the student that wait, where the reader decides on them. */
  others: z.array(z.object({ id, name: z.string(), name_local: z.string(), wish: z.int().nullable() })),
  /** Of a place that was found: whether the reader may put its organisation on the list. */
  lists: z.boolean(),
  /** Of a place that was found and is on the list: the question to its organisation, where the reader decides. */
  question: z
    .object({ email: z.string().nullable(), ask: organisationAsk.nullable(), not_asked: z.array(problem) })
    .nullable(),
  /** What the reader may do now. */
  reports_now: z.boolean(),
  assesses: z.boolean(),
  /** Why it cannot be approved yet. */
  missing: z.array(problem),
})
export type StudentTrainingDetail = z.output<typeof detail>

const slot = interview.extend({ student: ref.nullable() })
const moved = z.object({ data: z.object({ id, version: z.int(), status: z.string() }) })
const done = z.object({ data: z.object({ id }) })
const own = { permission: 'add_studentTraining' } as const

export const trainingCalls = {
  lookups: call('GET', '/trainings/lookups', {
    permission: ['access_training', 'add_studentTraining'],
    summary: ['What trainings are made of', 'القوائم اللازمة للتدريبات'],
    response: z.object({ data: z.object({ organisations: z.array(ref), statuses: z.array(option) }) }),
  }),
  change: call('POST', '/trainings/{id}', {
    permission: 'edit_training',
    summary: ['Change a training', 'تعديل تدريب'],
    body: inputSchema(training, 'update'),
    response: z.object({ data: rowSchema(training, 'detail') }),
    example: { places: 40 },
  }),
  students: call('POST', '/trainings/students', {
    permission: 'access_studentTraining',
    summary: ['Trainings of students', 'تدريبات الطلاب'],
    body: listQuery,
    response: listOf(rowSchema(studentTraining, 'list')),
    reads: true,
  }),
  student: call('POST', '/trainings/student/{id}', {
    permission: 'show_studentTraining',
    summary: ['A training of a student in full', 'تدريب طالب بتفاصيله'],
    body: z.strictObject({}).optional(),
    response: z.object({ data: detail }),
    reads: true,
  }),
  ask: call('POST', '/trainings/student-to-training', {
    ...own,
    summary: ['Ask for a training, or for a student', 'طلب تدريب للطالب'],
    body: inputSchema(studentTraining, 'create'),
    response: moved,
    example: { training_id: 1, student_id: 1, why: 'To see how it is done.' },
  }),
  updateStatus: call('POST', '/trainings/update-student-training-status', {
    permission: [DECIDE, APPROVE, 'add_studentTraining'],
    summary: ['Accept, approve or refuse a training of a student', 'قبول تدريب طالب أو اعتماده أو رفضه'],
    body: z.strictObject({
      id,
      status: z.enum(['requested', 'accepted', 'approved', 'disapproved', 'final_disapproved', 'cancelled']),
      reason: safeText(500).optional(),
      version: z.int().optional(),
    }),
    response: moved,
    example: { id: 1, status: 'disapproved', reason: 'Nobody supervises it.' },
  }),
  report: call('POST', '/trainings/report/{id}', {
    ...own,
    summary: ['Report of a week of the own training', 'تقديم تقرير أسبوع من التدريب'],
    body: z.strictObject({ week: z.int().min(1).max(60), text: safeText(4000, 10) }),
    response: done,
    example: { week: 1, text: 'Learnt how requests are answered.' },
  }),
  assess: call('POST', '/trainings/assess/{id}', {
    permission: APPROVE,
    summary: ['Assess a training of a student', 'تقييم تدريب طالب'],
    body: z.strictObject({
      score: z.int().min(0).max(100),
      text: safeText(4000, 3),
      visited_on: date.nullable().optional(),
      /** Of the request as it was seen: who else assessed it meanwhile is not overwritten. */
      version: z.int(),
    }),
    response: done,
    example: { score: 85, text: 'Worked by himself after a week.', version: 1 },
  }),
  acceptAmong: call('POST', '/trainings/accept-among/{id}', {
    permission: DECIDE,
    summary: [
      'Give a place, and say what becomes of other requests of the student',
      'منح مكان وتحديد مصير الطلبات الأخرى للطالب',
    ],
    body: z.strictObject({
      others: z.enum(['keep', 'later', 'all']),
      reason: safeText(500).optional(),
      version: z.int().optional(),
    }),
    response: z.object({ data: z.object({ id, ended: z.int() }) }),
    example: { others: 'keep' },
  }),
  listOrganisation: call('POST', '/trainings/list-organisation/{id}', {
    permission: 'add_trainingOrganisation',
    summary: [
      'Put the organisation of a place that a student found on the list',
      'إضافة جهة المكان الذي وجده الطالب إلى القائمة',
    ],
    body: z.strictObject({
      /** One that is there already; else a new one. */
      organisation_id: id.nullable().optional(),
      code: safeText(20, 1).nullable().optional(),
      name: safeText(200, 1).nullable().optional(),
      name_local: safeText(200, 1).nullable().optional(),
      contact_name: safeText(200).nullable().optional(),
      email: z.email().max(254).nullable().optional(),
    }),
    response: z.object({ data: ref }),
    example: { organisation_id: 1 },
  }),
  askPlace: call('POST', '/trainings/ask-place/{id}', {
    permission: DECIDE,
    summary: ['Send the organisation of a place that a student found a link', 'إرسال رابط الرد إلى جهة وجدها الطالب'],
    response: done,
  }),
  endPlaceAsk: call('POST', '/trainings/end-place-ask/{id}', {
    permission: DECIDE,
    summary: ['Take back the link of the organisation of a place that a student found', 'سحب رابط جهة وجدها الطالب'],
    response: done,
  }),
  interviews: call('GET', '/trainings/interviews/{id}', {
    permission: 'edit_training',
    summary: ['Interviews of a training', 'مقابلات تدريب'],
    response: z.object({ data: z.array(slot) }),
  }),
  addInterviews: call('POST', '/trainings/interviews/{id}', {
    permission: 'edit_training',
    summary: ['Offer interviews of a training', 'إتاحة مواعيد لمقابلات تدريب'],
    body: z.strictObject({
      day: date,
      from_time: z.string().regex(/^\d\d:\d\d$/),
      count: z.int().min(1).max(50),
      minutes: z.int().min(5).max(240),
      place: safeText(200, 1),
    }),
    response: z.object({ data: z.object({ added: z.int() }) }),
    example: { day: '2030-02-03', from_time: '10:00', count: 4, minutes: 15, place: 'Room 12' },
  }),
  removeInterview: call('DELETE', '/trainings/interviews/{id}', {
    permission: 'edit_training',
    summary: ['Take back an interview that nobody booked', 'إلغاء موعد مقابلة غير محجوز'],
    response: done,
  }),
  book: call('POST', '/trainings/interview/{id}', {
    ...own,
    summary: ['Book an interview', 'حجز موعد مقابلة'],
    params: z.object({ id: idParam }),
    body: z.strictObject({ interview_id: id }),
    response: done,
    example: { interview_id: 1 },
  }),
}
