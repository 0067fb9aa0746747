import { namedPayer, otherPayerRef } from '#areas/money/ledger/payer.contract.ts'
import { z } from 'zod'
import { call, id, ref, safeText } from '#kit/contract/index.ts'

const money = z.int()
const currency = z.enum(['EGP', 'USD'])
const inDrawer = z.strictObject({ currency, amount: z.int().min(0).max(1_000_000_000_000) })

const shift = z.object({
  id,
  number: z.string(),
  /** Who takes and pays out. */
  cashier: z.object({ name: z.string(), name_local: z.string() }),
  opened_at: z.string(),
  closed_at: z.string().nullable(),
  note: z.string().nullable(),
  /** What somebody else found of a count that differed. */
  review: z.object({ by: z.string(), at: z.string(), note: z.string() }).nullable(),
  /** What was taken and paid out, and what has to be in the drawer. */
  drawers: z.array(
    z.object({
      currency: z.string(),
      opening: money,
      taken: money,
      paid_out: money,
      expected: money,
      counted: money.nullable(),
      transactions: z.int(),
    }),
  ),
})
export type Shift = z.output<typeof shift>
const receipt = z.object({
  id,
  receipt: z.string().nullable(),
  at: z.string(),
  student: ref.nullable(),
  payer: otherPayerRef.nullable(),
  purpose: z.string(),
  status: z.string(),
  currency: z.string(),
  /** Negative: it went out. */
  amount: money,
})
export type DrawerReceipt = z.output<typeof receipt>
const shiftDetail = shift.extend({
  /** What was taken and paid out by way and currency; cancelled ones are counted apart. */
  ways: z.array(z.object({ purpose: z.string(), currency: z.string(), amount: money, transactions: z.int() })),
  receipts: z.array(receipt),
  abilities: z.array(z.enum(['review'])),
})
export type ShiftDetail = z.output<typeof shiftDetail>

const payer = z.object({
  student: ref.nullable(),
  /** Who pays, where it is no student. */
  payer: otherPayerRef.nullable(),
  faculty: ref.nullable(),
  wallets: z.array(z.object({ currency: z.string(), wallet: money })),
  invoices: z.array(
    z.object({
      id,
      number: z.string(),
      type: z.string(),
      currency: z.string(),
      open: money,
      /** What it charges in all: more than is open once a part is paid. */
      charged: money,
      due_date: z.string(),
      overdue: z.boolean(),
    }),
  ),
})
export type Payer = z.output<typeof payer>

/** The cashier's desk: a drawer from opening to count, and what is taken at it. */
/** Who are shown at most: what was typed is then too little. */
export const MOST_PAYERS = 8

export const deskCalls = {
  shift: call('GET', '/cashier/shift', {
    permission: 'take_payment',
    summary: ['The own open drawer', 'الوردية المفتوحة'],
    response: z.object({ data: shift.nullable() }),
  }),
  receipts: call('GET', '/cashier/shift/receipts', {
    permission: 'take_payment',
    summary: ['Receipts of the own open drawer, the latest first', 'إيصالات الوردية المفتوحة، الأحدث أولًا'],
    response: z.object({ data: z.array(receipt) }),
  }),
  open: call('POST', '/cashier/shift/open', {
    permission: 'take_payment',
    summary: ['Open a drawer', 'فتح وردية'],
    body: z.strictObject({ opening: z.array(inDrawer).max(5).default([]) }),
    response: z.object({ data: shift }),
    example: { opening: [{ currency: 'EGP', amount: 0 }] },
  }),
  close: call('POST', '/cashier/shift/close', {
    permission: 'take_payment',
    summary: ['Close the own drawer by its count', 'إغلاق الوردية بالجرد'],
    body: z.strictObject({ counted: z.array(inDrawer).min(1).max(5), note: safeText(500).nullish() }),
    response: z.object({ data: shift }),
    example: { counted: [{ currency: 'EGP', amount: 0 }] },
  }),
  shifts: call('POST', '/cashier/shifts', {
    permission: 'review_shift',
    summary: ['Drawers of all cashiers, the latest first', 'ورديات الخزينة، الأحدث أولًا'],
    body: z.strictObject({ open: z.boolean().optional(), page: z.int().min(1).max(1000).default(1) }),
    response: z.object({ data: z.array(shift), meta: z.object({ count: z.int() }) }),
    reads: true,
    example: {},
  }),
  showShift: call('GET', '/cashier/shifts/{id}', {
    permission: 'review_shift',
    summary: ['A drawer with its receipts in order', 'وردية بإيصالاتها بالترتيب'],
    response: z.object({ data: shiftDetail }),
  }),
  sheet: call('GET', '/cashier/shifts/sheet/{id}', {
    permission: 'review_shift',
    summary: ['End-of-day sheet of a drawer as PDF', 'كشف نهاية اليوم لوردية بصيغة PDF'],
    query: z.object({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'Drawer.pdf', type: 'pdf' },
  }),
  review: call('POST', '/cashier/shifts/review/{id}', {
    permission: 'review_shift',
    summary: ['Say what was found of a drawer whose count differed', 'تسجيل مراجعة وردية اختلف جردها'],
    body: z.strictObject({ note: safeText(500, 3) }),
    response: z.object({ data: shiftDetail }),
    example: { note: 'Counted again with the cashier: a note was missing.' },
  }),
  find: call('POST', '/cashier/find', {
    permission: 'take_payment',
    summary: [
      'Find who pays, by code, name, document or a scanned invoice',
      'البحث عن الدافع بالكود أو الاسم أو الوثيقة أو فاتورة ممسوحة',
    ],
    body: z.strictObject({ text: z.string().trim().min(2).max(80) }),
    response: z.object({ data: z.array(payer) }),
    reads: true,
    example: { text: 'INV-2026-000001' },
  }),
  take: call('POST', '/cashier/take', {
    permission: 'take_payment',
    summary: ['Take a payment in cash', 'استلام دفعة نقدية'],
    body: z.strictObject({
      /** Whose money it is, one of them: of a student, an applicant, who works here, a guest. */
      student_id: id.optional(),
      applicant_id: id.optional(),
      ...namedPayer,
      currency,
      amount: z.int().min(1).max(1_000_000_000_000),
      /** What is settled first, in this order; then what is due earliest. */
      invoice_ids: z.array(id).max(50).default([]),
      /** What is more than is owed goes into the wallet; otherwise it is refused. */
      to_wallet: z.boolean().default(false),
      note: safeText(500).nullish(),
      /** Of one press of the button: the same once more does not book twice. */
      key: z.uuid(),
    }),
    response: z.object({
      data: z.object({
        id,
        number: z.string(),
        receipt: z.string(),
        settled: z.array(z.object({ invoice_id: id, amount: money })),
        wallet: money,
        /** What the payer owes in this currency from now on. */
        owed: money,
      }),
    }),
    example: {
      student_id: 1,
      currency: 'EGP',
      amount: 100,
      to_wallet: true,
      key: '3f0b9a52-6a3c-4a8e-9d59-4a2f4b6f7a11',
    },
  }),
}
