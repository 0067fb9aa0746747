import { call, exportQuery, f, id, listOf, listQuery, problem, ref, safeText } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'
import { checkOut } from './out.rules.ts'
import type { OutFacts } from './out.rules.ts'

/** The way out of the university: asked for, and approved by the dean. It cannot be taken back. */
export const outFlow = workflow<OutFacts>()({
  name: 'transfer_out',
  one: ['Transfer out', 'تحويل إلى خارج الجامعة'],
  field: 'status',
  states: [
    { value: 'requested', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' },
    { value: 'approved', label: ['Approved', 'معتمد'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
    { value: 'deleted', label: ['Deleted', 'محذوف'], tone: 'frozen' },
  ],
  actions: {
    approve: {
      label: ['Approve', 'اعتماد'],
      summary: ['Approve that a student leaves the university', 'اعتماد تحويل الطالب إلى خارج الجامعة'],
      call: ['POST', '/transfer/out/approve/{id}'],
      permission: 'approve_transfer_out',
      from: { requested: 'approved' },
      needs: checkOut,
      consequence: [
        'The student leaves the university: the record is closed, courses that run are withdrawn. It cannot be taken back.',
        'يغادر الطالب الجامعة: يُغلق سجله ويُسحب من المقررات الجارية. لا يمكن التراجع.',
      ],
      notice: 'transfers.notice_out',
      irreversible: true,
      single: true,
    },
    reject: {
      label: ['Reject', 'رفض'],
      summary: ['Reject a transfer out', 'رفض التحويل إلى خارج الجامعة'],
      call: ['POST', '/transfer/out/reject/{id}'],
      permission: 'approve_transfer_out',
      from: { requested: 'rejected' },
      reason: 'required',
      tone: 'refused',
      notice: 'transfers.notice_out',
      single: true,
    },
    delete: {
      label: ['Delete', 'حذف'],
      summary: ['Delete a request to leave', 'حذف طلب التحويل إلى خارج الجامعة'],
      call: ['POST', '/transfer/out/delete/{id}'],
      permission: 'ask_transfer',
      from: { requested: 'deleted', rejected: 'deleted' },
      byOwner: true,
      tone: 'refused',
      single: true,
    },
  },
  history: { path: '/transfer/out/steps/{id}', permission: 'access_transfer' },
})
export const outSteps = workflowCalls(outFlow)

const status = z.enum(outFlow.states.map((one) => one.value))
const row = z.object({
  id,
  version: z.int(),
  student: ref,
  program: ref,
  faculty: ref,
  term: ref,
  destination: z.string(),
  why: z.string(),
  status,
  decided_reason: z.string().nullable(),
  created_at: z.string(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type OutRow = z.output<typeof row>

/** The list's query as it stands in an address. */
const query = z.strictObject({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  perPage: z.coerce.number().int().min(1).max(500).default(10),
  search: z.string().trim().max(200).default(''),
  status: status.optional(),
})
export const outCalls = {
  transfersOut: call('GET', '/transfer/out', {
    permission: 'access_transfer',
    summary: ['List transfers out', 'عرض التحويلات إلى خارج الجامعة'],
    query,
    response: listOf(row),
  }),
  listOut: call('POST', '/transfer/out/list', {
    permission: 'access_transfer',
    summary: ['List transfers out, by filters', 'عرض التحويلات إلى خارج الجامعة حسب المرشحات'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  requestOut: call('POST', '/transfer/out/request', {
    permission: 'ask_transfer',
    summary: ['Ask to leave for another university', 'طلب التحويل إلى خارج الجامعة'],
    body: z.strictObject({ student_id: id, destination: safeText(200, 2), why: safeText(2000, 3) }),
    response: z.object({ data: z.object({ id, version: z.int() }) }),
    example: { student_id: 1, destination: 'Cairo University', why: 'My family moves.' },
  }),
  exportOut: call('POST', '/transfer/out/export', {
    permission: 'access_transfer',
    summary: ['Export transfers out', 'تصدير التحويلات إلى خارج الجامعة'],
    body: exportQuery,
    file: { name: 'Transfers out.xlsx', type: 'xlsx' },
    reads: true,
  }),
}

/** Fields by which lists of transfers out are filtered, ordered and exported. */
export const outFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  program_id: f.lookup(['Program', 'البرنامج'], 'program'),
  destination: f.text(['Destination', 'الجهة المحوَّل إليها'], {}),
  term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term'),
  status: f.choice(['Status', 'الحالة'], outFlow.states),
  created_at: f.instant(['Asked on', 'تاريخ الطلب']),
}
