import { z } from 'zod'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { call, date, exportQuery, f, id, listOf, listQuery, ref, safeText } from '#kit/contract/index.ts'

const money = z.int()
export const PROMISE_STATES = [
  { value: 'standing', label: ['Promised', 'موعود'], tone: 'waiting' },
  { value: 'kept', label: ['Kept', 'أُوفي به'], tone: 'done' },
  { value: 'broken', label: ['Broken', 'لم يُوفَ به'], tone: 'refused' },
  { value: 'withdrawn', label: ['Taken back', 'سُحب'], tone: 'frozen' },
] as const

/** Fields by which promises are filtered and ordered. */
export const promiseFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  invoice_id: f.lookup(['Invoice', 'فاتورة'], 'invoice'),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  state: f.choice(['State', 'الحالة'], PROMISE_STATES),
  amount: f.money(['Promised', 'المبلغ الموعود']),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  promised_on: f.date(['By the day', 'حتى يوم']),
  noted_on: f.date(['Noted on', 'سُجل في']),
}

const row = z.object({
  id,
  version: z.int(),
  student: ref,
  faculty: ref.nullable(),
  /** null: of all that is owed in the currency. */
  invoice: z.object({ id, number: z.string() }).nullable(),
  amount: money,
  /** What came of it so far. */
  came: money,
  currency: z.string(),
  promised_on: z.string(),
  note: z.string().nullable(),
  state: z.enum(PROMISE_STATES.map((one) => one.value)),
  noted_by: ref.nullable(),
  noted_on: z.string(),
  ended_by: ref.nullable(),
  ended_reason: z.string().nullable(),
  ended_on: z.string().nullable(),
  abilities: z.array(z.enum(['withdraw'])),
})
export type PromiseRow = z.output<typeof row>
const one = z.object({ data: row })

export const promiseCalls = {
  list: call('POST', '/promises', {
    permission: 'access_promise',
    summary: ['List promises to pay', 'عرض وعود السداد'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  note: call('PUT', '/promises', {
    permission: 'note_promise',
    summary: ['Note a promise to pay', 'تسجيل وعد بالسداد'],
    body: z.strictObject({
      /** Of an invoice; else of all that the student owes in the currency. */
      invoice_id: id.nullish(),
      student_id: id.nullish(),
      currency: z.enum(['EGP', 'USD']).nullish(),
      amount: z.int().min(1).max(1_000_000_000_000),
      promised_on: date,
      note: safeText(500, 1).nullish(),
    }),
    response: one,
    example: { invoice_id: 1, amount: 1000, promised_on: '2026-12-31', note: 'Called on the telephone' },
  }),
  withdraw: call('POST', '/promises/withdraw/{id}', {
    permission: 'note_promise',
    summary: ['Take a promise to pay back', 'سحب وعد بالسداد'],
    body: z.strictObject({ reason: safeText(500, 3), version: z.int().optional() }),
    response: one,
    example: { reason: 'Noted for another student' },
  }),
  export: call('POST', '/promises/export', {
    permission: 'export_reminder',
    summary: ['Export promises to pay as a spreadsheet', 'تصدير وعود السداد جدولًا'],
    body: exportQuery,
    file: { name: 'Promises.xlsx', type: 'xlsx', fixed: true },
    reads: true,
  }),
}
