import { z } from 'zod'
import { call, f, id, idParam, problem, ref, request, safeText } from '#kit/contract/index.ts'
import { workflow } from '#kit/contract/workflow.ts'
import { bulkResult } from '#kit/contract/schema.ts'
import { PAPER_STATES } from '#kit/contract/papers.ts'
import { turn } from '../turns/turn.contract.ts'
import { DELIVERIES, LANGUAGES, SPEEDS } from '../types/type.contract.ts'
import {
  checkApproved,
  checkDean,
  checkDelivery,
  checkCertificateIssue,
  checkCertificateReview,
  checkSigners,
  type CertificateFacts,
} from './certificate.rules.ts'

/** Longest address, in letters. */
const ADDRESS = 500
const BEFORE_READY = ['Prepared', 'in review', 'Reviewed', 'dean-signed', 'approved'] as const
/** Students by their own right, who works here by another. */
const ASKS = ['add_certificate', 'ask_certificate_as_staff'] as const
const SEES = ['show_certificate', 'ask_certificate_as_staff'] as const
const told = { notice: 'kit.notice_request' } as const

/** From the request to the paper in the hand: prepared by one, reviewed by another, signed position by position, issued, handed over. */
export const certificateFlow = workflow<CertificateFacts>()({
  name: 'certificate',
  one: ['Certificate', 'شهادة'],
  field: 'status',
  states: [
    { value: 'fee_due', label: ['Fee due', 'بانتظار الرسم'], tone: 'draft', sometimes: true },
    { value: 'New', label: ['New', 'جديد'], tone: 'active' },
    { value: 'updated', label: ['To be corrected', 'قيد التصحيح'], tone: 'draft', sometimes: true },
    { value: 'Prepared', label: ['Prepared', 'مُعدّ'], tone: 'waiting' },
    { value: 'in review', label: ['In review', 'قيد المراجعة'], tone: 'waiting' },
    { value: 'Reviewed', label: ['Reviewed', 'مراجَعة'], tone: 'active' },
    { value: 'dean-signed', label: ['Signed by the dean', 'وقّعه العميد'], tone: 'waiting', sometimes: true },
    { value: 'approved', label: ['Approved', 'معتمد'], tone: 'done' },
    { value: 'Ready To Deliver', label: ['Ready to deliver', 'جاهز للتسليم'], tone: 'waiting' },
    { value: 'Delivered', label: ['Delivered as a file', 'سُلّم ملفًا'], tone: 'done', sometimes: true },
    { value: 'Delivered By Mail', label: ['Delivered by mail', 'أُرسل بالبريد'], tone: 'done', sometimes: true },
    { value: 'Delivered By Manual', label: ['Delivered by hand', 'سُلّم باليد'], tone: 'done', sometimes: true },
    { value: 'Rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
    { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
  ],
  actions: {
    prepare: {
      label: ['Prepare', 'إعداد'],
      summary: ['Prepare a certificate', 'إعداد شهادة'],
      call: ['POST', '/certificates/prepare/{id}'],
      permission: 'edit_certificate',
      from: { New: 'Prepared', updated: 'Prepared' },
      many: 50,
    },
    send_to_review: {
      label: ['Send to review', 'إرسال للمراجعة'],
      call: ['POST', '/certificates/send_to_review/{id}'],
      permission: 'edit_certificate',
      from: { Prepared: 'in review' },
      needs: checkSigners,
    },
    review: {
      label: ['Reviewed', 'تمت المراجعة'],
      summary: ['Review a certificate that somebody else prepared', 'مراجعة شهادة أعدها شخص آخر'],
      call: ['POST', '/certificates/review/{id}'],
      permission: 'decide_certificate',
      from: { 'in review': 'Reviewed' },
      needs: checkCertificateReview,
    },
    // Both follow the last signature by themselves, and are refused until it is there.
    dean_signed: {
      label: ['Signed by the dean', 'وقّعه العميد'],
      call: ['POST', '/certificates/dean_signed/{id}'],
      permission: 'sign_certificate',
      from: { Reviewed: 'dean-signed' },
      needs: checkDean,
      single: true,
    },
    approve: {
      label: ['Approve', 'اعتماد'],
      summary: ['Approve a certificate that everybody signed', 'اعتماد شهادة وقعها الجميع'],
      call: ['POST', '/certificates/approve/{id}'],
      permission: 'sign_certificate',
      from: { Reviewed: 'approved', 'dean-signed': 'approved' },
      needs: checkApproved,
      single: true,
    },
    issue: {
      label: ['Issue', 'إصدار'],
      summary: ['Issue the papers of a certificate', 'إصدار وثائق شهادة'],
      call: ['POST', '/certificates/issue/{id}'],
      permission: 'edit_certificate',
      from: { approved: 'Ready To Deliver' },
      many: 20,
      needs: checkCertificateIssue,
      consequence: [
        'The papers get their numbers and are signed by the university. They stay as they are issued.',
        'تأخذ الوثائق أرقامها وتوقعها الجامعة، وتبقى كما صدرت.',
      ],
      ...told,
    },
    deliver: {
      label: ['Released as a file', 'إتاحة الملف'],
      call: ['POST', '/certificates/deliver/{id}'],
      permission: 'edit_certificate',
      from: { 'Ready To Deliver': 'Delivered' },
      needs: checkDelivery('electronic'),
      ...told,
    },
    deliver_by_mail: {
      label: ['Sent by mail', 'أُرسل بالبريد'],
      call: ['POST', '/certificates/deliver_by_mail/{id}'],
      permission: 'edit_certificate',
      from: { 'Ready To Deliver': 'Delivered By Mail' },
      needs: checkDelivery('by_mail'),
      reason: 'optional',
      ...told,
    },
    deliver_by_hand: {
      label: ['Handed over', 'تم التسليم باليد'],
      call: ['POST', '/certificates/deliver_by_hand/{id}'],
      permission: 'edit_certificate',
      from: { 'Ready To Deliver': 'Delivered By Manual' },
      needs: checkDelivery('by_hand'),
      reason: 'optional',
      ...told,
    },
    correct: {
      label: ['Correct', 'تصحيح'],
      summary: [
        'Take a certificate back to be corrected: signatures are void',
        'إعادة شهادة للتصحيح مع إلغاء التوقيعات',
      ],
      call: ['POST', '/certificates/correct/{id}'],
      permission: ['edit_certificate', 'decide_certificate', 'sign_certificate'],
      from: Object.fromEntries([...BEFORE_READY, 'Ready To Deliver'].map((one) => [one, 'updated'])),
      reason: 'required',
      tone: 'refused',
      consequence: [
        'It is prepared again, and everybody signs again. A paper that was issued already is replaced by the next one.',
        'يُعاد إعدادها ويوقع الجميع من جديد. وتحل الوثيقة التالية محل ما صدر منها.',
      ],
    },
    reject: {
      label: ['Reject', 'رفض'],
      call: ['POST', '/certificates/reject/{id}'],
      permission: ['edit_certificate', 'decide_certificate'],
      from: Object.fromEntries(['fee_due', 'New', 'updated', ...BEFORE_READY].map((one) => [one, 'Rejected'])),
      reason: 'required',
      tone: 'refused',
      ...told,
    },
    cancel: {
      label: ['Take back', 'سحب الطلب'],
      call: ['POST', '/certificates/cancel/{id}'],
      permission: ASKS,
      from: { fee_due: 'cancelled', New: 'cancelled' },
      byOwner: true,
      single: true,
      tone: 'refused',
    },
    waive_fee: {
      label: ['Do without the fee', 'الإعفاء من الرسم'],
      call: ['POST', '/certificates/waive_fee/{id}'],
      permission: 'decide_certificate',
      from: { fee_due: 'New' },
      reason: 'required',
      tone: 'refused',
    },
    charge_fee: {
      label: ['Ask for the fee', 'المطالبة بالرسم'],
      call: ['POST', '/certificates/charge_fee/{id}'],
      permission: 'decide_certificate',
      from: { New: 'fee_due' },
      reason: 'required',
      tone: 'refused',
    },
  },
  bulk: '/certificates/bulk/{action}',
  waits: 'kit.notice_waits',
  history: { path: '/certificates/steps/{id}', permission: SEES },
})

/** Certificates that students, graduates and who works here ask for. */
export const certificate = request('certificate', {
  path: '/certificates',
  one: ['Certificate', 'شهادة'],
  many: ['Certificates', 'الشهادات'],
  adding: ['Ask for a certificate', 'طلب شهادة'],
  flow: certificateFlow as never,
  otherHolder: 'staff_id',
  permissions: { list: ['access_certificate', 'ask_certificate_as_staff'], show: SEES, add: ASKS },
  menu: {
    group: 'services',
    order: 10,
    icon: 'certificate',
    notFor: [3],
    only: ['access_certificate'],
    subject: 'certificates',
  },
  // What has waited longest over its time rises to the head.
  list: { sort: ['due_on', 'promised_on', 'status', 'created_at'], order: ['due_on', 'asc'] },
  fields: {
    student_id: f.lookup(['Student', 'الطالب'], 'student', { createOnly: true }),
    staff_id: f.lookup(['Member of staff', 'العامل'], 'staff', { createOnly: true }),
    type_id: f.lookup(['Type of certificate', 'نوع الشهادة'], 'certificateSetting', {
      required: true,
      createOnly: true,
    }),
    lang: f.choice(['Language', 'اللغة'], LANGUAGES, { required: true }),
    copies: f.integer(['Copies', 'عدد النسخ'], { required: true, min: 1, max: 50 }),
    speed: f.choice(['Speed', 'السرعة'], SPEEDS, { required: true, createOnly: true }),
    delivery: f.choice(['Delivery', 'التسليم'], DELIVERIES, { required: true }),
    address: f.longText(['Address', 'العنوان'], { max: ADDRESS, detailOnly: true }),
    promised_on: f.date(['Ready by', 'موعد الإنجاز'], { readOnly: true }),
    due_on: f.date(['Step due', 'موعد الخطوة الحالية'], { readOnly: true, noExport: true }),
    print_count: f.integer(['Times printed', 'مرات الطباعة'], { readOnly: true, detailOnly: true }),
  },
})

/** A position with who signed in it, and when. */
const signature = ref.extend({
  position_id: id,
  holder: ref.nullable(),
  signed_by: ref.nullable(),
  /** Who stood in for the signer. */
  deputy: ref.nullable(),
  signed_at: z.string().nullable(),
})
const printing = z.object({
  number: z.int(),
  original: z.boolean(),
  printed_at: z.string(),
  printed_by: ref.nullable(),
  reason: z.string().nullable(),
})
const detail = z.object({
  id,
  version: z.int(),
  status: z.string(),
  /** Whether the reader asked for it: then it is no work of the reader's office. */
  own: z.boolean(),
  chain: z.array(signature),
  /** For whom it waits; null: for nobody. */
  turn: turn.nullable(),
  /** Whether the reader's signature is the next one. */
  can_sign: z.boolean(),
  /** What stands on it is not any more what was prepared. */
  changed: z.boolean(),
  prepared_by: ref.nullable(),
  prepared_at: z.string().nullable(),
  papers: z.array(
    z.object({
      id,
      serial: z.string(),
      lang: z.enum(['ar', 'en']),
      issued_at: z.string(),
      state: z.enum(PAPER_STATES),
      address: z.string(),
      /** With which version of the text it was made. */
      wording: z.int().nullable(),
      /** Each printing at the desk, for staff: the first ones are originals. */
      prints: z.array(printing),
    }),
  ),
  /** With which version of the text of its type it was prepared. */
  wording: z.int().nullable(),
  /** So many printings of a paper are originals. */
  copies: z.int(),
  fee: z
    .object({ invoice_id: id, number: z.string(), amount: z.int(), currency: z.string(), paid: z.boolean() })
    .nullable(),
})
export type CertificateDetail = z.output<typeof detail>

export const certificateCalls = {
  detail: call('GET', '/certificates/{id}/details', {
    permission: certificate.permissions.show!,
    summary: ['Signatures, papers and fee of a certificate', 'توقيعات شهادة ووثائقها ورسمها'],
    response: z.object({ data: detail }),
  }),
  draft: call('GET', '/certificates/{id}/draft/{lang}', {
    permission: ['edit_certificate', 'decide_certificate', 'sign_certificate'],
    summary: ['Look at a certificate as it would be issued', 'معاينة شهادة كما ستصدر'],
    params: z.object({ id: idParam, lang: z.enum(['ar', 'en']) }),
    file: { name: 'Draft.pdf', type: 'pdf' },
    traced: 'student',
  }),
  paper: call('GET', '/certificates/{id}/paper/{paper}', {
    permission: certificate.permissions.show!,
    summary: [
      'Open an issued certificate: who asked as it was issued, staff with a line that it is for the office',
      'فتح شهادة صادرة: لصاحبها كما صدرت، وللمكتب بعبارة الاطلاع',
    ],
    params: z.object({ id: idParam, paper: idParam }),
    file: { name: 'Certificate.pdf', type: 'pdf' },
    traced: 'student',
  }),
  print: call('POST', '/certificates/{id}/paper/{paper}/print', {
    permission: 'edit_certificate',
    summary: [
      'Print an issued certificate: as many originals as were paid for, then copies with their number',
      'طباعة شهادة صادرة: الأصول بعدد المدفوع، ثم نسخ تحمل أرقامها',
    ],
    params: z.object({ id: idParam, paper: idParam }),
    body: z.strictObject({
      /** Needed once all originals are printed. */
      reason: safeText(500, 3).optional(),
    }),
    file: { name: 'Certificate.pdf', type: 'pdf' },
    traced: 'student',
    example: {},
  }),
  change: call('PUT', '/certificates/{id}', {
    permission: [...ASKS, 'edit_certificate'],
    summary: ['Change what was asked for', 'تعديل طلب شهادة'],
    body: z.strictObject({
      delivery: z.enum(['by_hand', 'by_mail', 'electronic']),
      address: safeText(ADDRESS).nullable().optional(),
      why: safeText(2000, 3),
      version: z.int().optional(),
    }),
    response: z.object({ data: z.object({ id, version: z.int() }) }),
    example: { delivery: 'by_hand', why: 'For an employer' },
  }),
  sign: call('POST', '/certificates/sign/{id}', {
    permission: 'sign_certificate',
    summary: ['Sign a certificate in the own position', 'توقيع شهادة بحكم الوظيفة'],
    body: z.strictObject({ version: z.int().optional() }),
    response: z.object({ data: z.object({ id, version: z.int(), status: z.string() }) }),
    confirm: 'second factor',
    example: {},
  }),
  signMany: call('POST', '/certificates/sign', {
    permission: 'sign_certificate',
    summary: ['Sign several certificates with one proof of presence', 'توقيع عدة شهادات بإثبات حضور واحد'],
    body: z.strictObject({ ids: z.array(id).min(1).max(200) }),
    response: bulkResult,
    confirm: 'second factor',
    example: { ids: [1] },
  }),
  updateStatus: call('POST', '/certificates/updateStatus/{id}', {
    permission: [...ASKS, 'edit_certificate', 'decide_certificate'],
    summary: ['Take a certificate to another status', 'تغيير حالة شهادة'],
    body: z.strictObject({
      status: z.enum([
        'Prepared',
        'in review',
        'Reviewed',
        'approved',
        'dean-signed',
        'Ready To Deliver',
        'Delivered',
        'Delivered By Mail',
        'Delivered By Manual',
        'updated',
        'Rejected',
        'cancelled',
      ]),
      reason: safeText(500, 3).optional(),
      version: z.int().optional(),
    }),
    response: z.object({ data: z.object({ id, version: z.int(), status: z.string() }) }),
    example: { status: 'Prepared' },
  }),
  checkPayment: call('POST', '/certificates/students/payment/check/{transaction}', {
    permission: ['add_certificate', ...SEES],
    summary: ['Whether a payment has reached its certificate', 'هل وصلت الدفعة إلى شهادتها'],
    params: z.object({ transaction: idParam }),
    response: z.object({ data: z.object({ id, status: z.string(), paid: z.boolean() }) }),
  }),
}
export type CertificateProblem = z.output<typeof problem>
