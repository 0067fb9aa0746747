import { z } from 'zod'
import { call, date, f, id, idParam, listOf, listQuery, problem, ref, safeText, series } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { COLUMN_ROLES } from '../files/columns.rules.ts'
import { LEARNED_BY } from './learn.rules.ts'
import { saveProblems } from './match.rules.ts'
import type { SaveFacts } from './match.rules.ts'

/** Numbers of imported files. */
export const batchNumbers = series('batches', { per: 'year', format: 'B-{period}-{n}', width: 4 })

/** A file of a bank on its way: read, looked at, saved, and taken back by deleting it. */
export const batch = workflow<SaveFacts>()({
  name: 'batch',
  one: ['Batch', 'ملف بنكي'],
  field: 'status',
  states: [
    { value: 'reading', label: ['Being read', 'قيد القراءة'], tone: 'active' },
    { value: 'columns', label: ['Columns to be named', 'بانتظار تحديد الأعمدة'], tone: 'waiting', sometimes: true },
    { value: 'failed', label: ['Not readable', 'تعذرت قراءته'], tone: 'refused', sometimes: true },
    { value: 'previewed', label: ['Not saved', 'غير محفوظ'], tone: 'waiting' },
    { value: 'saved', label: ['Saved', 'محفوظ'], tone: 'done' },
    { value: 'deleted', label: ['Deleted', 'محذوف'], tone: 'refused', sometimes: true },
  ],
  actions: {
    save: {
      label: ['Save', 'حفظ'],
      summary: ['Book the lines of a file', 'قيد بنود ملف بنكي'],
      call: ['POST', '/payments/batches/import_save/{id}'],
      permission: 'save_batch',
      from: { previewed: 'saved' },
      needs: saveProblems,
      long: true,
      single: true,
      consequence: [
        'Payments of known payers are booked to them; other money that came in is booked as unexplained until somebody says whose it is.',
        'تُقيّد مدفوعات الدافعين المعروفين لحساباتهم، ويُقيّد ما عداها مما ورد كمقبوضات غير مفسرة إلى أن يُحدد صاحبها.',
      ],
    },
    delete: {
      label: ['Delete', 'حذف'],
      summary: ['Delete a file, and reverse what was booked of it', 'حذف ملف بنكي وعكس ما قُيّد منه'],
      call: ['POST', '/payments/batches/delete/{id}'],
      permission: 'delete_batch',
      from: { reading: 'deleted', columns: 'deleted', failed: 'deleted', previewed: 'deleted', saved: 'deleted' },
      reason: 'required',
      tone: 'refused',
      long: true,
      single: true,
      consequence: [
        'If the file was saved, what was booked of it is reversed: invoices are open again, holds come back.',
        'إن كان الملف محفوظًا يُعكس ما قُيّد منه: تعود الفواتير مستحقة وتعود الإيقافات.',
      ],
    },
  },
  history: { path: '/payments/batches/steps/{id}', permission: 'access_batch' },
})
export const batchSteps = workflowCalls(batch)

/** What a line is, and means: its badge. */
export const LINE_STATES = [
  { value: 'matched', label: ['Known', 'معروف'], tone: 'done' },
  { value: 'proposed', label: ['Proposed', 'مقترحة'], tone: 'waiting' },
  { value: 'unmatched', label: ['Unknown', 'غير معروف'], tone: 'waiting' },
  { value: 'duplicate', label: ['Duplicate', 'مكرر'], tone: 'frozen' },
  { value: 'not_booked', label: ['Not booked', 'لا يُقيّد'], tone: 'frozen' },
  { value: 'wrong', label: ['Not readable', 'غير مقروء'], tone: 'refused' },
] as const
export type LineState = (typeof LINE_STATES)[number]['value']
const lineState = z.enum(LINE_STATES.map((one) => one.value) as [LineState, ...LineState[]])

export const MATCH_WAYS = [
  { value: 'invoice', label: ['By the invoice', 'برقم الفاتورة'] },
  { value: 'student', label: ['By the student code', 'بكود الطالب'] },
  { value: 'slip', label: ['By the transaction', 'برقم المعاملة'] },
  { value: 'person', label: ['By hand', 'يدويًا'] },
  { value: 'learned', label: ['As people said before', 'كما حُدد من قبل'] },
] as const

export const FORMATS = [
  { value: 'csv', label: ['CSV', 'CSV'] },
  { value: 'xlsx', label: ['Excel', 'Excel'] },
  { value: 'camt', label: ['camt', 'camt'] },
  { value: 'mt940', label: ['MT940', 'MT940'] },
  { value: 'ofx', label: ['OFX', 'OFX'] },
  { value: 'qif', label: ['QIF', 'QIF'] },
] as const

/** Fields by which batches and their lines are filtered and ordered. */
export const batchFields = {
  bank_id: f.lookup(['Bank', 'البنك'], 'bank'),
  status: f.choice(['State', 'الحالة'], batch.states),
}
export const lineFields = {
  bank_id: f.lookup(['Bank', 'البنك'], 'bank'),
  state: f.choice(['State', 'الحالة'], LINE_STATES),
  booked_on: f.date(['Day', 'اليوم']),
}

/** What is made of what people said. */
export const LEARNED_EFFECTS = [
  { value: 'decides', label: ['Decides', 'يحسم'], tone: 'done' },
  { value: 'proposes', label: ['Proposes', 'يقترح'], tone: 'waiting' },
] as const

const amount = z.int()
const sum = z.object({ lines: z.int(), amount })
const note = z.object({ line: z.int().nullable() }).extend(problem.shape)
const facts = {
  id,
  version: z.int(),
  number: z.string(),
  file_name: z.string(),
  format: z.enum(FORMATS.map((one) => one.value) as ['csv', 'xlsx', 'camt', 'mt940', 'ofx', 'qif']).nullable(),
  status: z.string(),
  bank: ref,
  currency: z.string(),
  /** First and last day of its lines. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  created_at: z.string(),
  /** Money that came in, and how many lines, by state. */
  sums: z.record(lineState, sum),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
}
export const batchRow = z.object(facts)
export type BatchRow = z.output<typeof batchRow>

const named = z.object(
  Object.fromEntries(COLUMN_ROLES.map((role) => [role, z.string().optional()])) as Record<
    (typeof COLUMN_ROLES)[number],
    z.ZodOptional<z.ZodString>
  >,
)
const batchDetail = z.object({
  ...facts,
  /** The file as it was sent. */
  file: z.object({ id, name: z.string(), size: z.int(), url: z.string() }),
  notes: z.array(note),
  /** Why it could not be read. */
  problem: problem.nullable(),
  /** Which columns have to be named (`lacking`), or were read as what, with what the file shows; null: no table. */
  asks: z
    .object({
      lacking: z.array(z.enum(COLUMN_ROLES)),
      headings: z.array(z.string()),
      proposed: named,
      first: z.array(z.array(z.string())),
    })
    .nullable(),
  /** How its table was read. */
  table: z.object({ columns: named, decimal: z.enum(['.', ',']), dates: z.enum(['dmy', 'mdy', 'ymd']) }).nullable(),
  statements: z.array(
    z.object({
      account: z.string().nullable(),
      number: z.string().nullable(),
      currency: z.string().nullable(),
      opening: amount.nullable(),
      closing: amount.nullable(),
    }),
  ),
  /** Of what is booked: to payers, unexplained. */
  booked: z.object({ payments: sum, unexplained: sum }),
})
export type BatchDetail = z.output<typeof batchDetail>

const payer = z.object({ id, name: z.string(), name_local: z.string(), code: z.string() })
const invoice = z.object({ id, number: z.string(), open: amount })
const candidate = z.object({
  payer,
  invoice: invoice.nullable(),
  why: z.enum(['name', 'iban', 'invoice', 'student', 'slip', 'learned', 'search']),
  /** Of what was learned: by what the payer is known again, how often people said so, and of which day the last line was. */
  by: z.enum(LEARNED_BY).optional(),
  times: z.int().optional(),
  last_on: z.string().optional(),
})
export type MatchCandidate = z.output<typeof candidate>
export const lineRow = z.object({
  id,
  version: z.int(),
  batch: z.object({ id, number: z.string() }),
  bank: ref,
  line: z.int(),
  part: z.int(),
  booked_on: z.string().nullable(),
  value_on: z.string().nullable(),
  amount,
  currency: z.string().nullable(),
  direction: z.enum(['in', 'out']),
  reference: z.string().nullable(),
  counterparty: z.string().nullable(),
  iban: z.string().nullable(),
  description: z.string().nullable(),
  state: lineState,
  why: problem.nullable(),
  match_by: z
    .enum(MATCH_WAYS.map((way) => way.value) as ['invoice', 'student', 'slip', 'person', 'learned'])
    .nullable(),
  payer: payer.nullable(),
  invoice: invoice.nullable(),
  proposals: z.array(candidate),
  duplicate_of: z.object({ batch_id: id, number: z.string(), line: z.int() }).nullable(),
  transaction: z.object({ id, number: z.string() }).nullable(),
  /** In the ledger without a payer. */
  unexplained: z.boolean(),
  abilities: z.array(z.enum(['match', 'leave', 'again'])),
})
export type LineRow = z.output<typeof lineRow>

/** What people said of lines that come from one account, or name one person. */
export const learnedRow = z.object({
  /** Its key: how it is known again, and what it is. */
  id: z.string(),
  by: z.enum(LEARNED_BY),
  what: z.string(),
  times: z.int(),
  last_on: z.string(),
  /** Who it was, most often first: three at most. */
  payers: z.array(payer),
  payers_count: z.int(),
  /** `decides`: the next line is matched by it. */
  effect: z.enum(LEARNED_EFFECTS.map((one) => one.value) as ['decides', 'proposes']),
  abilities: z.array(z.enum(['forget'])),
})
export type LearnedRow = z.output<typeof learnedRow>

const preview = z.object({
  success: z.boolean(),
  /** The file as it was sent. */
  archive_id: id,
  paymentsData: z.object({
    batch: batchDetail,
    /** The first of its lines; a large file is read by a job, which tells how far it is. */
    lines: z.array(lineRow),
    job_id: z.string().nullable(),
  }),
})

export const batchCalls = {
  list: call('POST', '/payments/batches', {
    permission: 'access_batch',
    summary: ['List imported bank files', 'عرض الملفات البنكية المستوردة'],
    body: listQuery,
    response: listOf(batchRow),
    reads: true,
  }),
  show: call('POST', '/payments/batches/{id}', {
    permission: 'access_batch',
    summary: ['Show a bank file with its lines', 'عرض ملف بنكي ببنوده'],
    body: listQuery,
    response: z.object({
      data: batchDetail,
      lines: z.array(lineRow),
      meta: z.object({ count: z.int(), lookup: z.record(z.string(), z.array(z.string())) }),
    }),
    reads: true,
  }),
  preview: call('POST', '/payments/batches/import_preview', {
    permission: 'import_batch',
    summary: ['Read a bank file and say what saving it would book', 'قراءة ملف بنكي وعرض ما سيُقيّد منه'],
    upload: {
      field: 'file',
      accept: ['xlsx', 'csv', 'txt', 'zip'],
      called: 'CSV, XLSX, camt.052, camt.053, camt.054, ZIP, MT940, OFX, QIF',
      maxMB: 60,
    },
    body: z.strictObject({ bank_id: idParam }),
    response: preview,
  }),
  columns: call('POST', '/payments/batches/columns/{id}', {
    permission: 'import_batch',
    summary: ['Say what the columns of a bank file are, and read it again', 'تحديد أعمدة ملف بنكي وقراءته من جديد'],
    body: z.strictObject({
      columns: named,
      decimal: z.enum(['.', ',']).optional(),
      dates: z.enum(['dmy', 'mdy', 'ymd']).optional(),
    }),
    response: preview,
  }),
  line: call('PUT', '/payments/batches/lines/{id}', {
    permission: 'import_batch',
    summary: ['Say whose a line of a bank file is, or that it is not booked', 'تحديد صاحب بند من ملف بنكي أو استبعاده'],
    body: z.discriminatedUnion('do', [
      z.strictObject({ do: z.literal('match'), payer_id: id, invoice_id: id.nullish(), version: z.int().optional() }),
      z.strictObject({ do: z.literal('leave'), reason: safeText(300, 1), version: z.int().optional() }),
      /** As the program saw it; a duplicate counts as a line of its own. */
      z.strictObject({ do: z.literal('again'), version: z.int().optional() }),
    ]),
    response: z.object({ data: lineRow }),
    example: { do: 'leave', reason: 'Fees of the bank, booked by hand.' },
  }),
  candidates: call('POST', '/payments/batches/candidates/{id}', {
    permission: 'import_batch',
    summary: ['Find payers for a line of a bank file', 'البحث عن دافع لبند من ملف بنكي'],
    body: z.strictObject({ search: z.string().trim().max(200).default('') }),
    response: z.object({ data: z.array(candidate) }),
    example: {},
    reads: true,
  }),
  learned: call('POST', '/payments/batches/learned', {
    permission: 'access_batch',
    summary: ['List what was learned of payers of bank files', 'عرض ما تعلّمه البرنامج عن دافعي الملفات البنكية'],
    body: listQuery,
    response: listOf(learnedRow),
    reads: true,
  }),
  forget: call('PUT', '/payments/batches/learned/forget', {
    permission: 'save_batch',
    summary: ['Forget what was learned of an account or a name', 'نسيان ما تعلّمه البرنامج عن حساب أو اسم'],
    body: z.strictObject({ key: safeText(210, 6), reason: safeText(500, 3) }),
    response: z.object({ data: z.object({ key: z.string() }) }),
  }),
  lines: call('POST', '/payments/imported_payments', {
    permission: 'access_batch',
    summary: ['List lines of saved bank files', 'عرض بنود الملفات البنكية المحفوظة'],
    body: listQuery,
    response: listOf(lineRow),
    reads: true,
  }),
}

/** Lines of a day that are told as not explained. */
export const MOST_UNEXPLAINED = 500

const side = z.object({ in: amount, out: amount })
const reconciled = z.object({
  /** One a day and account. */
  key: z.string(),
  day: z.string(),
  bank: ref,
  currency: z.string(),
  ledger: side,
  statement: side,
  /** What the statements have more than the ledger. */
  difference: amount,
  /** Money that came and that nobody has claimed. */
  unexplained: sum,
})
export type Reconciled = z.output<typeof reconciled>
/** What lies with providers: of a way and currency, in the days that are looked at, and in all until the last of them. */
const withProvider = z.object({
  way: z.enum(['card', 'mobile']),
  currency: z.string(),
  ledger: side,
  /** Fees that the provider told of the payments of these days: what payers bore on top, no deduction. */
  fees: amount,
  balance: amount,
})
const found = z.object({
  statement: z.array(lineRow),
  ledger: z.array(
    z.object({
      entry_id: z.int(),
      kind: z.string(),
      amount,
      reason: z.string().nullable(),
      payer: payer.nullable(),
      transaction: z.object({ id, number: z.string() }).nullable(),
    }),
  ),
})
/** What the ledger has of a day and no line of a bank explains. */
export type Unexplained = z.input<typeof found>['ledger'][number]
export const reconciliationCalls = {
  list: call('POST', '/payments/reconciliation', {
    permission: 'access_reconciliation',
    summary: ['Compare the ledger with what banks say, by day', 'مطابقة دفتر الأستاذ مع كشوف البنوك يوميًا'],
    body: z.strictObject({
      from: date.optional(),
      to: date.optional(),
      bank_id: id.nullish(),
      /** Only days on which something is not explained. */
      open: z.boolean().default(false),
    }),
    response: z.object({
      data: z.array(reconciled),
      from: z.string(),
      to: z.string(),
      /** Where no single bank is asked for. */
      providers: z.array(withProvider),
    }),
    example: {},
    reads: true,
  }),
  day: call('POST', '/payments/reconciliation/{id}', {
    permission: 'access_reconciliation',
    summary: ['What of a day and bank (id) is not explained', 'ما لم يُفسر من يوم وبنك'],
    body: z.strictObject({ day: date }),
    response: z.object({ data: found }),
    example: { day: '2026-04-05' },
    reads: true,
  }),
}
