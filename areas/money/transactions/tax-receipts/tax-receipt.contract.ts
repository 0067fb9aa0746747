import { otherPayerRef } from '#areas/money/ledger/payer.contract.ts'
import { z } from 'zod'
import { call, f, id, listOf, listQuery, ref, screen } from '#kit/contract/index.ts'

export const TAX_RECEIPT_STATES = [
  { value: 'to_send', label: ['To be sent', 'بانتظار الإرسال'], tone: 'waiting' },
  { value: 'sent', label: ['Sent, being checked', 'أُرسل وقيد الفحص'], tone: 'active' },
  { value: 'valid', label: ['Accepted', 'مقبول'], tone: 'done' },
  { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
] as const
export const TAX_RECEIPT_KINDS = [
  { value: 'S', label: ['Receipt', 'إيصال'] },
  { value: 'R', label: ['Return receipt', 'إيصال مرتجع'] },
] as const

export const taxReceiptFields = {
  number: f.text(['Number', 'الرقم']),
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  kind: f.choice(['Kind', 'النوع'], TAX_RECEIPT_KINDS),
  state: f.choice(['State', 'الحالة'], TAX_RECEIPT_STATES),
  issued_at: f.instant(['Issued', 'وقت الإصدار']),
  sent_at: f.instant(['Sent', 'وقت الإرسال']),
}
const row = z.object({
  id,
  version: z.int(),
  number: z.string(),
  uuid: z.string(),
  kind: z.enum(TAX_RECEIPT_KINDS.map((one) => one.value)),
  state: z.enum(TAX_RECEIPT_STATES.map((one) => one.value)),
  student: ref.nullable(),
  payer: otherPayerRef.nullable(),
  transaction: z.object({ id, number: z.string() }),
  currency: z.string(),
  amount: z.int(),
  issued_at: z.string(),
  sent_at: z.string().nullable(),
  /** What the authority says against it. */
  reasons: z.array(z.object({ code: z.string(), message: z.string(), path: z.string().nullable() })),
  /** What went wrong when it was sent last; it is sent again by itself. */
  trouble: z.string().nullable(),
  abilities: z.array(z.enum(['again'])),
})
export type TaxReceiptRow = z.output<typeof row>

export const taxReceiptsPart = {
  calls: {
    taxReceipts: call('POST', '/tax-receipts', {
      permission: 'access_tax_receipt',
      summary: ['List receipts to the tax authority', 'عرض الإيصالات الإلكترونية لمصلحة الضرائب'],
      body: listQuery,
      response: listOf(row),
      reads: true,
    }),
    taxReceiptsStand: call('GET', '/tax-receipts/stand', {
      permission: 'access_tax_receipt',
      summary: ['How receipts to the tax authority stand', 'حالة الإيصالات الإلكترونية'],
      response: z.object({
        data: z.object({
          /** Switched on by the university, and set up for the installation. */
          on: z.boolean(),
          set_up: z.boolean(),
          waiting: z.int(),
          rejected: z.int(),
          /** Payments in a currency whose rate is not set: they wait for it. */
          without_rate: z.int(),
        }),
      }),
    }),
    sendTaxReceiptAgain: call('POST', '/tax-receipts/{id}/again', {
      permission: 'send_tax_receipt',
      summary: [
        'Make a rejected receipt anew and send it, once its cause is mended',
        'إعادة إصدار إيصال مرفوض وإرساله بعد معالجة السبب',
      ],
      body: z.strictObject({ version: z.int().optional() }),
      response: z.object({ data: row }),
      example: {},
    }),
  },
  screens: [
    screen('/tax-receipts', {
      permission: 'access_tax_receipt',
      title: ['Receipts to the tax authority', 'الإيصالات الإلكترونية للضرائب'],
      menu: { group: 'finance', order: 121, icon: 'receipt-tax', block: 'invoices', subject: 'transactions' },
    }),
  ],
  errors: {
    tax_receipt_not_rejected: ['Only a rejected receipt is sent again.', 'لا يُعاد إرسال إلا الإيصال المرفوض.'],
    tax_receipt_off: ['Receipts to the tax authority are not set up.', 'الإيصالات الإلكترونية للضرائب غير مُعدّة.'],
    tax_receipt_nothing: ['The receipt is about no amount.', 'لا مبلغ في الإيصال.'],
    tax_receipt_lines: ['A receipt has at most {most} lines.', 'للإيصال {most} سطر على الأكثر.'],
    tax_receipt_rate: [
      'The rate of {currency} is not set in the settings of the university.',
      'سعر صرف {currency} غير محدد في إعدادات الجامعة.',
    ],
    tax_receipt_no_reference: [
      'The receipt that is taken back is not at the authority.',
      'الإيصال الأصلي ليس لدى مصلحة الضرائب.',
    ],
    tax_receipt_payer: [
      'From 150,000 pounds on the national id of the payer is needed.',
      'من 150,000 جنيه فأكثر يلزم الرقم القومي للدافع.',
    ],
    tax_receipt_stays: ['A receipt stays as it was made.', 'يبقى الإيصال كما صدر.'],
  },
} as const
