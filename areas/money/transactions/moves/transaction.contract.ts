import { z } from 'zod'
import { namedPayer, otherPayerRef } from '#areas/money/ledger/payer.contract.ts'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { call, exportQuery, f, id, idParam, listOf, listQuery, ref, safeText, series } from '#kit/contract/index.ts'

const money = z.int()
const positive = z.int().min(1).max(1_000_000_000_000)
const currency = z.enum(['EGP', 'USD'])
const reason = safeText(500, 3)
/** Of one press of the button: the same once more does not book twice. */
const pressed = z.uuid().optional()

/** Numbers of what a cashier took or paid out, without gaps. */
export const receiptNumbers = series('receipts', { per: 'year', format: 'R-{period}-{n}' })

export const PAYMENT_WAYS = [
  { value: 'cash', label: ['Cash', 'نقدًا'] },
  { value: 'slip', label: ['Bank slip', 'إيصال بنكي'] },
  { value: 'bank', label: ['Bank transfer', 'تحويل بنكي'] },
  { value: 'card', label: ['Card', 'بطاقة'] },
  { value: 'mobile', label: ['Reference number', 'رقم مرجعي'] },
  { value: 'wallet', label: ['Wallet', 'المحفظة'] },
  { value: 'deposit', label: ['Deposit', 'التأمين'] },
] as const
export const PURPOSES = [
  { value: 'payment', label: ['Payment', 'دفعة'] },
  { value: 'charge', label: ['Wallet charged', 'شحن المحفظة'] },
  { value: 'refund', label: ['Refund', 'استرداد'] },
  { value: 'cash_back', label: ['Out of the wallet', 'رد من المحفظة'] },
  { value: 'direct_cash_back', label: ['Paid back in cash', 'رد نقدي مباشر'] },
] as const
export const TRANSACTION_STATES = [
  { value: 'new', label: ['Not paid yet', 'لم تُدفع بعد'], tone: 'waiting' },
  { value: 'pending', label: ['Pending', 'قيد الانتظار'], tone: 'waiting' },
  { value: 'paid', label: ['Paid', 'مدفوعة'], tone: 'done' },
  { value: 'failed', label: ['Not paid', 'لم تُدفع'], tone: 'refused' },
  { value: 'expired', label: ['Expired', 'انتهت مهلتها'], tone: 'frozen' },
  { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused' },
  { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
] as const

export const transactionFields = {
  number: f.text(['Number', 'الرقم']),
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  way: f.choice(['Way', 'الطريقة'], PAYMENT_WAYS),
  purpose: f.choice(['For', 'الغرض'], PURPOSES),
  status: f.choice(['Status', 'الحالة'], TRANSACTION_STATES),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  amount: f.money(['Amount', 'المبلغ']),
  booked_on: f.date(['Booked', 'تاريخ القيد']),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  invoice_id: f.integer(['Invoice', 'الفاتورة']),
}
/** A row of a list of transactions. */
export const transactionRow = z.object({
  id,
  number: z.string(),
  receipt: z.string().nullable(),
  student: ref.nullable(),
  /** Who pays, where it is no student. */
  payer: otherPayerRef.nullable(),
  direction: z.enum(['in', 'out']),
  way: z.enum(PAYMENT_WAYS.map((paymentWay) => paymentWay.value)),
  purpose: z.enum(PURPOSES.map((one) => one.value)),
  currency: z.string(),
  /** Negative: it went out. */
  amount: money,
  status: z.enum(TRANSACTION_STATES.map((state) => state.value)),
  booked_on: z.string().nullable(),
  created_at: z.string(),
  abilities: z.array(z.string()),
})
export type TransactionRow = z.output<typeof transactionRow>
const detail = transactionRow.extend({
  reference: z.string().nullable(),
  provider: z.string().nullable(),
  provider_reference: z.string().nullable(),
  /** The number by which it is paid at an outlet. */
  pay_number: z.string().nullable(),
  expires_at: z.string().nullable(),
  reason: z.string().nullable(),
  note: z.string().nullable(),
  by: z.object({ name: z.string(), name_local: z.string().nullable() }).nullable(),
  refund_of: z.object({ id, number: z.string() }).nullable(),
  /** What of it went back already, and what is asked back. */
  refunded: money,
  asked: money,
  /** Invoices that it settled; negative: it took back. */
  allocations: z.array(z.object({ invoice_id: id, number: z.string(), amount: money })),
  refunds: z.array(
    z.object({
      id,
      number: z.string(),
      amount: money,
      status: z.enum(TRANSACTION_STATES.map((state) => state.value)),
      booked_on: z.string().nullable(),
    }),
  ),
})
export type TransactionDetail = z.output<typeof detail>

/** A wallet: what a payer holds as credit. */
const credit = z.object({
  id,
  student: ref.nullable(),
  payer: otherPayerRef.nullable(),
  currency: z.string(),
  wallet: money,
  owed: money,
})
export type CreditRow = z.output<typeof credit>
/** The wallet of a student: what is in it, and what came into it and went out of it, the latest first. */
export const walletOfWay = z.object({
  student: ref,
  /** `deposit`: what the university holds for the student, given back when he or she leaves. */
  balances: z.array(z.object({ currency: z.string(), wallet: money, owed: money, deposit: money })),
  moves: z.array(
    z.object({
      at: z.string(),
      kind: z.string(),
      number: z.string().nullable(),
      currency: z.string(),
      amount: money,
      after: money,
    }),
  ),
})
export type WalletOf = z.output<typeof walletOfWay>
export const creditFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  wallet: f.money(['Wallet', 'المحفظة']),
  owed: f.money(['Owed', 'المستحق']),
}
const booked = z.object({ data: z.object({ id, number: z.string(), receipt: z.string().nullable() }) })
/** What goes back: paid out, on its way by a provider, or asked of another person first. */
const gone = z.object({
  data: z.object({
    /** The transaction; null where it is only asked for. */
    id: id.nullable(),
    number: z.string(),
    receipt: z.string().nullable(),
    state: z.enum(['paid', 'pending', 'asked']),
    request_id: id.nullable(),
  }),
})
export type Gone = z.output<typeof gone>['data']
/** An id as the documents send it: text or number. */
const wireId = z.union([id, idParam])

export const transactionCalls = {
  list: call('POST', '/transactions', {
    permission: 'access_transaction',
    summary: ['List transactions', 'عرض المعاملات المالية'],
    body: listQuery,
    response: listOf(transactionRow),
    reads: true,
  }),
  show: call('GET', '/transactions/{id}', {
    permission: 'access_transaction',
    summary: ['Show a transaction and what it settled', 'عرض معاملة وما سددته'],
    response: z.object({ data: detail }),
    traced: 'transaction',
  }),
  export: call('POST', '/transactions/export-transactions', {
    permission: 'export_transaction',
    summary: ['Export transactions', 'تصدير المعاملات المالية'],
    body: exportQuery,
    file: { name: 'Transactions.xlsx', type: 'xlsx', fixed: true },
    reads: true,
  }),
  cancel: call('POST', '/transactions/cancel-transaction', {
    permission: 'cancel_transaction',
    summary: ['Cancel a transaction that was entered by mistake', 'إلغاء معاملة سُجلت بالخطأ'],
    body: z.strictObject({ id: wireId, reason }),
    response: z.object({
      data: booked.shape.data.extend({
        /** What of a cancelled refund no invoice takes any more. */
        to_wallet: z.number(),
      }),
    }),
    example: { id: 1, reason: 'Entered twice' },
  }),
  receipt: call('GET', '/transactions/receipt/{id}', {
    permission: 'access_transaction',
    summary: ['A receipt as PDF', 'إيصال بصيغة PDF'],
    query: z.object({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'Receipt.pdf', type: 'pdf' },
  }),
  refund: call('POST', '/payments/refund/{id}', {
    permission: 'refund_payment',
    summary: ['Give a payment back the way it came', 'رد دفعة بالطريقة التي دُفعت بها'],
    body: z.strictObject({ amount: positive.optional(), reason, key: pressed }),
    response: gone,
    example: { reason: 'Paid twice' },
  }),
  refundPlain: call('POST', '/payments/refund', {
    permission: 'refund_payment',
    summary: ['Give a payment back, its id in the body', 'رد دفعة، ورقمها في الطلب'],
    body: z.strictObject({ id: wireId, amount: positive.optional(), reason, key: pressed }),
    response: gone,
    example: { id: 1, reason: 'Paid twice' },
  }),
  directCashBack: call('POST', '/payments/direct_cash_back/{id}', {
    permission: 'refund_payment',
    summary: ['Give a payment back in cash, however it came', 'رد دفعة نقدًا أيًّا كانت طريقة دفعها'],
    body: z.strictObject({ amount: positive.optional(), reason, key: pressed }),
    response: gone,
    example: { reason: 'Paid twice' },
  }),
  cashBack: call('POST', '/payments/cash_back/{id}', {
    permission: 'pay_out_wallet',
    summary: ['Pay out of the wallet of a student in cash', 'صرف نقدي من محفظة طالب'],
    body: z.strictObject({ amount: positive, currency, reason, key: pressed }),
    response: gone,
    example: { amount: 100, currency: 'EGP', reason: 'Left the university' },
  }),
  chargeCredit: call('POST', '/credits/charge-credit', {
    permission: 'take_payment',
    summary: ['Charge the wallet of a student in cash', 'شحن محفظة طالب نقدًا'],
    body: z.strictObject({ id: wireId, amount: positive, currency, key: pressed }),
    response: booked,
    example: { id: '1', amount: 10_000, currency: 'EGP' },
  }),
  cashBackPayer: call('POST', '/payments/cash_back_payer', {
    permission: 'pay_out_wallet',
    summary: [
      'Pay out of the wallet of who works here or of a guest, in cash',
      'صرف نقدي من محفظة عامل بالجامعة أو ضيف',
    ],
    body: z.strictObject({ ...namedPayer, amount: positive, currency, reason, key: pressed }),
    response: gone,
    example: { guest_id: 1, amount: 100, currency: 'EGP', reason: 'The stay is over' },
  }),
  chargePayer: call('POST', '/credits/charge-payer', {
    permission: 'take_payment',
    summary: ['Charge the wallet of who works here or of a guest, in cash', 'شحن محفظة عامل بالجامعة أو ضيف نقدًا'],
    body: z.strictObject({ ...namedPayer, amount: positive, currency, key: pressed }),
    response: booked,
    example: { guest_id: 1, amount: 10_000, currency: 'EGP' },
  }),
  payFromWallet: call('POST', '/payments/pay_from_wallet/{id}', {
    permission: 'pay_online',
    summary: ['Pay an invoice out of the wallet', 'سداد فاتورة من المحفظة'],
    body: z.strictObject({ amount: positive.optional() }),
    response: booked,
    example: {},
  }),
  credits: call('POST', '/credits', {
    permission: 'access_transaction',
    summary: ['List wallets', 'عرض المحافظ'],
    body: listQuery,
    response: listOf(credit),
    reads: true,
  }),
  credit: call('GET', '/credits/{id}', {
    permission: 'access_transaction',
    summary: ['The wallet of a student', 'محفظة طالب'],
    response: z.object({ data: walletOfWay }),
  }),
}
