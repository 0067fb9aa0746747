import { z } from 'zod'
import { call, date, id, idParam, paperLanguage, ref } from '#kit/contract/index.ts'
import { CURRENCY_CHOICES } from '#areas/money/fees/words.contract.ts'
import { AGES } from '../finance/dashboard.rules.ts'
import { addressAsked } from '../figures/figures.contract.ts'
import { REPORT_RIGHTS } from '../figures/rights.contract.ts'
import { SYSTEM_LINKS } from '../figures/reports.contract.ts'
import { FIGURES, type FinancialFigures } from './financial.rules.ts'

export const reportCurrency = z.enum(CURRENCY_CHOICES.map((choice) => choice.value))
/** An amount in minor units, a number of people or rows. */
const whole = z.int()
export const reportLevel = z.int().min(0).max(12)

/** What invoices a report is about; nothing said: all within reach. Program and level are those at which they were issued. */
const asked = {
  year_id: id.nullish(),
  term_id: id.nullish(),
  faculty_id: id.nullish(),
  program_id: id.nullish(),
  level: reportLevel.nullish(),
  /** As the ledger stood at the end of a day. */
  as_of: date.nullish(),
}
export const financialAsked = z.strictObject(asked)
export type FinancialAsked = z.output<typeof financialAsked>

const figures = z.object(
  Object.fromEntries(FIGURES.map((name) => [name, whole])) as Record<keyof FinancialFigures, z.ZodInt>,
)
const programRow = figures.extend({ program: ref.nullable(), faculty: ref.nullable() })
const levelRow = figures.extend({ level: z.int().nullable() })
const reportOf = <Row extends z.ZodType>(row: Row) =>
  z.object({
    data: z.object({
      /** Until which day; null: as it stands now. */
      as_of: z.string().nullable(),
      rows: z.array(row),
      /** Of all rows; a student who stands in several is counted once. */
      total: figures,
    }),
  })
export type ProgramRow = z.output<typeof programRow>
export type LevelSumRow = z.output<typeof levelRow>
export type FigureRow = FinancialFigures

const permission = 'access_report_financial'
const TYPES = ['pdf', 'xlsx'] as const
const paper = z.object({ lang: paperLanguage, type: z.enum(TYPES) })
const file = { name: 'Financial report.pdf', type: 'pdf' } as const

// --- Payments -------------------------------------------------------------------------------------------------------

/** By what money that came is told apart. */
export const PAYMENT_GROUPS = [
  { value: 'way', label: ['Way of payment', 'طريقة الدفع'] },
  { value: 'day', label: ['Day', 'اليوم'] },
  { value: 'cashier', label: ['Cashier’s drawer', 'وردية الخزينة'] },
  { value: 'provider', label: ['Payment provider', 'مزود الدفع'] },
  { value: 'bank', label: ['Bank', 'البنك'] },
  { value: 'faculty', label: ['Faculty', 'الكلية'] },
] as const
export const paymentsAsked = z.strictObject({
  by: z.enum(PAYMENT_GROUPS.map((group) => group.value)).default('way'),
  from: date.nullish(),
  to: date.nullish(),
  faculty_id: id.nullish(),
})
export type PaymentsAsked = z.output<typeof paymentsAsked>
const paymentRow = z.object({
  /** A way, a day, a number of a drawer, a provider; null: none. */
  key: z.string().nullable(),
  /** Bank, faculty, or whose drawer it is. */
  of: ref.nullable(),
  currency: reportCurrency,
  received: whole,
  received_count: whole,
  paid_back: whole,
  paid_back_count: whole,
  net: whole,
})
export type PaymentRow = z.output<typeof paymentRow>
const payments = z.object({
  data: z.object({
    from: z.string(),
    to: z.string(),
    rows: z.array(paymentRow),
    totals: z.array(paymentRow.omit({ key: true, of: true })),
  }),
})

const invoiceRow = z.object({
  faculty: ref.nullable(),
  type: z.string(),
  currency: reportCurrency,
  invoices: whole,
  charged: whole,
  settled: whole,
  open: whole,
})
export type InvoicesRow = z.output<typeof invoiceRow>
export const invoicesAsked = z.strictObject({
  year_id: asked.year_id,
  term_id: asked.term_id,
  faculty_id: asked.faculty_id,
})
const invoices = z.object({
  data: z.object({ rows: z.array(invoiceRow), totals: z.array(invoiceRow.omit({ faculty: true, type: true })) }),
})

// --- Ages of what is open ---------------------------------------------------------------------------------------------

/** By what debts are told apart: where their invoices were issued. */
export const AGING_GROUPS = [
  { value: 'faculty', label: ['Faculty', 'الكلية'] },
  { value: 'program', label: ['Program', 'البرنامج'] },
  { value: 'level', label: ['Level', 'المستوى'] },
] as const
export const agingAsked = z.strictObject({
  by: z.enum(AGING_GROUPS.map((group) => group.value)).default('faculty'),
  year_id: asked.year_id,
  term_id: asked.term_id,
  faculty_id: asked.faculty_id,
  program_id: asked.program_id,
  level: asked.level,
})
export type AgingAsked = z.output<typeof agingAsked>
const age = z.object({ age: z.enum(AGES.map((one) => one.age)), amount: whole, invoices: whole })
const agingRow = z.object({
  /** Faculty or program; null: none, or levels are told apart. */
  of: ref.nullable(),
  level: z.int().nullable(),
  currency: reportCurrency,
  /** What is open by how late the oldest part of its invoice is. */
  ages: z.array(age),
  open: whole,
  overdue: whole,
  students: whole,
})
export type AgingRow = z.output<typeof agingRow>
const aging = z.object({
  data: z.object({
    /** Days by which what has an age was due. */
    days: z.array(z.object({ age: age.shape.age, from: z.string().nullable(), to: z.string().nullable() })),
    rows: z.array(agingRow),
    /** Of all rows; a student who owes in several is counted once. */
    totals: z.array(agingRow.omit({ of: true, level: true })),
  }),
})
export type AgingReport = z.output<typeof aging>['data']

// --- Fee settings ---------------------------------------------------------------------------------------------------

export const feesAsked = z.strictObject({
  /** The current one unless another is asked for. */
  year_id: id.nullish(),
  /** Compared with; the one before unless another is asked for. */
  other_year_id: id.nullish(),
  faculty_id: id.nullish(),
  program_id: id.nullish(),
  level: reportLevel.nullish(),
})
export type FeesAsked = z.output<typeof feesAsked>
const price = z.object({ amount: whole, per: z.string() })
const feeRow = z.object({
  faculty: ref,
  program: ref,
  /** Levels that are charged alike. */
  from_level: z.int(),
  to_level: z.int(),
  group: ref,
  item: ref,
  currency: reportCurrency,
  price: price.nullable(),
  other: price.nullable(),
  /** What it is more than in the other year; null where they cannot be compared. */
  change: whole.nullable(),
})
export type FeeReportRow = z.output<typeof feeRow>
const yearOf = z.object({ id, code: z.string(), name: z.string(), name_local: z.string(), version: z.int().nullable() })
const fees = z.object({
  data: z.object({ year: yearOf.nullable(), other: yearOf.nullable(), rows: z.array(feeRow) }),
})

// --- Calls ----------------------------------------------------------------------------------------------------------

export const financialCalls = {
  programs: call('POST', '/reports/financial', {
    heavy: true,
    permission,
    summary: ['Financial report by program', 'التقرير المالي حسب البرنامج'],
    body: financialAsked,
    response: reportOf(programRow),
    reads: true,
    example: {},
  }),
  levels: call('POST', '/reports/levels-financial', {
    heavy: true,
    permission,
    summary: ['Financial report by level', 'التقرير المالي حسب المستوى'],
    body: financialAsked,
    response: reportOf(levelRow),
    reads: true,
    example: {},
  }),
  graduates: call('POST', '/reports/graduates-financial', {
    heavy: true,
    permission,
    summary: ['Financial report of graduates by program', 'التقرير المالي للخريجين حسب البرنامج'],
    body: financialAsked,
    response: reportOf(programRow),
    reads: true,
    example: {},
  }),
  programsFile: call('POST', '/reports/financial/download/{lang}/{type}', {
    permission,
    summary: ['Financial report by program, PDF or XLSX', 'التقرير المالي حسب البرنامج، PDF أو XLSX'],
    params: paper,
    body: financialAsked,
    file,
    reads: true,
    example: {},
  }),
  levelsFile: call('POST', '/reports/financial-levels/download/{lang}/{type}', {
    permission,
    summary: ['Financial report by level, PDF or XLSX', 'التقرير المالي حسب المستوى، PDF أو XLSX'],
    params: paper,
    body: financialAsked,
    file,
    reads: true,
    example: {},
  }),
  graduatesFile: call('POST', '/reports/graduates-financial/download/{lang}/{type}', {
    permission,
    summary: ['Financial report of graduates, PDF or XLSX', 'التقرير المالي للخريجين، PDF أو XLSX'],
    params: paper,
    body: financialAsked,
    file,
    reads: true,
    example: {},
  }),
  payments: call('POST', '/reports/payments', {
    heavy: true,
    permission,
    summary: [
      'What was received by way, day, drawer, provider or bank',
      'المقبوضات حسب الطريقة أو اليوم أو الوردية أو المزود أو البنك',
    ],
    body: paymentsAsked,
    response: payments,
    reads: true,
    example: { by: 'way' },
  }),
  paymentsFile: call('POST', '/reports/payments/download/{lang}/{type}', {
    permission,
    summary: ['What was received, PDF or XLSX', 'المقبوضات، PDF أو XLSX'],
    params: paper,
    body: paymentsAsked,
    file,
    reads: true,
    example: { by: 'way' },
  }),
  invoices: call('POST', '/reports/invoices', {
    heavy: true,
    permission,
    summary: ['Invoices by faculty and what they are for', 'الفواتير حسب الكلية والغرض'],
    body: invoicesAsked,
    response: invoices,
    reads: true,
    example: {},
  }),
  invoicesFile: call('POST', '/reports/invoices/download/{lang}/{type}', {
    permission,
    summary: ['Invoices by faculty, PDF or XLSX', 'الفواتير حسب الكلية، PDF أو XLSX'],
    params: paper,
    body: invoicesAsked,
    file,
    reads: true,
    example: {},
  }),
  aging: call('POST', '/reports/aging', {
    heavy: true,
    permission,
    summary: ['What is owed by how late it is', 'المستحقات حسب مدة التأخر'],
    body: agingAsked,
    response: aging,
    reads: true,
    example: { by: 'faculty' },
  }),
  agingFile: call('POST', '/reports/aging/download/{lang}/{type}', {
    permission,
    summary: ['What is owed by how late it is, PDF or XLSX', 'المستحقات حسب مدة التأخر، PDF أو XLSX'],
    params: paper,
    body: agingAsked,
    file,
    reads: true,
    example: { by: 'faculty' },
  }),
  fees: call('POST', '/reports/fee-settings', {
    heavy: true,
    permission: 'access_payment_setting',
    summary: ['What a year charges, beside another year', 'ما يُحصّل في عام دراسي مقارنةً بعام آخر'],
    body: feesAsked,
    response: fees,
    reads: true,
    example: {},
  }),
  feesFile: call('POST', '/reports/fee-settings/download/{lang}/{type}', {
    permission: 'access_payment_setting',
    summary: ['What a year charges, PDF or XLSX', 'ما يُحصّل في عام دراسي، PDF أو XLSX'],
    params: paper,
    body: feesAsked,
    file,
    reads: true,
    example: {},
  }),
  byLink: call('GET', '/reports/{link}', {
    permission: [permission, 'access_payment_setting', ...REPORT_RIGHTS],
    summary: ['A report by its link', 'تقرير باسم رابطه'],
    params: z.object({
      link: z.enum([
        'financial',
        'levels-financial',
        'graduates-financial',
        'payments',
        'invoices',
        'aging',
        'fee-settings',
        ...SYSTEM_LINKS,
      ]),
    }),
    query: z.strictObject({
      ...addressAsked.shape,
      year_id: idParam.optional(),
      other_year_id: idParam.optional(),
      term_id: idParam.optional(),
      faculty_id: idParam.optional(),
      program_id: idParam.optional(),
      as_of: date.optional(),
      by: z.enum([...PAYMENT_GROUPS, ...AGING_GROUPS].map((group) => group.value)).optional(),
      from: date.optional(),
      to: date.optional(),
    }),
    response: z.object({ data: z.record(z.string(), z.unknown()) }),
  }),
}
