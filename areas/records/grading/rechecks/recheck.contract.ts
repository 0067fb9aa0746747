import { most } from '#kit/contract/cut.ts'
import { call, id, idParam, listOf, listQuery, problem, ref, safeText } from '#kit/contract/index.ts'
import { feeActions } from '#kit/contract/request.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'
import { controlStatuses } from '#areas/common/academics/control.rules.ts'
import { markText, resultFields } from '../grades/grades.contract.ts'
import { checkAssessor, checkDeciding, type RecheckFacts } from './recheck.rules.ts'

/** Offerings among which a teacher chooses at first. */
export const FIRST_OFFERINGS = 200

/** A mark that is looked at again: by one person who did not give it, and decided by another. */
export const recheckFlow = workflow<RecheckFacts>()({
  name: 'grade_recheck',
  one: ['Grade recheck', 'مراجعة درجة'],
  field: 'status',
  states: [
    { value: 'fee_due', label: ['Fee due', 'بانتظار الرسم'], tone: 'draft', sometimes: true },
    { value: 'requested', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' },
    { value: 'under_review', label: ['Under review', 'قيد المراجعة'], tone: 'waiting' },
    { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
    { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
  ],
  actions: {
    ...feeActions('/grades-recheck', 'decide_recheck'),
    review: {
      label: ['Take up', 'بدء المراجعة'],
      summary: ['Take up a grade recheck', 'بدء مراجعة درجة'],
      call: ['POST', '/grades-recheck/review/{id}'],
      permission: 'review_recheck',
      from: { requested: 'under_review' },
      needs: checkAssessor,
      notice: 'grading.notice_recheck',
    },
    accept: {
      label: ['Accept', 'قبول'],
      summary: ['Accept a grade recheck: the mark changes', 'قبول مراجعة درجة وتعديل الدرجة'],
      call: ['POST', '/grades-recheck/accept/{id}'],
      permission: 'decide_recheck',
      from: { under_review: 'accepted' },
      needs: checkDeciding,
      consequence: [
        'The mark changes, also where results are published or frozen, and with it everything that depends on it.',
        'تتغير الدرجة حتى إن كانت النتيجة معلنة أو مجمَّدة، ويتغير معها كل ما يترتب عليها.',
      ],
      notice: 'grading.notice_recheck',
      single: true,
    },
    reject: {
      label: ['Reject', 'رفض'],
      summary: ['Reject a grade recheck: the mark stays', 'رفض مراجعة درجة وبقاء الدرجة'],
      call: ['POST', '/grades-recheck/reject/{id}'],
      permission: 'decide_recheck',
      from: { requested: 'rejected', fee_due: 'rejected', under_review: 'rejected' },
      needs: checkAssessor,
      reason: 'required',
      tone: 'refused',
      notice: 'grading.notice_recheck',
    },
    cancel: {
      label: ['Take back', 'سحب الطلب'],
      call: ['POST', '/grades-recheck/cancel/{id}'],
      permission: ['ask_recheck', 'ask_correction'],
      from: { requested: 'cancelled', fee_due: 'cancelled' },
      byOwner: true,
      single: true,
      tone: 'refused',
    },
  },
  bulk: '/grades-recheck/bulk/{action}',
  history: { path: '/grades-recheck/steps/{id}', permission: ['access_recheck', 'ask_recheck', 'ask_correction'] },
})
export const recheckSteps = workflowCalls(recheckFlow)
export const RECHECK_STATES = recheckFlow.states
const states = recheckFlow.states.map((one) => one.value)

/** A request about one mark. Abilities are the steps the reader may take, `find`: to say what the mark should be. */
export const recheckRow = z.object({
  id,
  version: z.int(),
  kind: z.enum(['recheck', 'correction']),
  student: ref.extend({ code: z.string() }),
  course: ref,
  offering_id: id,
  registration_id: id,
  term: ref,
  category: ref,
  max: z.string(),
  why: z.string(),
  status: z.enum(states),
  control_status: z.enum(controlStatuses),
  old_mark: z.string(),
  new_mark: z.string().nullable(),
  finding: z.string().nullable(),
  /** What it costs; null: nothing, or it is given back. */
  fee: z
    .object({ invoice_id: id, number: z.string(), amount: z.int(), currency: z.string(), paid: z.boolean() })
    .nullable(),
  created_at: z.string(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type RecheckRow = z.output<typeof recheckRow>

/** What stands now and what would stand; `after` null: nothing is found yet. */
const effect = z.object({
  mark: z.string().nullable(),
  ...resultFields,
})
export const recheckDetail = recheckRow.extend({
  before: effect,
  after: effect.nullable(),
  /** What else was asked about marks of the same student. */
  earlier: z.array(z.object({ id, course: ref, category: ref, status: z.enum(states), created_at: z.string() })),
})
export type RecheckDetail = z.output<typeof recheckDetail>

const look = ['access_recheck', 'ask_recheck', 'ask_correction'] as const
const ask = ['ask_recheck', 'ask_correction'] as const

export const recheckCalls = {
  list: call('POST', '/grades-recheck', {
    permission: look,
    summary: ['List grade rechecks and corrections', 'عرض طلبات مراجعة الدرجات'],
    body: listQuery,
    response: listOf(recheckRow),
    reads: true,
  }),
  get: call('GET', '/grades-recheck/{id}', {
    permission: look,
    summary: ['Show a grade recheck, with what it would change', 'عرض طلب مراجعة درجة وما سيتغير'],
    response: z.object({ data: recheckDetail }),
  }),
  /** What can be asked about: own published marks, or those of an offering that one teaches. */
  marks: call('GET', '/grades-recheck/marks', {
    permission: ask,
    summary: ['Marks that can be asked about', 'الدرجات التي يمكن طلب مراجعتها'],
    query: z.strictObject({ offering_id: idParam.optional(), most: most.default(FIRST_OFFERINGS) }),
    response: z.object({
      data: z.object({
        /** Offerings whose marks may be asked about by who teaches them: the first, and how many there are. */
        offerings: z.array(ref.extend({ course: ref })),
        total: z.int(),
        /** What asking costs the student, and whether it is given back where the mark changes; null: nothing. */
        cost: z.object({ amount: z.int(), currency: z.string(), back: z.boolean() }).nullable(),
        marks: z.array(
          z.object({
            registration_id: id,
            offering_mark_id: id,
            student: ref,
            course: ref,
            term: ref,
            category: ref,
            max: z.string(),
            mark: z.string().nullable(),
            /** Why not. */
            refused: z.array(problem),
          }),
        ),
      }),
    }),
  }),
  ask: call('PUT', '/grades-recheck', {
    permission: ask,
    summary: ['Ask for a mark to be looked at again', 'طلب مراجعة درجة'],
    body: z.strictObject({ registration_id: id, offering_mark_id: id, why: safeText(2000, 3) }),
    response: z.object({ data: z.object({ id, version: z.int(), status: z.enum(states) }) }),
    example: { registration_id: 1, offering_mark_id: 1, why: 'Question 4 was not counted' },
  }),
  find: call('PUT', '/grades-recheck/{id}', {
    permission: 'review_recheck',
    summary: ['Say what the mark should be', 'إثبات نتيجة المراجعة'],
    body: z.strictObject({ mark: markText, finding: safeText(2000, 3), version: z.int().optional() }),
    response: z.object({ data: recheckDetail }),
    example: { mark: '45', finding: 'Question 4 gives four marks more', version: 1 },
  }),
  updateStatus: call('POST', '/grades-recheck/update-status/{id}', {
    permission: ['review_recheck', 'decide_recheck', ...ask],
    summary: ['Take a grade recheck to another status', 'تغيير حالة طلب مراجعة درجة'],
    body: z.strictObject({
      status: z.enum(['under_review', 'accepted', 'rejected', 'cancelled']),
      reason: safeText(500, 3).optional(),
      version: z.int().optional(),
    }),
    response: z.object({ data: z.object({ id, version: z.int(), status: z.enum(states) }) }),
    example: { status: 'under_review' },
  }),
}
