import { z } from 'zod'
import { CODE_CALL, PUZZLE_CALL, mailAddress } from '#kit/contract/address-code.ts'
import { LANGUAGES, call, date, id, idParam, ref, safeText } from '#kit/contract/index.ts'
import { GRADUATE_LINE } from './graduate.rules.ts'

/** Longest address, in letters. */
const ADDRESS = 500
export const GRADUATE_PROOF_KINDS = ['pdf', 'jpg', 'png'] as const
export const MOST_GRADUATE_PROOF_MB = 8

const open = { permission: 'public' } as const
const key = z.string().regex(/^[\w-]{43}$/)
const who = { params: z.object({ id: idParam, key }) } as const
const ticket = z.string().max(600)
const speed = z.enum(['normal', 'urgent'])
const delivery = z.enum(['by_hand', 'by_mail', 'electronic'])
const money = z.int()

/** A type as whoever has no account sees it: priced for Egyptians in pounds, for others in dollars, because nobody knows yet who asks. */
const openType = ref.extend({
  deliveries: z.array(delivery),
  most_copies: z.int(),
  prices: z.array(
    z.object({
      speed,
      days: z.int(),
      /** In minor units: of the first copy, and of each further one. */
      local: money,
      local_copy: money,
      usd: money,
      usd_copy: money,
    }),
  ),
  signers: z.array(ref),
})
export type OpenType = z.output<typeof openType>

const payment = z.object({
  id,
  number: z.string(),
  status: z.enum(['new', 'pending', 'paid', 'failed', 'expired', 'rejected', 'cancelled']),
  way: z.enum(['card', 'mobile']),
  provider: z.string(),
  currency: z.string(),
  amount: money,
  invoice_id: id.nullable(),
  /** The number one pays by. */
  pay_number: z.string().nullable(),
  /** The provider's page on which one pays. */
  link: z.string().nullable(),
  expires_at: z.string().nullable(),
})
export type GraduatePayment = z.output<typeof payment>

const status = z.enum(['to_check', 'identified', 'rejected', 'cancelled'])
const shown = z.object({
  id,
  code: z.string(),
  type: ref,
  name: z.string(),
  email: z.string(),
  lang: z.enum(['ar', 'en', 'both']),
  copies: z.int(),
  speed,
  delivery,
  address: z.string().nullable(),
  created_at: z.string(),
  status,
  /** Of the certificate that it has become. */
  certificate_status: z.string().nullable(),
  line: z.array(z.object({ step: z.enum(GRADUATE_LINE), state: z.enum(['done', 'now', 'later']) })),
  /** Why it was rejected. */
  reason: z.string().nullable(),
  promised_on: z.string().nullable(),
  proof: z.object({ name: z.string(), size: z.int() }).nullable(),
  /** Whether a picture can be sent, and whether the request can be taken back. */
  can_send_proof: z.boolean(),
  can_withdraw: z.boolean(),
  fee: z
    .object({
      number: z.string(),
      currency: z.string(),
      amount: money,
      /** What of it is still to be paid. */
      open: money,
      due_date: z.string().nullable(),
      ways: z.array(z.enum(['card', 'mobile'])),
      under_way: z.array(payment),
      /** What was paid, each with its receipt. */
      receipts: z.array(z.object({ id, number: z.string(), on: z.string() })),
    })
    .nullable(),
  /** What can be fetched as a file. */
  papers: z.array(z.object({ id, serial: z.string(), lang: z.enum(['ar', 'en']), verify: z.string() })),
})
export type GraduateShown = z.output<typeof shown>
const answer = z.object({ data: shown })

/** Calls of graduates without an account: an address is proven, a type is asked for, and whoever has the key follows it. */
export const graduateCalls = {
  puzzle: call('POST', '/certificates/graduate/puzzle', PUZZLE_CALL),
  askCode: call('POST', '/certificates/graduate/code', CODE_CALL),
  types: call('GET', '/certificates/graduate/types', {
    ...open,
    summary: ['What graduates may ask for, with its prices', 'ما يمكن للخريجين طلبه وأسعاره'],
    response: z.object({ data: z.array(openType) }),
    reads: true,
  }),
  verify: call('POST', '/certificates/graduate/verify', {
    ...open,
    summary: ['Prove an address by the code that was sent there', 'تأكيد بريد إلكتروني بالرمز المرسل إليه'],
    body: z.strictObject({
      email: mailAddress,
      code: z
        .string()
        .trim()
        .regex(/^\d{8}$/),
    }),
    response: z.object({
      data: z.object({
        /** By this a certificate is asked for, or a request of the address is opened, for an hour. */
        ticket: z.string(),
        requests: z.array(
          z.object({
            id,
            code: z.string(),
            type: ref,
            status,
            certificate_status: z.string().nullable(),
            created_at: z.string(),
          }),
        ),
      }),
    }),
    example: { email: 'somebody@example.com', code: '12345678' },
  }),
  open: call('POST', '/certificates/graduate/open', {
    ...open,
    summary: ['Open a request of a proven address', 'فتح طلب لبريد مؤكد'],
    body: z.strictObject({ ticket, id }),
    response: z.object({ data: z.object({ id, key: z.string() }) }),
    example: { ticket: 'a.b', id: 1 },
  }),
  ask: call('POST', '/certificates/graduate/request/{id}', {
    ...open,
    summary: [
      'Ask for a certificate of a type without an account, with a proven address',
      'طلب شهادة من نوع محدد بدون حساب ببريد مؤكد',
    ],
    body: z.strictObject({
      ticket,
      language: z.enum(LANGUAGES),
      name: safeText(200, 3),
      identity_kind: z.enum(['code', 'national_id', 'passport']),
      identity: safeText(40, 1),
      birth_date: date,
      lang: z.enum(['ar', 'en', 'both']),
      copies: z.int().min(1).max(50),
      speed,
      delivery,
      address: safeText(ADDRESS).nullable().optional(),
      why: safeText(2000, 3),
    }),
    /** The same whether such a person is known or not. */
    response: z.object({ data: z.object({ id, key: z.string() }) }),
    example: {
      ticket: 'a.b',
      language: 'en',
      name: 'Mona Ali',
      identity_kind: 'code',
      identity: '2019001',
      birth_date: '1999-01-31',
      lang: 'en',
      copies: 1,
      speed: 'normal',
      delivery: 'electronic',
      why: 'For an employer',
    },
  }),
  read: call('GET', '/certificates/graduate/{id}/{key}', {
    ...open,
    ...who,
    summary: ['A request, to whoever has its key', 'طلب لمن لديه مفتاحه السري'],
    response: answer,
    reads: true,
  }),
  proof: call('POST', '/certificates/graduate/{id}/{key}/proof', {
    ...open,
    ...who,
    summary: ['Send a picture of an identity card or passport', 'إرسال صورة بطاقة الهوية أو جواز السفر'],
    upload: { field: 'file', accept: GRADUATE_PROOF_KINDS, maxMB: MOST_GRADUATE_PROOF_MB },
    response: answer,
  }),
  withdraw: call('POST', '/certificates/graduate/{id}/{key}/withdraw', {
    ...open,
    ...who,
    summary: ['Take the own request back', 'سحب الطلب'],
    body: z.strictObject({}),
    response: answer,
    example: {},
  }),
  pay: call('POST', '/certificates/graduate/{id}/{key}/pay', {
    ...open,
    ...who,
    summary: ['Begin to pay the fee of a request', 'بدء دفع رسم طلب'],
    body: z.strictObject({ way: z.enum(['card', 'mobile']) }),
    response: z.object({ data: shown.extend({ payment }) }),
    example: { way: 'mobile' },
  }),
  check: call('POST', '/certificates/graduate/{id}/{key}/check/{transaction}', {
    ...open,
    params: z.object({ id: idParam, key, transaction: idParam }),
    summary: ['Ask the provider now what became of a payment of the request', 'سؤال مزود الدفع الآن عن دفعة الطلب'],
    body: z.strictObject({}),
    response: z.object({ data: shown.extend({ payment, answered: z.boolean() }) }),
    example: {},
  }),
  receipt: call('GET', '/certificates/graduate/{id}/{key}/receipt/{transaction}', {
    ...open,
    params: z.object({ id: idParam, key, transaction: idParam }),
    summary: ['Fetch the receipt of a payment for a request', 'تنزيل إيصال دفعة لطلب'],
    file: { name: 'Receipt.pdf', type: 'pdf' },
  }),
  paper: call('GET', '/certificates/graduate/{id}/{key}/paper/{paper}', {
    ...open,
    params: z.object({ id: idParam, key, paper: idParam }),
    summary: ['Fetch a certificate that was released as a file', 'تنزيل شهادة أُتيحت ملفًا'],
    file: { name: 'Certificate.pdf', type: 'pdf' },
  }),
}
