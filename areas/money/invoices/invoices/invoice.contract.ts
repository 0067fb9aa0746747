import { z } from 'zod'
import {
  call,
  date,
  exportQuery,
  f,
  id,
  idParam,
  listOf,
  listQuery,
  problem,
  ref,
  safeText,
} from '#kit/contract/index.ts'
import { CURRENCY_CHOICES, TYPE_CHOICES } from '#areas/money/fees/words.contract.ts'
import { namedPayer, otherPayerRef } from '#areas/money/ledger/payer.contract.ts'
import { LINE_ACCOUNTS, type LineAccount } from '../invoice.rules.ts'

/** An amount in minor units. */
const money = z.int()
const positive = z.int().min(1).max(1_000_000_000_000)

export const INVOICE_STATES = [
  { value: 'unpaid', label: ['Unpaid', 'غير مدفوعة'], tone: 'waiting' },
  { value: 'partially_paid', label: ['Partially paid', 'مدفوعة جزئيًا'], tone: 'active' },
  { value: 'paid', label: ['Paid', 'مدفوعة'], tone: 'done' },
  { value: 'reversed', label: ['Reversed', 'معكوسة'], tone: 'frozen' },
] as const
export const INVOICE_TYPES = [
  ...TYPE_CHOICES,
  { value: 'extra', label: ['Extra items', 'بنود إضافية'] },
  { value: 'sponsor', label: ['Shares of a sponsor', 'حصص جهة راعية'] },
  { value: 'admission', label: ['Admission', 'القبول'] },
] as const
const state = z.enum(INVOICE_STATES.map((one) => one.value))
const type = z.enum(INVOICE_TYPES.map((one) => one.value))
/** The same as people choose them. */
export const LINE_CHOICES = [
  ...TYPE_CHOICES,
  { value: 'fines', label: ['Late fine', 'غرامة تأخير'] },
  { value: 'other_income', label: ['Other', 'أخرى'] },
] as const satisfies readonly { value: LineAccount; label: readonly [string, string] }[]

/** Fields by which invoices are filtered and ordered. */
export const invoiceFields = {
  number: f.text(['Number', 'الرقم']),
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  program_id: f.lookup(['Program', 'البرنامج'], 'program'),
  level: f.integer(['Level', 'المستوى']),
  year_id: f.lookup(['Academic year', 'العام الدراسي'], 'year'),
  term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term'),
  type: f.choice(['For', 'عن'], INVOICE_TYPES),
  state: f.choice(['State', 'الحالة'], INVOICE_STATES),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  charged: f.money(['Charged', 'قيمة الفاتورة']),
  settled: f.money(['Paid', 'المدفوع']),
  open: f.money(['Still to pay', 'المتبقي']),
  issued_on: f.date(['Issued', 'تاريخ الإصدار']),
  due_date: f.date(['Due', 'تاريخ الاستحقاق']),
  overdue: f.flag(['Overdue', 'متأخرة']),
  not_due: f.money(['Not yet due', 'لم يحن موعده']),
  overdue_amount: f.money(['Overdue amount', 'المبلغ المتأخر']),
}

const row = z.object({
  id,
  version: z.int(),
  number: z.string(),
  student: ref.nullable(),
  /** Who pays, where it is no student. */
  payer: otherPayerRef.nullable(),
  faculty: ref.nullable(),
  year: ref.nullable(),
  term: ref.nullable(),
  type,
  currency: z.string(),
  charged: money,
  settled: money,
  open: money,
  state,
  issued_on: z.string(),
  /** By when what is not settled is due next; null: nothing is. */
  due_date: z.string().nullable(),
  overdue: z.boolean(),
  /** What is open: in part its day has come and gone, in part it has not. */
  not_due: money,
  overdue_amount: money,
  /** A plan to pay it in parts runs: none of them is late, and they change with the plan. */
  in_plan: z.boolean(),
})
export type InvoiceRow = z.output<typeof row>

const line = z.object({
  id,
  item: z.string(),
  name: z.string(),
  name_local: z.string(),
  /** In hundredths. */
  quantity: z.number(),
  unit_amount: money,
  amount: money,
  /** How it was computed, in words. */
  words: z.object({ en: z.string(), ar: z.string() }).nullable(),
  account: z.string(),
})
export type InvoiceLine = z.output<typeof line>
const installment = z.object({
  id,
  version: z.int(),
  amount: money,
  settled: money,
  due_date: z.string(),
  overdue: z.boolean(),
})
const detail = row.extend({
  program: ref.nullable(),
  level: z.int().nullable(),
  note: z.string().nullable(),
  reversed_at: z.string().nullable(),
  reversed_reason: z.string().nullable(),
  setting_version_id: z.int().nullable(),
  lines: z.array(line),
  notes: z.array(
    z.object({
      id,
      number: z.string(),
      kind: z.enum(['debit', 'credit', 'scholarship', 'fine', 'sponsor']),
      /** What is charged more by it, or less. */
      amount: money,
      reason: z.string(),
      reason_local: z.string().nullable(),
      issued_on: z.string(),
      by: z.string().nullable(),
      lines: z.array(line),
    }),
  ),
  installments: z.array(installment),
  /** What came, and what went back. */
  transactions: z.array(
    z.object({
      id,
      number: z.string(),
      receipt: z.string().nullable(),
      way: z.string(),
      amount: money,
      booked_on: z.string().nullable(),
    }),
  ),
  abilities: z.array(z.string()),
})
export type InvoiceDetail = z.output<typeof detail>

const reason = safeText(500, 3)
const partOf = z.object({ amount: money, due_date: z.string() })
const lineInput = z.strictObject({
  // What sponsors take over is computed, never typed.
  account: z.enum(
    LINE_ACCOUNTS.filter((account) => account !== 'sponsored' && account !== 'deposit' && account !== 'admission'),
  ),
  name: safeText(200, 1),
  name_local: safeText(200, 1),
  /** Negative: taken off. */
  amount: z
    .int()
    .min(-1_000_000_000_000)
    .max(1_000_000_000_000)
    .refine((n) => n !== 0),
})
/** Fee items that are asked for, and how many of each: copies, or requests. */
const askedItems = z
  .array(z.strictObject({ item_id: id, quantity: z.int().min(1).max(1000) }))
  .min(1)
  .max(20)
const extraBody = z.strictObject({
  /** Of fee items, at the price that the year has for the student; the program computes what they cost. */
  items: askedItems.optional(),
  /** By when they are due; without it within a week. */
  due_date: date.optional(),
  /** Instead: what no item is, with an amount that is typed. */
  currency: z.enum(['EGP', 'USD']).optional(),
  lines: z
    .array(lineInput.extend({ amount: positive }))
    .min(1)
    .max(50)
    .optional(),
  installments: z
    .array(z.strictObject({ amount: positive, due_date: date }))
    .min(1)
    .max(3)
    .optional(),
  year_id: id.nullish(),
  term_id: id.nullish(),
  note: safeText(500).nullish(),
})
export type ExtraBody = z.output<typeof extraBody>
/** The same for who works here, or for a guest: always written, as prices are of students. */
const payerInvoiceBody = z.strictObject({
  ...namedPayer,
  currency: z.enum(['EGP', 'USD']),
  lines: z
    .array(lineInput.extend({ amount: positive }))
    .min(1)
    .max(50),
  installments: z
    .array(z.strictObject({ amount: positive, due_date: date }))
    .min(1)
    .max(3),
  note: safeText(500).nullish(),
})
export type PayerInvoiceBody = z.output<typeof payerInvoiceBody>
/** Changes of an invoice: lines whose amount is another, and lines that are new. */
const editBody = z.strictObject({
  lines: z
    .array(z.strictObject({ id, amount: z.int().min(0).max(1_000_000_000_000) }))
    .max(100)
    .default([]),
  added: z.array(lineInput).max(50).default([]),
  reason,
  reason_local: safeText(500).nullish(),
  /** As it was read: somebody else's change in between is told. */
  version: z.int(),
})
const one = z.object({ data: detail })
const changed = z.object({
  data: z.object({ id, note: z.string().nullable(), released: money }),
})
const example = { reason: 'Counted twice' }

/** Invoices, at the documents' paths, which call them payments. */
export const invoiceCalls = {
  list: call('POST', '/payments', {
    permission: 'access_payment',
    summary: ['List invoices', 'عرض الفواتير'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  show: call('GET', '/payments/{id}', {
    permission: 'access_payment',
    summary: ['Show an invoice, how it was computed and what settled it', 'عرض فاتورة وكيف حُسبت وما سددها'],
    response: one,
    traced: 'invoice',
  }),
  offered: call('POST', '/payments/extra_items/{id}', {
    permission: 'issue_invoice',
    summary: [
      'What a student may be charged for beside the fees, and what it costs',
      'ما يمكن أن يُطالب به الطالب بخلاف الرسوم وقيمته',
    ],
    body: z.strictObject({
      items: z
        .array(z.strictObject({ item_id: id, quantity: z.int().min(1).max(1000) }))
        .max(20)
        .default([]),
    }),
    response: z.object({
      data: z.object({
        offered: z.array(
          z.object({
            item_id: id,
            code: z.string(),
            name: z.string(),
            name_local: z.string(),
            per: z.enum(['copy', 'request']),
            amount: money,
            currency: z.string(),
          }),
        ),
        /** Of what was asked for. */
        lines: z.array(
          z.object({
            name: z.string(),
            name_local: z.string(),
            amount: money,
            words: z.object({ en: z.string(), ar: z.string() }),
          }),
        ),
        currency: z.string().nullable(),
        amount: money,
        /** Why it cannot be charged. */
        refused: z.array(problem),
      }),
    }),
    reads: true,
    example: { items: [] },
  }),
  create: call('POST', '/payments/create_payment/{id}', {
    permission: 'issue_invoice',
    summary: ['Issue an invoice of extra items to a student', 'إصدار فاتورة ببنود إضافية لطالب'],
    body: extraBody,
    response: z.object({ data: z.object({ id, number: z.string() }) }),
    example: {
      currency: 'EGP',
      lines: [{ account: 'services', name: 'Lost card', name_local: 'بدل فاقد', amount: 15_000 }],
      installments: [{ amount: 15_000, due_date: '2026-12-31' }],
    },
  }),
  createForPayer: call('POST', '/payments/create_payer_payment', {
    permission: 'issue_invoice',
    summary: ['Issue an invoice to who works here or to a guest', 'إصدار فاتورة لعامل بالجامعة أو لضيف'],
    body: payerInvoiceBody,
    response: z.object({ data: z.object({ id, number: z.string() }) }),
    example: {
      guest_id: 1,
      currency: 'EGP',
      lines: [{ account: 'services', name: 'Use of a hall', name_local: 'استخدام قاعة', amount: 50_000 }],
      installments: [{ amount: 50_000, due_date: '2026-12-31' }],
    },
  }),
  edit: call('POST', '/payments/edit-invoice/{id}', {
    permission: 'edit_invoice',
    summary: ['Correct an invoice by a note', 'تصحيح فاتورة بإشعار'],
    body: editBody,
    response: changed,
    example: {
      ...example,
      version: 1,
      added: [{ account: 'services', name: 'Card', name_local: 'بطاقة', amount: 5000 }],
    },
  }),
  editPlain: call('POST', '/payments/edit-invoice', {
    permission: 'edit_invoice',
    summary: ['Correct an invoice by a note, its id in the body', 'تصحيح فاتورة بإشعار، ورقمها في الطلب'],
    body: editBody.extend({ id }),
    response: changed,
    example: {
      ...example,
      id: 1,
      version: 1,
      added: [{ account: 'services', name: 'Card', name_local: 'بطاقة', amount: 5000 }],
    },
  }),
  reverse: call('POST', '/payments/reverse-invoice/{id}', {
    permission: 'reverse_invoice',
    summary: ['Reverse an invoice; what was paid goes into the wallet', 'عكس فاتورة؛ وما دُفع ينتقل إلى المحفظة'],
    body: z.strictObject({ reason }),
    response: changed,
    example,
  }),
  dueDate: call('PUT', '/payments/due_date/{id}', {
    permission: 'edit_invoice',
    summary: ['Set by when an instalment of an invoice is due', 'تحديد تاريخ استحقاق قسط من فاتورة'],
    body: z.strictObject({
      due_date: date,
      /** Without it the one that is due next. */
      installment_id: id.nullish(),
      reason,
    }),
    response: one,
    example: { due_date: '2027-01-31', reason: 'Agreed with the student' },
  }),
  split: call('POST', '/payments/installments/{id}', {
    permission: 'edit_invoice',
    summary: ['Split an instalment off an invoice', 'تقسيط فاتورة'],
    body: z.strictObject({ amount: positive, due_date: date, reason }),
    response: one,
    example: { amount: 1000, due_date: '2027-02-28', reason: 'Agreed with the student' },
  }),
  installment: call('POST', '/payments/installments/{id}/{id2}', {
    permission: 'edit_invoice',
    summary: ['Change an instalment: the next one is what remains', 'تعديل قسط: والقسط التالي هو الباقي'],
    params: z.object({ id: idParam, id2: idParam }),
    body: z.strictObject({
      amount: positive.optional(),
      due_date: date.optional(),
      /** What a smaller amount leaves becomes a part of its own, due then. */
      rest_due_date: date.optional(),
      reason,
    }),
    response: one,
    example: { amount: 1000, reason: 'Agreed with the student' },
  }),
  join: call('DELETE', '/payments/installments/{id}', {
    permission: 'edit_invoice',
    summary: ['Remove an instalment: the next later one takes its amount', 'حذف قسط: ويُضم مبلغه إلى القسط اللاحق'],
    body: z.strictObject({ reason }),
    response: one,
    example: { reason: 'Agreed with the student' },
  }),
  history: call('POST', '/payments/history/{id}', {
    permission: 'access_payment',
    summary: ['What happened with an invoice, step by step', 'سجل ما جرى على الفاتورة'],
    body: z.strictObject({}),
    response: z.object({
      data: z.array(
        z.object({
          at: z.string(),
          kind: z.string(),
          /** Number of the invoice, note or receipt. */
          number: z.string().nullable(),
          amount: money,
          /** What was open afterwards. */
          open: money,
          by: z.string().nullable(),
          reason: z.string().nullable(),
          /** The instalments before and after it, where it changed them. */
          installments: z.object({ from: z.array(partOf), to: z.array(partOf) }).nullable(),
        }),
      ),
    }),
    reads: true,
    example: {},
  }),
  items: call('POST', '/payment/items/{id}', {
    permission: 'access_payment',
    summary: ['Lines of an invoice', 'بنود فاتورة'],
    body: z.strictObject({}),
    response: z.object({ data: z.array(line.extend({ note: z.string().nullable() })) }),
    reads: true,
    example: {},
  }),
  item: call('GET', '/payment/items/show_item/{id}', {
    permission: 'access_payment',
    summary: ['A line of an invoice', 'بند من فاتورة'],
    response: z.object({ data: line.extend({ invoice_id: id, invoice: z.string(), currency: z.string() }) }),
  }),
  editItem: call('PUT', '/payment/items/edit/{id}', {
    permission: 'edit_invoice',
    summary: ['Correct a line of an invoice by a note', 'تصحيح بند من فاتورة بإشعار'],
    body: z.strictObject({
      name: safeText(200, 1).optional(),
      name_local: safeText(200, 1).optional(),
      amount: z.int().min(0),
      reason,
    }),
    response: changed,
    example: { ...example, amount: 1000 },
  }),
  editAmount: call('PUT', '/payment/items/edit_amount/{id}', {
    permission: 'edit_invoice',
    summary: ['Correct the amount of a line by a note', 'تصحيح مبلغ بند بإشعار'],
    body: z.strictObject({ amount: z.int().min(0), reason }),
    response: changed,
    example: { ...example, amount: 1000 },
  }),
  exportExcel: call('POST', '/payments/export_excel', {
    permission: 'export_payment',
    summary: ['Export invoices as a spreadsheet', 'تصدير الفواتير جدولًا'],
    body: exportQuery,
    file: { name: 'Invoices.xlsx', type: 'xlsx', fixed: true },
    reads: true,
  }),
  exportPdf: call('POST', '/payments/export_pdf', {
    permission: 'export_payment',
    summary: ['Export invoices as a list to print', 'تصدير الفواتير قائمةً للطباعة'],
    body: exportQuery,
    file: { name: 'Invoices.pdf', type: 'pdf', fixed: true },
    reads: true,
  }),
  report: call('POST', '/payments/invoices-report', {
    permission: 'export_payment',
    summary: ['Report of invoices by faculty and kind', 'تقرير الفواتير حسب الكلية والنوع'],
    body: exportQuery,
    file: { name: 'Invoices Report.pdf', type: 'pdf', fixed: true },
    reads: true,
  }),
  pdf: call('GET', '/payments/export_pdf/{id}', {
    permission: 'access_payment',
    summary: ['An invoice as PDF', 'فاتورة بصيغة PDF'],
    query: z.object({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'Invoice.pdf', type: 'pdf', fixed: true },
  }),
  ownPdf: call('GET', '/payments/export_pdf', {
    permission: 'access_payment',
    summary: ['The own open invoices as PDF', 'الفواتير المستحقة على المستخدم بصيغة PDF'],
    query: z.object({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'Invoices.pdf', type: 'pdf', fixed: true },
  }),
  order: call('POST', '/payments/export-payment-order/{id}', {
    permission: 'access_payment',
    summary: ['The order to pay an invoice at a bank', 'أمر دفع فاتورة في البنك'],
    body: z.strictObject({ lang: z.enum(['ar', 'en']).optional(), installment_id: id.nullish() }),
    file: { name: 'Payment order.pdf', type: 'pdf' },
    reads: true,
    example: {},
  }),
}
