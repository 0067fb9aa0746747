import { z } from 'zod'
import { call, date, id, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import {
  checkThesisDecision,
  checkThesisChange,
  checkDiscussion,
  checkRegistration,
  checkUndo,
  THESIS_JOBS,
  type ThesisFacts,
} from './thesis.rules.ts'

/** The path that all calls of theses begin with. */
export const THESES = '/theses'
const REGISTER = 'register_thesis'
const APPROVE = 'approve_thesis'
const told = { notice: 'theses.notice_moved' } as const

/** Registered, approved by the council, discussed, granted by a second decision. A change of title or supervisors is approved anew. */
export const thesisFlow = workflow<ThesisFacts>()({
  name: 'thesis',
  one: ['Thesis', 'رسالة'],
  field: 'status',
  states: [
    { value: 'draft', label: ['In work', 'قيد الإعداد'], tone: 'draft' },
    { value: 'registered', label: ['Waits for the council', 'ينتظر المجلس'], tone: 'waiting' },
    { value: 'approved', label: ['Approved', 'معتمد'], tone: 'done' },
    { value: 'changing', label: ['Change asked for', 'تعديل مطلوب'], tone: 'waiting', sometimes: true },
    { value: 'discussed', label: ['Discussed', 'نوقشت'], tone: 'active' },
    { value: 'granted', label: ['Granted', 'مُنحت الدرجة'], tone: 'done' },
    { value: 'ended', label: ['Ended', 'منتهٍ'], tone: 'frozen', sometimes: true },
  ],
  actions: {
    register: {
      label: ['Register', 'تسجيل'],
      summary: ['Register a thesis', 'تسجيل رسالة'],
      call: ['PUT', `${THESES}/register/{id}`],
      permission: REGISTER,
      from: { draft: 'registered' },
      byOwner: true,
      needs: checkRegistration,
      consequence: [
        'Title, department and supervisors then change only by a decision of the council.',
        'بعد التسجيل لا يتغير العنوان أو القسم أو المشرفون إلا بقرار من المجلس.',
      ],
      ...told,
    },
    approve: {
      label: ['Record the decision', 'تسجيل قرار المجلس'],
      summary: [
        'Approve a thesis or its change, or grant the degree, by a decision of the council',
        'اعتماد رسالة أو تعديلها أو منح الدرجة بقرار المجلس',
      ],
      call: ['PUT', `${THESES}/approve/{id}`],
      permission: APPROVE,
      from: {
        registered: 'approved',
        changing: { to: 'approved', back: { discussed: APPROVE } },
        discussed: { to: 'granted', label: ['Grant the degree', 'منح الدرجة'] },
      },
      needs: checkThesisDecision,
      single: true,
      ...told,
    },
    change: {
      label: ['Ask for a change', 'طلب تعديل'],
      summary: ['Ask to change title, department or supervisors', 'طلب تعديل العنوان أو القسم أو المشرفين'],
      call: ['PUT', `${THESES}/change/{id}`],
      permission: REGISTER,
      from: { approved: 'changing', discussed: 'changing' },
      byOwner: true,
      needs: checkThesisChange,
      single: true,
      ...told,
    },
    discuss: {
      label: ['Record the discussion', 'تسجيل نتيجة المناقشة'],
      summary: ['Record the discussion of a thesis and its result', 'تسجيل مناقشة رسالة ونتيجتها'],
      call: ['PUT', `${THESES}/discuss/{id}`],
      permission: 'discuss_thesis',
      from: { approved: 'discussed' },
      needs: checkDiscussion,
      single: true,
      ...told,
    },
    end: {
      label: ['End the registration', 'إلغاء التسجيل'],
      summary: ['End the registration of a thesis', 'إلغاء تسجيل رسالة'],
      call: ['PUT', `${THESES}/end/{id}`],
      permission: APPROVE,
      from: { registered: 'ended', approved: 'ended', discussed: 'ended' },
      reason: 'required',
      tone: 'refused',
      single: true,
      ...told,
    },
    undo: {
      label: ['Take back', 'تراجع'],
      summary: ['Take back the last step of a thesis', 'التراجع عن آخر خطوة في رسالة'],
      call: ['PUT', `${THESES}/undo/{id}`],
      permission: APPROVE,
      from: {
        registered: { to: 'draft', permission: [REGISTER, APPROVE] },
        approved: 'registered',
        changing: { to: 'approved', back: { discussed: APPROVE } },
        discussed: { to: 'approved', permission: 'discuss_thesis' },
        granted: 'discussed',
        ended: { to: 'registered', back: { approved: APPROVE, discussed: APPROVE } },
      },
      byOwner: true,
      needs: checkUndo,
      tone: 'refused',
      single: true,
    },
  },
  bulk: `${THESES}/bulk/{action}`,
  waits: 'theses.notice_waits',
  history: { path: `${THESES}/steps/{id}`, permission: 'access_thesis' },
})

const short = (most: number) => safeText(most, 1)
const step = { reason: safeText(500).optional(), version: z.int().optional() }
const decision = {
  ...step,
  council: short(200).optional(),
  session: short(40).optional(),
  number: short(40).optional(),
  decided_on: date.optional(),
}
/** A supervisor as asked for: somebody of the university, or an examiner of another one. */
const supervisor = z
  .strictObject({
    instructor_id: id.nullish(),
    examiner_id: id.nullish(),
    job: z.enum(['leader', 'member']),
    share: z.int().min(1).max(100),
  })
  .refine((one) => (one.instructor_id == null) !== (one.examiner_id == null))
const change = {
  version: z.int().optional(),
  reason: short(1000).optional(),
  title: short(400).optional(),
  title_local: short(400).optional(),
  department_id: id.optional(),
  supervisors: z.array(supervisor).min(1).max(10).optional(),
}
const held = {
  ...step,
  result: z.enum(['accepted', 'changes', 'refused']).optional(),
  changes_due: date.nullish(),
  minutes: safeText(8000).optional(),
}
const BODIES = { register: step, approve: decision, change, discuss: held, undo: step } as const
export type ThesisDecision = z.output<z.ZodObject<typeof decision>>
export type ThesisChangeAsked = z.output<z.ZodObject<typeof change>>
export type ThesisHeld = z.output<z.ZodObject<typeof held>>

const own = workflowCalls(thesisFlow)
const EXAMPLES = {
  register: {},
  approve: { council: 'Faculty council', session: '12', number: '4', decided_on: '2026-01-15' },
  change: { title: 'Another title', reason: 'The question became narrower.' },
  discuss: { result: 'accepted' },
  undo: {},
} as const
const withData = <A extends keyof typeof BODIES>(action: A) =>
  call('PUT', `${THESES}/${action}/{id}`, {
    permission: own.steps[action].permission,
    summary: thesisFlow.actions[action].summary!,
    body: z.strictObject(BODIES[action]),
    response: own.steps[action].response,
    example: EXAMPLES[action],
  })
/** Steps that come with data keep it in the same call. */
export const thesisSteps = {
  ...own,
  steps: {
    ...own.steps,
    approve: withData('approve') as unknown as typeof own.steps.approve,
    change: withData('change') as unknown as typeof own.steps.change,
    discuss: withData('discuss') as unknown as typeof own.steps.discuss,
  },
}
const byBody = <A extends keyof typeof BODIES>(action: A) =>
  call('PUT', `${THESES}/${action}`, {
    permission: own.steps[action].permission,
    summary: thesisFlow.actions[action].summary!,
    body: z.strictObject({ id, ...BODIES[action] }),
    response: own.steps[action].response,
    example: { id: 1, ...EXAMPLES[action] },
  })
/** The same steps with the thesis in the body. */
export const thesisStepsByBody = {
  registerOne: byBody('register'),
  approveOne: byBody('approve'),
  changeOne: byBody('change'),
  discussOne: byBody('discuss'),
  undoOne: byBody('undo'),
}
export const thesisJob = z.enum(THESIS_JOBS)
