import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { call, date, f, id, resource, safeText } from '#kit/contract/index.ts'
import { TYPE_CHOICES } from '#areas/money/fees/words.contract.ts'

export const SPONSORSHIP_STATES = [
  { value: 'offered', label: ['Offered', 'معروضة'], tone: 'waiting' },
  { value: 'active', label: ['In force', 'سارٍ'], tone: 'done' },
  { value: 'withdrawn', label: ['Taken back', 'سُحب'], tone: 'frozen' },
  { value: 'ended', label: ['Ended', 'منتهٍ'], tone: 'frozen' },
] as const

/** What a sponsor pays for a student: of which terms, how much, and of which items. One that runs keeps its terms. */
export const sponsorship = resource({
  name: 'sponsorship',
  path: '/sponsorships',
  table: 'sponsorships',
  one: ['Sponsorship', 'رعاية'],
  many: ['Sponsorships', 'رعاية الطلاب'],
  adding: ['Add sponsorship', 'إضافة رعاية'],
  editing: ['Edit sponsorship', 'تعديل رعاية'],
  permissions: crud('sponsorship'),
  scope: ['faculty', 'department', 'bylaw', 'program'],
  fields: {
    sponsor_id: f.lookup(['Sponsor', 'الجهة الراعية'], 'sponsor', { required: true, createOnly: true }),
    student_id: f.lookup(['Student', 'الطالب'], 'student', { required: true, createOnly: true }),
    from_term_id: f.lookup(['From term', 'من فصل'], 'term', { required: true }),
    until_term_id: f.lookup(['Until term', 'حتى فصل'], 'term', {
      help: ['The last term that is paid for. Empty: until it is withdrawn.', 'آخر فصل تُتحمل رسومه. فارغ: حتى تُسحب.'],
    }),
    percent: f.decimal(['Percent', 'النسبة %'], { places: 2, min: 0.01, max: 100 }),
    amount: f.money(['Amount of each invoice', 'مبلغ من كل فاتورة'], {
      help: ['Instead of a percentage.', 'بدلًا من النسبة.'],
    }),
    types: f.choices(['Pays for', 'تتحمل'], TYPE_CHOICES, {
      help: ['Nothing chosen: for all items.', 'دون اختيار: جميع البنود.'],
    }),
    items: f.lookups(['And for these items', 'وهذه البنود'], 'feeItem', {
      through: { table: 'sponsorship_items', from: 'sponsorship_id', to: 'fee_item_id' },
      detailOnly: true,
    }),
    invoice_cap: f.money(['At most of an invoice', 'الحد الأقصى للفاتورة'], { detailOnly: true }),
    year_cap: f.money(['At most in a year', 'الحد الأقصى للعام'], { detailOnly: true }),
    reference: f.text(['Number of the letter', 'رقم الخطاب'], { max: 100 }),
    proof_id: f.file(['Letter', 'الخطاب'], { detailOnly: true, noExport: true }),
    status: f.choice(['State', 'الحالة'], SPONSORSHIP_STATES, { readOnly: true }),
    withdrawn_on: f.date(['Withdrawn from', 'مسحوبة اعتبارًا من'], { readOnly: true, detailOnly: true }),
    withdrawn_reason: f.text(['Why it was withdrawn', 'سبب السحب'], { readOnly: true, detailOnly: true }),
  },
  list: {
    columns: ['student_id', 'sponsor_id', 'from_term_id', 'until_term_id', 'percent', 'amount', 'reference', 'status'],
    search: [],
    sort: ['percent', 'amount', 'reference', 'status'],
    filters: ['sponsor_id', 'student_id', 'from_term_id', 'until_term_id', 'status'],
    order: ['status', 'asc'],
  },
  exportName: 'Sponsorships',
  softDelete: true,
  screens: {
    list: '/sponsorships',
    show: '/sponsorships/:id',
    add: '/sponsorships/add',
    edit: '/sponsorships/edit/:id',
  },
  // Beside those of the demo university: none is of one of its sponsored students.
  examples: [1, 2, 3, 4].map((n) => ({ sponsor_id: 1, student_id: 200 + n, from_term_id: 1, percent: '25' })),
  parent: '/sponsors',
  plain: false,
})

const money = z.int().min(1).max(1_000_000_000_000)
const many = z.strictObject({
  sponsor_id: id,
  /** Students by their ids, or by the codes that the sponsor's letter lists. */
  student_ids: z.array(id).max(1000).optional(),
  codes: z.array(safeText(40, 1)).max(1000).optional(),
  from_term_id: id,
  until_term_id: id.nullish(),
  percent: z
    .string()
    .regex(/^\d{1,3}(\.\d{1,2})?$/)
    .nullish(),
  amount: money.nullish(),
  types: z.array(z.enum(TYPE_CHOICES.map(({ value }) => value))).optional(),
  items: z.array(id).max(100).optional(),
  invoice_cap: money.nullish(),
  year_cap: money.nullish(),
  reference: safeText(100).nullish(),
  proof_id: id.nullish(),
  /** Begins at once, for whoever may. */
  begin: z.boolean().default(false),
})
const withdrawal = z.object({
  sponsorships: z.int(),
  students: z.int(),
  invoices: z.int(),
  back: z.int(),
  kept: z.int(),
  owed: z.int(),
  currency: z.string(),
})
export type WithdrawalShown = z.output<typeof withdrawal>

export const sponsorshipCalls = {
  addMany: call('POST', '/sponsorships/add-many', {
    permission: 'add_sponsorship',
    summary: ['Add the sponsorships of many students', 'إضافة رعاية عدة طلاب'],
    body: many,
    response: z.object({ data: z.object({ added: z.int(), begun: z.boolean() }) }),
    example: { sponsor_id: 1, student_ids: [210], from_term_id: 1, percent: '50' },
  }),
  begin: call('POST', '/sponsorships/begin', {
    permission: 'begin_sponsorship',
    summary: [
      'Begin sponsorships that are offered: invoices that are issued follow at once',
      'بدء رعاية معروضة، وتتبعها الفواتير الصادرة فورًا',
    ],
    body: z.strictObject({ ids: z.array(id).min(1).max(1000) }),
    response: z.object({ data: z.object({ begun: z.int() }) }),
    example: { ids: [1] },
  }),
  withdraw: call('POST', '/sponsors/{id}/withdraw', {
    permission: 'withdraw_sponsor',
    summary: [
      'A sponsor withdraws from a day on: what it has not paid goes back to the students',
      'انسحاب جهة راعية اعتبارًا من يوم، ويعود ما لم تسدده إلى الطلاب',
    ],
    body: z.strictObject({
      /** From this day on; terms that are over by then stay the sponsor's. */
      day: date,
      /** By when students pay what goes back to them. */
      due_on: date,
      /** Of these sponsorships only. */
      ids: z.array(id).min(1).max(1000).optional(),
      reason: safeText(500, 3),
      /** Nothing is written: what would happen, and to how many. */
      preview: z.boolean().default(false),
    }),
    response: z.object({ data: withdrawal }),
    example: { day: '2026-11-01', due_on: '2030-12-31', reason: 'Its letter of November', preview: true },
  }),
  ofStudent: call('GET', '/students/{id}/sponsorships', {
    permission: 'access_sponsorship',
    summary: ['Sponsorships of a student', 'الجهات الراعية لطالب'],
    response: z.object({
      data: z.array(
        z.object({
          id,
          sponsor: z.object({ id, code: z.string(), name: z.string(), name_local: z.string() }),
          from_term: z.object({ id, name: z.string(), name_local: z.string() }),
          until_term: z.object({ id, name: z.string(), name_local: z.string() }).nullable(),
          percent: z.string().nullable(),
          amount: z.int().nullable(),
          currency: z.string(),
          reference: z.string().nullable(),
          status: z.enum(SPONSORSHIP_STATES.map(({ value }) => value)),
          /** What it takes over of invoices that stand. */
          taken: z.int(),
        }),
      ),
    }),
  }),
}
