import { z } from 'zod'
import { call, f, id, idParam, listOf, listQuery, ref, safeText } from '#kit/contract/index.ts'
import { examDayLookups } from '../records.contract.ts'
import { paperStates } from './delivery.rules.ts'

export const PAPER_STATES = [
  { value: 'nobody_seated', label: ['Nobody seated', 'لا جالسين'], tone: 'frozen' },
  { value: 'waiting', label: ['Not delivered', 'لم تُسلَّم'], tone: 'waiting' },
  { value: 'delivered', label: ['Delivered', 'سُلِّمت'], tone: 'active' },
  { value: 'returned', label: ['Returned', 'أُعيدت'], tone: 'done' },
  { value: 'differs', label: ['Differs', 'بها فرق'], tone: 'refused' },
  { value: 'explained', label: ['Difference explained', 'فرق مبرر'], tone: 'done' },
] as const satisfies readonly { value: (typeof paperStates)[number]; label: readonly [string, string]; tone: string }[]

const row = z.object({
  /** The hall of an exam of an offering. */
  id,
  version: z.int(),
  exam: ref,
  course: ref,
  hall: ref,
  date: z.string(),
  from: z.string(),
  paper_type: ref.nullable(),
  seated: z.int(),
  present: z.int(),
  delivered: z.int().nullable(),
  returned: z.int().nullable(),
  explanation: z.string().nullable(),
  state: z.enum(paperStates),
  abilities: z.array(z.enum(['deliver', 'return', 'take_back'])),
})
export type DeliveryRow = z.output<typeof row>

/** Fields by which deliveries are filtered and ordered. */
export const deliveryFields = {
  exam_id: f.lookup(['Exam', 'الامتحان'], 'exam'),
  course_id: f.lookup(['Course', 'المقرر'], 'course'),
  location_id: f.lookup(['Hall', 'القاعة'], 'location'),
  term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term'),
  date: f.date(['Date', 'التاريخ']),
  state: f.choice(['Exam papers', 'أوراق الامتحان'], PAPER_STATES),
}

const lookups = z.object({
  data: examDayLookups.shape.data.extend({ paper_types: z.array(ref) }),
})
const totals = z.object({ delivered: z.int(), present: z.int(), returned: z.int(), open: z.int() })

export const deliveryCalls = {
  list: call('POST', '/exam-deliveries', {
    permission: 'access_examDelivery',
    summary: ['List exam papers by hall', 'عرض أوراق الامتحانات حسب القاعة'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  listOf: call('POST', '/exam-deliveries/{id}', {
    permission: 'access_examDelivery',
    summary: ['List the papers of an exam (id) by hall', 'عرض أوراق امتحان حسب القاعة'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  lookups: call('POST', '/exam-deliveries/lookups', {
    permission: 'access_examDelivery',
    summary: ['Exams whose papers are delivered', 'الامتحانات التي تُسلَّم أوراقها'],
    body: z.strictObject({}),
    response: lookups,
    example: {},
    reads: true,
  }),
  lookupsOf: call('POST', '/exam-deliveries/lookups/{id}', {
    permission: 'access_examDelivery',
    summary: ['Offerings of an exam (id) whose papers are delivered', 'مقررات امتحان تُسلَّم أوراقها'],
    body: z.strictObject({}),
    response: lookups,
    example: {},
    reads: true,
  }),
  get: call('GET', '/exam-deliveries/{id}', {
    permission: 'access_examDelivery',
    summary: ['Show the papers of an exam in a hall', 'عرض أوراق امتحان في قاعة'],
    response: z.object({ data: row }),
  }),
  of: call('GET', '/exam-deliveries/{id}/{type}', {
    permission: 'access_examDelivery',
    summary: ['Papers of an exam or of one offering in it, with their sums', 'أوراق امتحان أو مقرر فيه بمجاميعها'],
    params: z.object({ id: idParam, type: z.enum(['exam', 'schedule']) }),
    response: z.object({ data: z.array(row), totals }),
  }),
  put: call('PUT', '/exam-deliveries/{type}/{id}', {
    permission: 'edit_examDelivery',
    summary: [
      'Count papers into a hall, back from it, or take the last count back',
      'تسليم أوراق قاعة أو استلامها أو التراجع',
    ],
    params: z.object({ type: z.enum(['delivered', 'returned', 'back']), id: idParam }),
    body: z.strictObject({
      /** Papers that were counted; to take a count back, none. */
      count: z.int().min(0).max(10_000).optional(),
      paper_type_id: id.nullish(),
      /** Why counts differ. */
      reason: safeText(500).optional(),
      /** The version seen; 0: nothing was delivered. */
      version: z.int().min(0).optional(),
    }),
    response: z.object({ data: row }),
    example: { count: 0, reason: 'Counted twice with the chief invigilator.' },
  }),
}
