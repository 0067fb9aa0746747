import { call, exportQuery, f, id, listOf, listQuery, problem, ref, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'
import { decisions, equivalence, equivalenceCalls, grades } from '../equivalence/equivalence.contract.ts'
import { checkExecution } from './internal.rules.ts'
import type { ExecutionFacts } from './internal.rules.ts'

/** The way of a wish to move to another program: the faculty that is left agrees, the one that is joined executes. */
export const internalFlow = workflow<ExecutionFacts>()({
  name: 'internal_transfer',
  one: ['Internal transfer', 'تحويل داخلي'],
  field: 'status',
  states: [
    { value: 'added', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' },
    { value: 'agreed', label: ['Agreed by the former faculty', 'وافقت الكلية المحوَّل منها'], tone: 'active' },
    { value: 'executed', label: ['Executed', 'منفَّذ'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
    { value: 'cancelled', label: ['Taken back', 'مسحوب'], tone: 'frozen' },
    { value: 'deleted', label: ['Deleted', 'محذوف'], tone: 'frozen' },
  ],
  actions: {
    agree: {
      label: ['Agree', 'موافقة'],
      summary: ['Agree that the student leaves the program', 'الموافقة على خروج الطالب من البرنامج'],
      call: ['PUT', '/transfer/internal/{id}/agree'],
      permission: 'agree_transfer',
      from: { added: 'agreed' },
      notice: 'transfers.notice_internal',
    },
    execute: {
      label: ['Execute', 'تنفيذ'],
      summary: [
        'Execute an internal transfer: program, bylaw and courses change at once',
        'تنفيذ التحويل الداخلي: يتغير البرنامج واللائحة وتُحتسب المقررات معًا',
      ],
      call: ['PUT', '/transfer/internal/{id}'],
      permission: 'execute_transfer',
      from: { added: 'executed', agreed: 'executed' },
      needs: checkExecution,
      consequence: [
        'Program and bylaw change, the courses decided on count as passed, and requests for courses that wait are rejected. The student has no academic advisor until one is assigned. The record so far stays readable. It cannot be taken back.',
        'يتغير البرنامج واللائحة، وتُحتسب المقررات المعادلة مجتازة، وتُرفض طلبات التسجيل المعلقة، ويبقى الطالب بلا مرشد أكاديمي حتى يُعيَّن له مرشد، ويبقى السجل السابق للاطلاع. لا يمكن التراجع.',
      ],
      notice: 'transfers.notice_internal',
      single: true,
    },
    reject: {
      label: ['Reject', 'رفض'],
      summary: ['Reject an internal transfer', 'رفض تحويل داخلي'],
      call: ['PUT', '/transfer/internal/{id}/reject'],
      permission: ['execute_transfer', 'agree_transfer'],
      from: { added: 'rejected', agreed: 'rejected' },
      reason: 'required',
      tone: 'refused',
      notice: 'transfers.notice_internal',
    },
    cancel: {
      label: ['Take back', 'سحب الطلب'],
      summary: ['Take back an own request', 'سحب طلب التحويل'],
      call: ['DELETE', '/transfer/internal/{id}'],
      permission: 'ask_transfer',
      from: { added: 'cancelled', agreed: 'cancelled' },
      byOwner: true,
      single: true,
      tone: 'refused',
    },
    delete: {
      label: ['Delete', 'حذف'],
      summary: ['Delete a request from the list', 'حذف طلب تحويل من القائمة'],
      call: ['POST', '/transfer/{id}/delete'],
      permission: 'execute_transfer',
      from: { added: 'deleted', agreed: 'deleted', rejected: 'deleted', cancelled: 'deleted' },
      reason: 'required',
      tone: 'refused',
    },
  },
  bulk: '/transfer/internal/bulk/{action}',
  history: { path: '/transfer/internal/steps/{id}', permission: 'access_transfer' },
})
export const internalSteps = workflowCalls(internalFlow)

const status = z.enum(internalFlow.states.map((one) => one.value))
const row = z.object({
  id,
  version: z.int(),
  student: ref,
  from_program: ref,
  program: ref,
  term: ref,
  why: z.string(),
  status,
  created_at: z.string(),
  executed_at: z.string().nullable(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type InternalRow = z.output<typeof row>

const detail = row.extend({
  student: ref.extend({ level: z.int(), status: z.string() }),
  from_faculty: ref,
  faculty: ref,
  bylaw: ref,
  /** Why it was rejected, taken back or deleted. */
  decided_reason: z.string().nullable(),
  /** Every reason why it cannot be executed now. */
  against: z.array(problem),
  equivalences: z.array(equivalence),
  ...grades,
  /** While it waits: what executing it does beyond program, bylaw and courses. */
  executing: z
    .object({
      /** Courses that are asked for: these requests are rejected. */
      requests: z.array(ref),
      /** Courses of now, which go on; `counts`: they stand in the plan of the new program. */
      running: z.array(ref.extend({ counts: z.boolean() })),
      /** Who advises the student so far, and no more then. */
      advisor: ref.nullable(),
    })
    .nullable(),
  /** Other requests of the student. */
  others: z.array(z.object({ id, program: ref, term: ref, status, created_at: z.string() })),
})
export type InternalDetail = z.output<typeof detail>
const one = z.object({ data: detail })

const program = ref.extend({
  faculty: ref,
  /** Places for transfers in a term; null: any number. */
  places: z.int().nullable(),
  /** Those left in this one. */
  places_left: z.int().nullable(),
})
const lookups = z.object({
  data: z.object({
    /** null: of nobody in particular. */
    student: ref.extend({ program: ref }).nullable(),
    term: ref.nullable(),
    programs: z.array(program),
    /** What keeps the student from asking, whatever the program. */
    against: z.array(problem),
  }),
})

const wish = { program_id: id, why: safeText(2000, 3) }
/** What courses count as; the same for each kind of transfer. */
export const internalCourseCalls = equivalenceCalls('/transfer/internal', '/transfer/internal/temp-courses', {
  proposed: [
    'What the courses of a student would count as: earlier decisions, same and equal courses',
    'المعادلة المقترحة لمقررات الطالب: القرارات السابقة والمقررات المطابقة والمكافئة',
  ],
  programCourses: ['Courses of the program that is joined', 'مقررات البرنامج المحوَّل إليه'],
  lines: ['The equivalence of the courses of a transfer', 'معادلة مقررات التحويل'],
  line: ['What a course counts as here, and what it counted as before', 'معادلة مقرر وما قُرر له من قبل'],
  outcome: ['How the student would stand in the program that is joined', 'موقف الطالب من البرنامج بعد التحويل'],
  exportLines: ['Export the equivalences of internal transfers', 'تصدير معادلات التحويلات الداخلية'],
  decision: ['The equivalence decision of a transfer on paper', 'قرار معادلة المقررات للتحويل'],
})

export const internalCalls = {
  internalTransfers: call('POST', '/transfer/internal/list', {
    permission: 'access_transfer',
    summary: ['List internal transfers', 'عرض التحويلات الداخلية'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  internalTransfer: call('GET', '/transfer/internal/{id}', {
    permission: 'access_transfer',
    summary: ['Show an internal transfer', 'عرض تحويل داخلي'],
    response: z.object({ data: row }),
  }),
  internalDetails: call('GET', '/transfer/internal/details/{transfer_id}', {
    permission: 'access_transfer',
    summary: ['Show an internal transfer with the equivalence of its courses', 'عرض تحويل داخلي ومعادلة مقرراته'],
    response: one,
  }),
  addInternal: call('POST', '/transfer/internal/{student_id}/add', {
    permission: 'ask_transfer',
    summary: ['Ask for an internal transfer', 'تقديم طلب تحويل داخلي'],
    body: z.strictObject(wish),
    response: z.object({ data: z.object({ id, version: z.int() }) }),
    example: { program_id: 2, why: 'I want to work with data.' },
  }),
  editInternal: call('POST', '/transfer/internal/{transfer_id}/edit', {
    permission: 'ask_transfer',
    summary: ['Change a request that waits', 'تعديل طلب تحويل معلق'],
    body: z.strictObject({ ...wish, version: z.int().optional() }),
    response: z.object({ data: z.object({ id, version: z.int() }) }),
    example: { program_id: 2, why: 'I want to work with data.' },
  }),
  internalLookupOf: call('POST', '/transfer/internal/{student_id}/lookup', {
    permission: ['ask_transfer', 'access_transfer'],
    summary: ['Programs that a student may move to', 'البرامج المتاحة لتحويل الطالب'],
    response: lookups,
    reads: true,
    example: {},
  }),
  transferLookups: call('POST', '/transfer/lookups/get', {
    permission: ['ask_transfer', 'access_transfer'],
    summary: ['Programs that take students by transfer', 'البرامج التي تقبل التحويل'],
    response: lookups,
    reads: true,
    example: {},
  }),
  decideInternal: call('POST', '/transfer/internal/temp-courses/add/{id}', {
    permission: 'edit_equivalence',
    summary: ['Decide what courses count as', 'تقرير معادلة المقررات'],
    body: decisions,
    response: one,
    maxBody: 262_144,
    example: { courses: [] },
  }),
  exportInternal: call('POST', '/transfer/internal/export_excel', {
    permission: 'access_transfer',
    summary: ['Export internal transfers', 'تصدير التحويلات الداخلية'],
    body: exportQuery,
    file: { name: 'Internal Transfers.xlsx', type: 'xlsx', fixed: true },
    reads: true,
  }),
  proposedInternal: internalCourseCalls.proposed,
  internalProgramCourses: internalCourseCalls.programCourses,
  internalEquivalences: internalCourseCalls.lines,
  internalEquivalence: internalCourseCalls.line,
  internalOutcome: internalCourseCalls.outcome,
  exportInternalEquivalences: internalCourseCalls.exportLines,
  internalDecision: internalCourseCalls.decision,
}

/** Fields by which lists of internal transfers are filtered, ordered and exported. */
export const internalFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  from_program_id: f.lookup(['From program', 'من برنامج'], 'program'),
  program_id: f.lookup(['To program', 'إلى برنامج'], 'program'),
  term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term'),
  status: f.choice(['Status', 'الحالة'], internalFlow.states),
  created_at: f.instant(['Asked on', 'تاريخ الطلب']),
  executed_at: f.instant(['Executed on', 'تاريخ التنفيذ']),
}
