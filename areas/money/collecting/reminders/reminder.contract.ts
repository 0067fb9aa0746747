import { z } from 'zod'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { call, exportQuery, f, id, listOf, listQuery, ref } from '#kit/contract/index.ts'
import { MOMENTS } from '../steps/step.contract.ts'

const money = z.int()
/** What became of a part since its student was reminded. */
export const SINCE = [
  { value: 'open', label: ['Still unpaid', 'لم يُسدد بعد'], tone: 'waiting' },
  { value: 'paid', label: ['Paid since', 'سُدد بعده'], tone: 'done' },
  { value: 'gone', label: ['No longer asked for', 'لم يعد مطلوبًا'], tone: 'frozen' },
] as const
/** How it went by mail. */
export const BY_MAIL = [
  { value: 'now', label: ['By e-mail', 'بالبريد الإلكتروني'] },
  { value: 'digest', label: ['In the daily summary', 'في الملخص اليومي'] },
  { value: 'none', label: ['Not by mail', 'بدون بريد'] },
] as const

/** Fields by which reminders are filtered and ordered. */
export const reminderFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  invoice_id: f.lookup(['Invoice', 'فاتورة'], 'invoice'),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  step_id: f.lookup(['Step', 'المرحلة'], 'reminderStep'),
  moment: f.choice(['When', 'الموعد'], MOMENTS),
  level: f.integer(['Which reminder', 'رقم التذكير']),
  due_date: f.date(['Due', 'تاريخ الاستحقاق']),
  amount: f.money(['Open then', 'المتبقي حينها']),
  currency: f.choice(['Currency', 'العملة'], CURRENCY_CHOICES),
  in_app: f.flag(['In the application', 'داخل النظام']),
  by_mail: f.choice(['Mail', 'البريد'], BY_MAIL),
  since: f.choice(['What became of it', 'ما آل إليه'], SINCE),
  sent_on: f.date(['Sent on', 'أُرسل في']),
}

const row = z.object({
  id,
  student: ref,
  invoice: z.object({ id, number: z.string() }),
  faculty: ref.nullable(),
  step: ref,
  moment: z.enum(MOMENTS.map((one) => one.value)),
  days: z.int(),
  level: z.int().nullable(),
  due_date: z.string(),
  amount: money,
  currency: z.string(),
  in_app: z.boolean(),
  by_mail: z.enum(BY_MAIL.map((one) => one.value)),
  holds: z.boolean(),
  /** What it cost: its invoice, or why it could not be charged. */
  fee: z.object({ invoice_id: id, number: z.string(), taken_back: z.boolean() }).nullable(),
  fee_problem: z.string().nullable(),
  since: z.enum(SINCE.map((one) => one.value)),
  sent_on: z.string(),
})
export type ReminderRow = z.output<typeof row>

const previewed = z.object({
  step: ref,
  faculty: ref.nullable(),
  moment: z.enum(MOMENTS.map((one) => one.value)),
  days: z.int(),
  level: z.int().nullable(),
  parts: z.int(),
  people: z.int(),
  amounts: z.array(z.object({ currency: z.string(), amount: money })),
  /** Whether it costs something, and whether it holds. */
  costs: ref.nullable(),
  holds: z.boolean(),
})
export type PreviewedStep = z.output<typeof previewed>
const preview = z.object({
  day: z.string(),
  /** Whom it reaches who has no account, and so is told by nobody. */
  unreached: z.int(),
  people: z.int(),
  parts: z.int(),
  steps: z.array(previewed),
  /** What is reached and left alone, and why. */
  kept: z.array(z.object({ why: z.enum(['slip', 'payment', 'promise', 'plan']), parts: z.int() })),
  /** Whether any step is set. */
  set: z.boolean(),
  abilities: z.array(z.enum(['send'])),
})
export type ReminderPreview = z.output<typeof preview>

export const reminderCalls = {
  list: call('POST', '/reminders', {
    permission: 'access_reminder',
    summary: ['List reminders that were sent', 'عرض التذكيرات المرسلة'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  export: call('POST', '/reminders/export', {
    permission: 'export_reminder',
    summary: ['Export reminders as a spreadsheet', 'تصدير التذكيرات جدولًا'],
    body: exportQuery,
    file: { name: 'Reminders.xlsx', type: 'xlsx', fixed: true },
    reads: true,
  }),
  preview: call('POST', '/reminders/preview', {
    permission: 'access_reminder',
    summary: ['Who would be reminded today', 'من يُرسل إليهم تذكير اليوم'],
    body: z.strictObject({}),
    response: z.object({ data: preview }),
    example: {},
    reads: true,
  }),
  send: call('POST', '/reminders/send', {
    permission: 'send_reminder',
    summary: ['Send now what is due today, for the whole university', 'إرسال تذكيرات اليوم الآن للجامعة كلها'],
    body: z.strictObject({}),
    response: z.object({ job_id: z.string() }),
    example: {},
  }),
  steps: call('GET', '/reminders/steps/{id}', {
    permission: 'access_reminder',
    summary: ['By which steps a student is reminded', 'مراحل تذكير طالب'],
    response: z.object({
      data: z.array(
        z.object({
          moment: z.enum(MOMENTS.map((one) => one.value)),
          days: z.int(),
          level: z.int().nullable(),
          costs: ref.nullable(),
          holds: z.boolean(),
        }),
      ),
    }),
  }),
}
