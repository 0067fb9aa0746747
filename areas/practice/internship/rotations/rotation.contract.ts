import { z } from 'zod'
import { bulkResult, call, date, f, id, jobStarted, request, safeText } from '#kit/contract/index.ts'
import { inputSchema, rowSchema } from '#kit/contract/resource.ts'
import { listOf, listQuery } from '#kit/contract/schema.ts'
import { workflow } from '#kit/contract/workflow.ts'
import { checkRotationAccepted, checkRotationLeft, checkRotationRemoved, type RotationFacts } from './rotation.rules.ts'

const PATH = '/emtyaz-rotations'
const DECIDE = 'decide_rotation'
const told = { notice: 'kit.notice_request' } as const

/** Interns ask, or the office adds; either is accepted, rejected or removed. What was accepted is where somebody will be. */
export const rotationFlow = workflow<RotationFacts>()({
  name: 'rotation',
  one: ['Rotation', 'دورة امتياز'],
  field: 'status',
  states: [
    { value: 'requested', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' },
    { value: 'added', label: ['Planned', 'مجدول'], tone: 'waiting', sometimes: true },
    { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused', sometimes: true },
    { value: 'removed', label: ['Removed', 'ملغاة'], tone: 'frozen', sometimes: true },
  ],
  actions: {
    accept: {
      label: ['Accept', 'قبول'],
      call: ['POST', `${PATH}/accept/{id}`],
      permission: DECIDE,
      from: { requested: 'accepted', added: 'accepted' },
      needs: checkRotationAccepted,
      consequence: ['The intern has a place there.', 'يصبح للطبيب مكان في هذا التدريب.'],
      takenBackBy: 'reopen',
      many: 200,
      ...told,
    },
    reject: {
      label: ['Reject', 'رفض'],
      call: ['POST', `${PATH}/reject/{id}`],
      permission: DECIDE,
      from: { requested: 'rejected', added: 'rejected' },
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    add: {
      label: ['Add', 'إضافة'],
      call: ['POST', `${PATH}/add/{id}`],
      permission: DECIDE,
      from: { requested: 'added', rejected: 'added', removed: 'added' },
      needs: checkRotationRemoved,
    },
    remove: {
      label: ['Remove', 'حذف'],
      call: ['POST', `${PATH}/remove/{id}`],
      permission: DECIDE,
      from: { requested: 'removed', added: 'removed', accepted: 'removed' },
      needs: checkRotationLeft,
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    reopen: {
      label: ['Open again', 'إعادة الفتح'],
      call: ['POST', `${PATH}/reopen/{id}`],
      permission: DECIDE,
      from: {
        accepted: { to: 'requested', back: { added: DECIDE } },
        rejected: { to: 'requested', back: { added: DECIDE } },
      },
      needs: checkRotationLeft,
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    withdraw: {
      label: ['Take back', 'سحب الطلب'],
      call: ['POST', `${PATH}/withdraw/{id}`],
      permission: 'add_rotation',
      from: { requested: 'removed' },
      byOwner: true,
      single: true,
      tone: 'refused',
    },
  },
  bulk: `${PATH}/bulk/{action}`,
  waits: 'kit.notice_waits',
  history: { path: `${PATH}/steps/{id}`, permission: 'show_rotation' },
})

/** What became of a rotation; interrupted: it ended early. */
export const ROTATION_OUTCOMES = [
  { value: 'passed', label: ['Passed', 'ناجح'], tone: 'done' },
  { value: 'failed', label: ['Failed', 'راسب'], tone: 'refused' },
  { value: 'interrupted', label: ['Interrupted', 'لم تكتمل'], tone: 'waiting' },
] as const

/** Where an intern is from when until when. */
export const rotation = request('rotation', {
  path: PATH,
  one: ['Rotation', 'دورة امتياز'],
  many: ['Rotations', 'دورات الامتياز'],
  adding: ['Add rotation', 'إضافة دورة'],
  flow: rotationFlow as never,
  menu: { group: 'services', order: 75, icon: 'stethoscope', subject: 'internship', notFor: [3] },
  fields: {
    training_id: f.lookup(['Training', 'التدريب'], 'emtyazTraining', { required: true, createOnly: true }),
    starts_on: f.date(['Begins on', 'يبدأ في'], { required: true, createOnly: true }),
    ends_on: f.date(['Ends on', 'ينتهي في'], {
      createOnly: true,
      help: ['Empty: after the weeks of the training type.', 'فارغ: بعد أسابيع نوع التدريب.'],
    }),
    is_makeup: f.flag(['Makes up for what was failed or missed', 'تعويض عما لم يُجتز أو فات'], {
      createOnly: true,
      detailOnly: true,
    }),
    outcome: f.choice(['Outcome', 'النتيجة'], ROTATION_OUTCOMES, { readOnly: true }),
    // Interns read it once it is published, on their own page: neither here nor in the history.
    mark: f.decimal(['Mark', 'الدرجة'], {
      places: 2,
      min: 0,
      max: 999,
      readOnly: true,
      detailOnly: true,
      noExport: true,
      readers: ['grade_rotation', 'review_rotation', 'approve_rotation'],
    }),
    why: f.longText(['What for', 'سبب الطلب'], { max: 2000, createOnly: true, detailOnly: true }),
  },
  list: {
    columns: ['student_id', 'training_id', 'starts_on', 'ends_on', 'outcome', 'status', 'created_at'],
    sort: ['starts_on', 'status', 'created_at'],
    filters: ['student_id', 'training_id', 'starts_on', 'outcome', 'status'],
    order: ['starts_on', 'asc'],
  },
})

const steps = z.strictObject({ ids: z.array(id).min(1).max(500), reason: safeText(500).optional() })
const moved = z.object({ data: bulkResult })
const done = z.object({ data: z.object({ id }) })
const decides = (word: string, en: string, ar: string) =>
  call('PUT', `/emtyaz/course/${word}_emtyaz` as '/emtyaz/course/accept_emtyaz', {
    permission: DECIDE,
    summary: [en, ar],
    body: steps,
    response: moved,
    example: { ids: [1], reason: 'The department asked for it.' },
  })

export const rotationCalls = {
  list: call('POST', '/emtyaz', {
    permission: 'access_rotation',
    summary: ['List rotations', 'قائمة دورات الامتياز'],
    body: listQuery,
    response: listOf(rowSchema(rotation, 'list')),
    reads: true,
  }),
  accept: decides('accept', 'Accept rotations', 'قبول دورات امتياز'),
  reject: decides('reject', 'Reject rotations', 'رفض دورات امتياز'),
  remove: decides('remove', 'Remove rotations', 'حذف دورات امتياز'),
  add: call('PUT', '/emtyaz/course/add_emtyaz', {
    permission: DECIDE,
    summary: [
      'Add rotations of interns, or those that were asked for',
      'إضافة دورات لأطباء الامتياز أو إضافة المطلوب منها',
    ],
    body: z.strictObject({
      ids: z.array(id).max(500).optional(),
      rotations: z.array(inputSchema(rotation, 'create')).max(100).optional(),
      reason: safeText(500).optional(),
    }),
    response: moved,
    example: { ids: [1] },
  }),
  acceptAll: call('PUT', '/emtyaz/accept_all_requested', {
    permission: DECIDE,
    summary: ['Accept all rotations of a year that wait', 'قبول كل دورات السنة التي تنتظر القرار'],
    body: z.strictObject({ year_id: id, training_id: id.nullish() }),
    response: z.object({ data: z.union([bulkResult, jobStarted]) }),
    example: { year_id: 1 },
  }),
  interrupt: call('PUT', '/emtyaz/interrupt/{id}', {
    permission: DECIDE,
    summary: ['End a rotation early', 'إنهاء دورة امتياز قبل موعدها'],
    body: z.strictObject({
      /** The last day there; the day before the first: the intern never came. */
      on: date,
      reason: safeText(500, 3),
      version: z.int().optional(),
    }),
    response: done,
    example: { on: '2030-02-03', reason: 'Illness' },
  }),
  resume: call('PUT', '/emtyaz/resume/{id}', {
    permission: DECIDE,
    summary: ['Take back that a rotation ended early', 'التراجع عن إنهاء دورة امتياز قبل موعدها'],
    body: z.strictObject({ reason: safeText(500, 3) }),
    response: done,
    example: { reason: 'Entered by mistake' },
  }),
}
