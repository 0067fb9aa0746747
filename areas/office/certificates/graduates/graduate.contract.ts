import { z } from 'zod'
import { call, f, id, ref, resource } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { DELIVERIES, LANGUAGES, SPEEDS } from '../types/words.contract.ts'
import { GRADUATE_IDENTITIES, GRADUATE_STATES } from './words.contract.ts'
import { checkIdentified, type GraduateFacts } from './graduate.rules.ts'

/** From what a stranger says to a certificate of a graduate: the office looks whose it is. */
export const graduateFlow = workflow<GraduateFacts>()({
  name: 'graduate_request',
  one: ['Request without an account', 'طلب بدون حساب'],
  field: 'status',
  states: GRADUATE_STATES.map((one) =>
    one.value === 'rejected' || one.value === 'cancelled' ? { ...one, sometimes: true as const } : one,
  ),
  actions: {
    confirm: {
      label: ['Confirm identity', 'تأكيد الهوية'],
      summary: ['Confirm whose request it is', 'تأكيد هوية صاحب الطلب'],
      call: ['POST', '/graduate-requests/confirm/{id}'],
      permission: 'edit_certificate',
      from: { to_check: 'identified' },
      needs: checkIdentified,
      single: true,
      consequence: [
        'It becomes a certificate of the chosen record, and whoever asked is told by mail.',
        'يصبح شهادة لصاحب السجل المحدد، ويُبلّغ مقدم الطلب بالبريد الإلكتروني.',
      ],
    },
    reject: {
      label: ['Reject', 'رفض'],
      call: ['POST', '/graduate-requests/reject/{id}'],
      permission: 'edit_certificate',
      from: { to_check: 'rejected' },
      reason: 'required',
      tone: 'refused',
      consequence: [
        'Whoever asked reads the reason in a mail. Say nothing of a record there.',
        'يقرأ مقدم الطلب السبب في رسالة. لا تذكر فيه شيئًا من أي سجل.',
      ],
    },
    cancel: {
      label: ['Take back', 'سحب الطلب'],
      summary: ['Take a request back for whoever asked', 'سحب طلب نيابة عن مقدمه'],
      call: ['POST', '/graduate-requests/cancel/{id}'],
      permission: 'edit_certificate',
      from: { to_check: 'cancelled' },
      reason: 'optional',
      single: true,
      tone: 'refused',
    },
  },
  waits: 'kit.notice_waits',
  history: { path: '/graduate-requests/steps/{id}', permission: 'edit_certificate' },
})
export const graduateSteps = workflowCalls(graduateFlow)

const given = { readOnly: true } as const
const detail = { readOnly: true, detailOnly: true } as const

/** What graduates without an account ask for, until it is known whose it is. */
export const graduateRequest = resource({
  name: 'graduateRequest',
  path: '/graduate-requests',
  table: 'graduate_requests',
  one: ['Request without an account', 'طلب بدون حساب'],
  many: ['Requests without an account', 'طلبات بدون حساب'],
  adding: ['Ask for a certificate without an account', 'طلب شهادة بدون حساب'],
  editing: ['Choose the record', 'تحديد السجل'],
  permissions: {
    list: 'edit_certificate',
    show: 'edit_certificate',
    add: null,
    edit: 'edit_certificate',
    remove: null,
    restore: null,
    export: 'edit_certificate',
    import: null,
  },
  scope: ['faculty', 'department', 'bylaw', 'program'],
  changedBy: 'whole',
  fields: {
    code: f.code(['Number', 'رقم الطلب'], { ...given, max: 30 }),
    name: f.text(['Name as given', 'الاسم كما كُتب'], { ...given, max: 200 }),
    type_id: f.lookup(['Type of certificate', 'نوع الشهادة'], 'certificateSetting', given),
    student_id: f.lookup(['Record', 'السجل'], 'student'),
    status: f.choice(['Status', 'الحالة'], GRADUATE_STATES, given),
    email: f.email(['E-mail, verified', 'البريد الإلكتروني المؤكد'], given),
    identity_kind: f.choice(['Known by', 'بيان الهوية'], GRADUATE_IDENTITIES, detail),
    identity: f.text(['Its number', 'رقمه'], { ...detail, max: 40 }),
    birth_date: f.date(['Birth date', 'تاريخ الميلاد'], detail),
    lang: f.choice(['Language', 'اللغة'], LANGUAGES, detail),
    copies: f.integer(['Copies', 'عدد النسخ'], { ...detail, min: 1, max: 50 }),
    speed: f.choice(['Speed', 'السرعة'], SPEEDS, detail),
    delivery: f.choice(['Delivery', 'التسليم'], DELIVERIES, detail),
    address: f.longText(['Address', 'العنوان'], detail),
    why: f.longText(['What for', 'سبب الطلب'], detail),
    created_at: f.instant(['Asked on', 'تاريخ الطلب'], given),
  },
  list: {
    columns: ['code', 'name', 'type_id', 'student_id', 'status', 'email', 'created_at'],
    search: ['code', 'name', 'email'],
    sort: ['code', 'name', 'status', 'created_at'],
    filters: ['type_id', 'status', 'student_id'],
    order: ['created_at', 'asc'],
  },
  sections: [
    {
      title: ['Who asks', 'مقدم الطلب'],
      fields: ['name', 'email', 'identity_kind', 'identity', 'birth_date', 'student_id', 'status'],
    },
    {
      title: ['What is asked for', 'المطلوب'],
      fields: ['type_id', 'lang', 'copies', 'speed', 'delivery', 'address', 'why', 'created_at'],
    },
  ],
  exportName: 'Graduate requests',
  traced: true,
  softDelete: true,
  screens: { list: '/graduate-requests', show: '/graduate-requests/:id', edit: '/graduate-requests/edit/:id' },
  menu: {
    group: 'services',
    order: 12,
    icon: 'user-question',
    subject: 'certificates',
    tab: ['Without an account', 'بدون حساب'],
  },
})

/** How what was given agrees with a record, without what stands there. */
const agrees = z.object({
  what: z.enum(['identity', 'birth_date', 'email', 'name', 'graduated']),
  same: z.boolean(),
})
const found = z.object({
  /** The record that is chosen; null: none fits, or none within reach. */
  record: ref.extend({ program: ref, faculty: ref, status: z.string() }).nullable(),
  agrees: z.array(agrees),
  proof: z.object({ id, name: z.string(), size: z.int(), url: z.string() }).nullable(),
  /** What it has become. */
  certificate: z.object({ id, status: z.string() }).nullable(),
})
export type GraduateFound = z.output<typeof found>

export const graduateDeskCalls = {
  review: call('GET', '/graduate-requests/{id}/review', {
    permission: 'edit_certificate',
    summary: [
      'What was given beside the record that fits it, and the picture that was sent',
      'ما أُعطي بجوار السجل المطابق والصورة المرسلة',
    ],
    response: z.object({ data: found }),
    traced: 'graduateRequest',
  }),
}
