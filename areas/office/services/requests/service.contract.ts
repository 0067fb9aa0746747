import { z } from 'zod'
import { call, f, id, listOf, listQuery, ref, request, safeText } from '#kit/contract/index.ts'
import { rowSchema } from '#kit/contract/resource.ts'
import { workflow } from '#kit/contract/workflow.ts'
import { serviceField } from '../kinds/kind.contract.ts'
import {
  checkServiceDone,
  checkServiceFee,
  checkServiceForward,
  checkServiceTurn,
  checkServiceWork,
  type ServiceFacts,
} from './service.rules.ts'

const told = { notice: 'kit.notice_request' } as const
const OFFICES = ['decide_service', 'manage_service'] as const
/** Students by their own right, who works here by another. */
const ASKS = ['add_service', 'ask_service_as_staff'] as const
/** Longest note, in letters. */
const NOTE = 2000

/** From the request along the chain of offices to the answer: each office passes it on, asks back or refuses it; the last one answers. */
export const serviceFlow = workflow<ServiceFacts>()({
  name: 'service',
  one: ['Service request', 'طلب خدمة'],
  field: 'status',
  states: [
    { value: 'fee_due', label: ['Fee due', 'بانتظار الرسم'], tone: 'draft', sometimes: true },
    { value: 'New', label: ['New', 'جديد'], tone: 'active' },
    { value: 'in review', label: ['In review', 'قيد المراجعة'], tone: 'waiting' },
    { value: 'asked_back', label: ['Asked back', 'أُعيد للاستيضاح'], tone: 'draft', sometimes: true },
    { value: 'done', label: ['Done', 'تم'], tone: 'done' },
    { value: 'Rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
    { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
  ],
  actions: {
    take_up: {
      label: ['Begin work', 'بدء العمل'],
      summary: [
        'Begin work on a service request: who asked corrects it no more',
        'بدء العمل في طلب خدمة، فلا يعدله مقدمه بعدها',
      ],
      call: ['POST', '/services/take_up/{id}'],
      permission: OFFICES,
      from: { New: 'in review' },
      needs: checkServiceWork,
    },
    forward: {
      label: ['Pass on', 'تحويل'],
      summary: ['Pass a service request on to the next office', 'تحويل طلب خدمة إلى المكتب التالي'],
      call: ['POST', '/services/forward/{id}'],
      permission: OFFICES,
      from: { New: 'in review', 'in review': 'in review' },
      needs: checkServiceForward,
    },
    finish: {
      label: ['Done', 'إنجاز'],
      summary: ['Answer a service request: the reason is the answer', 'إنجاز طلب خدمة، والسبب هو الرد'],
      call: ['POST', '/services/finish/{id}'],
      permission: OFFICES,
      from: { New: 'done', 'in review': 'done' },
      reason: 'required',
      needs: checkServiceDone,
      ...told,
    },
    ask_back: {
      label: ['Ask back', 'طلب استيضاح'],
      summary: ['Give a service request back to be corrected', 'إعادة طلب خدمة إلى مقدمه لتصحيحه'],
      call: ['POST', '/services/ask_back/{id}'],
      permission: OFFICES,
      from: { New: 'asked_back', 'in review': 'asked_back' },
      reason: 'required',
      tone: 'refused',
      needs: checkServiceTurn,
      ...told,
    },
    resend: {
      label: ['Send again', 'إعادة الإرسال'],
      summary: ['Send a corrected service request back to its office', 'إعادة إرسال طلب خدمة بعد تصحيحه إلى مكتبه'],
      call: ['POST', '/services/resend/{id}'],
      permission: ASKS,
      from: { asked_back: 'in review' },
      byOwner: true,
      single: true,
    },
    reject: {
      label: ['Reject', 'رفض'],
      call: ['POST', '/services/reject/{id}'],
      permission: OFFICES,
      from: { fee_due: 'Rejected', New: 'Rejected', 'in review': 'Rejected', asked_back: 'Rejected' },
      reason: 'required',
      tone: 'refused',
      needs: checkServiceTurn,
      ...told,
    },
    cancel: {
      label: ['Withdraw', 'سحب الطلب'],
      call: ['POST', '/services/cancel/{id}'],
      permission: ASKS,
      from: { fee_due: 'cancelled', New: 'cancelled' },
      byOwner: true,
      single: true,
      tone: 'refused',
    },
    waive_fee: {
      label: ['Do without the fee', 'الإعفاء من الرسم'],
      call: ['POST', '/services/waive_fee/{id}'],
      permission: 'manage_service',
      from: { fee_due: 'New' },
      reason: 'required',
      tone: 'refused',
    },
    charge_fee: {
      label: ['Ask for the fee', 'المطالبة بالرسم'],
      call: ['POST', '/services/charge_fee/{id}'],
      permission: 'manage_service',
      from: { New: 'fee_due' },
      reason: 'required',
      tone: 'refused',
      needs: checkServiceFee,
    },
  },
  bulk: '/services/bulk/{action}',
  waits: 'kit.notice_waits',
  history: { path: '/services/steps/{id}', permission: ['show_service', 'ask_service_as_staff'] },
})

/** What students, and who works here, ask offices for. */
export const service = request('service', {
  path: '/services',
  one: ['Service request', 'طلب خدمة'],
  many: ['Service requests', 'طلبات الخدمات'],
  adding: ['Ask for a service', 'طلب خدمة جديد'],
  flow: serviceFlow as never,
  otherHolder: 'staff_id',
  permissions: {
    list: ['access_service', 'ask_service_as_staff'],
    show: ['show_service', 'ask_service_as_staff'],
    add: ASKS,
  },
  menu: { group: 'services', order: 8, icon: 'tools' },
  fields: {
    student_id: f.lookup(['Student', 'الطالب'], 'student', { createOnly: true }),
    staff_id: f.lookup(['Member of staff', 'العامل'], 'staff', { createOnly: true }),
    kind_id: f.lookup(['Service', 'الخدمة'], 'serviceKind', { required: true, createOnly: true }),
    why: f.longText(['Note to the office', 'ملاحظة للمكتب'], { max: NOTE }),
    due_on: f.date(['Due', 'موعد الإنجاز'], { readOnly: true }),
  },
  list: {
    columns: ['student_id', 'staff_id', 'kind_id', 'status', 'due_on', 'created_at'],
    sort: ['status', 'due_on', 'created_at'],
    // What is overdue longest rises to the head.
    order: ['due_on', 'asc'],
  },
})

const answers = z.record(z.string().max(20), z.union([z.string().max(8000), z.number(), z.null()]))
const person = z.object({ name: z.string(), name_local: z.string() })
const shownFile = z.object({ id, name: z.string(), size: z.int(), url: z.string() })
const place = z.object({
  position: z.int(),
  name: z.string(),
  name_local: z.string(),
  days: z.int(),
  since: z.string().nullable(),
  due_on: z.string().nullable(),
  done_at: z.string().nullable(),
  /** For offices alone. */
  done_by: person.nullable(),
  note: z.string().nullable(),
  note_shown: z.boolean(),
})
const serviceDetail = z.object({
  id,
  version: z.int(),
  status: z.string(),
  kind: ref,
  /** Who asked: a student, or who works here. */
  student: ref.nullable(),
  staff: ref.nullable(),
  why: z.string().nullable(),
  created_at: z.string(),
  due_on: z.string().nullable(),
  /** Days over the time of the office whose turn it is; 0: none. */
  late: z.int(),
  fields: z.array(serviceField),
  answers,
  files: z.record(z.string(), shownFile),
  step: z.int(),
  steps: z.array(place),
  answer: z.string().nullable(),
  answer_file: shownFile.nullable(),
  /** What the office said that asked back or refused it. */
  said: z.string().nullable(),
  prepaid: z.boolean(),
  fee: z
    .object({ invoice_id: id, number: z.string(), amount: z.int(), currency: z.string(), paid: z.boolean() })
    .nullable(),
  /** Whether the reader works on it now, and whether the own office is the last. */
  turn: z.boolean(),
  last: z.boolean(),
  /** Whether the reader may correct and withdraw it now. */
  mine: z.boolean(),
})
export type ServiceDetail = z.output<typeof serviceDetail>
export type ServicePlace = z.output<typeof place>

const version = z.int().optional()
const moved = z.object({ data: z.object({ id, version: z.int(), status: z.string() }) })

/** The calls of the documents, and those beside them. */
export const serviceCalls = {
  list: call('POST', '/services/requests', {
    permission: service.permissions.list!,
    summary: ['Service requests', 'طلبات الخدمات'],
    body: listQuery,
    response: listOf(rowSchema(service, 'list')),
    reads: true,
  }),
  ask: call('PUT', '/services/request', {
    permission: ASKS,
    summary: ['Ask for a service', 'طلب خدمة'],
    body: z.strictObject({
      kind_id: id,
      /** For whom, where it is somebody else, or who studies and works here asks as a member of staff. */
      student_id: id.optional(),
      staff_id: id.optional(),
      answers,
      why: safeText(NOTE).nullable().optional(),
      /** Made once for what is filled in: sent twice, it is one request. */
      key: z.string().regex(/^[\w-]{8,64}$/),
    }),
    response: moved,
    example: { kind_id: 1, student_id: 1, answers: {}, key: 'made-by-the-browser' },
  }),
  show: call('GET', '/services/request/{id}', {
    permission: service.permissions.show!,
    summary: ['A service request in full', 'طلب خدمة بتفاصيله'],
    response: z.object({ data: serviceDetail }),
  }),
  change: call('PUT', '/services/request/{id}', {
    permission: ASKS,
    summary: ['Correct a service request', 'تصحيح طلب خدمة'],
    body: z.strictObject({
      answers,
      why: safeText(NOTE).nullable().optional(),
      /** What was asked back goes to its office again. */
      resend: z.boolean().optional(),
      version,
    }),
    response: moved,
    example: { answers: {} },
  }),
  withdraw: call('DELETE', '/services/request/{id}', {
    permission: ASKS,
    summary: ['Withdraw a service request', 'سحب طلب خدمة'],
    response: moved,
  }),
  updateStatus: call('POST', '/services/updateStatus/{id}', {
    permission: ['decide_service', 'manage_service', 'add_service', 'ask_service_as_staff'],
    summary: ['Take a service request to another status', 'تغيير حالة طلب خدمة'],
    body: z.strictObject({
      status: z.enum(['New', 'in review', 'asked_back', 'done', 'Rejected', 'cancelled']),
      /** What the office says of its step; of what is done, the answer to who asked. */
      note: safeText(NOTE).nullable().optional(),
      /** A file for who asked, with the answer. */
      file_id: id.nullable().optional(),
      /** Work begins, and stays with this office. */
      stay: z.boolean().optional(),
      reason: safeText(500, 3).optional(),
      version,
    }),
    response: moved,
    example: { status: 'in review' },
  }),
}
