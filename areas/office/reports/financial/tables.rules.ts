/** Reports as tables: columns and rows of each, the same on screen, on paper and in a sheet. */
import { inLanguage, type Label, type Language, type Ref } from '#kit/contract/index.ts'
import { INVOICE_TYPES } from '#areas/money/invoices/invoices/invoice.contract.ts'
import { PAYMENT_WAYS } from '#areas/money/transactions/moves/transaction.contract.ts'
import { PER_CHOICES } from '#areas/money/fees/words.contract.ts'
import { AGES, type Age } from '../finance/dashboard.rules.ts'
import { AGING_GROUPS, type AgingAsked, type AgingReport, type AgingRow } from './financial.contract.ts'
import type {
  FeeReportRow,
  InvoicesRow,
  LevelSumRow,
  PaymentRow,
  PaymentsAsked,
  ProgramRow,
} from './financial.contract.ts'
import {
  REPORT_CURRENCIES,
  figureColumns,
  standingsIn,
  usesCurrency,
  type Cell,
  type FinancialFigures,
  type ReportColumn,
  type ReportCurrency,
  type PayerStanding,
} from './financial.rules.ts'

/** A table of one currency: its rows, and the sum of all. */
export interface ReportTable<Row = unknown> {
  readonly currency: ReportCurrency | null
  readonly columns: readonly ReportColumn<Row>[]
  readonly rows: readonly Row[]
  /** What stands below each column; nothing below texts. */
  readonly total: readonly Cell[] | null
  /** What it is called where a report has several. */
  readonly name?: Label
}
type Say = (label: Label) => string
export const sayIn =
  (lang: Language): Say =>
  (label) =>
    inLanguage(label, lang === 'ar' ? 'ar' : 'en')
const named =
  (lang: Language) =>
  (of: Ref | null): string | null =>
    of && (lang === 'ar' ? (of.name_local ?? of.name) : of.name)

const TOTAL: Label = ['Sum', 'المجموع']
const NONE: Label = ['Without', 'بدون']

/** Columns of figures after those that say whose they are. */
function figuresTable<Row extends FinancialFigures>(
  report: { readonly rows: readonly Row[]; readonly total: FinancialFigures },
  whose: readonly ReportColumn<Row>[],
  say: Say,
  only?: readonly PayerStanding[],
): ReportTable<Row>[] {
  return REPORT_CURRENCIES.filter((currency) => usesCurrency(report.total, currency)).map((currency) => {
    const columns = figureColumns(currency, only ?? standingsIn(report.total, currency))
    return {
      currency,
      columns: [...whose, ...columns],
      rows: report.rows.filter((row) => usesCurrency(row, currency)),
      total: [say(TOTAL), ...whose.slice(1).map(() => null), ...columns.map((column) => column.of(report.total))],
    }
  })
}
export function programsTables(
  report: { readonly rows: readonly ProgramRow[]; readonly total: FinancialFigures },
  lang: Language,
  graduates = false,
  say: Say = sayIn(lang),
): ReportTable<ProgramRow>[] {
  const name = named(lang)
  return figuresTable(
    report,
    [
      { key: 'program', label: ['Program', 'البرنامج'], kind: 'text', of: (row) => name(row.program) ?? say(NONE) },
      { key: 'faculty', label: ['Faculty', 'الكلية'], kind: 'text', of: (row) => name(row.faculty) },
    ],
    say,
    graduates ? ['grad'] : undefined,
  )
}
export const levelsTables = (
  report: { readonly rows: readonly LevelSumRow[]; readonly total: FinancialFigures },
  lang: Language,
  say: Say = sayIn(lang),
): ReportTable<LevelSumRow>[] =>
  figuresTable(
    report,
    [
      {
        key: 'level',
        label: ['Level', 'المستوى'],
        kind: 'text',
        of: (row) => (row.level === null ? say(NONE) : String(row.level)),
      },
    ],
    say,
  )

export const PROVIDER_NAMES: Readonly<Record<string, string>> = { fawry: 'Fawry', paymob: 'Paymob' }
/** What a row of received money is called. */
export function groupName(
  row: Pick<PaymentRow, 'key' | 'of'>,
  by: PaymentsAsked['by'],
  lang: Language,
  say: Say = sayIn(lang),
): string {
  const none = say(NONE)
  if (by === 'bank' || by === 'faculty') return named(lang)(row.of) ?? none
  if (row.key === null) return none
  if (by === 'way')
    return say(PAYMENT_WAYS.find((paymentWay) => paymentWay.value === row.key)?.label ?? [row.key, row.key])
  if (by === 'provider') return PROVIDER_NAMES[row.key] ?? row.key
  return by === 'cashier' && row.of ? `${row.key} · ${named(lang)(row.of)}` : row.key
}
const GROUP_LABEL: Readonly<Record<PaymentsAsked['by'], Label>> = {
  way: ['Way of payment', 'طريقة الدفع'],
  day: ['Day', 'اليوم'],
  cashier: ['Cashier’s drawer', 'وردية الخزينة'],
  provider: ['Payment provider', 'مزود الدفع'],
  bank: ['Bank', 'البنك'],
  faculty: ['Faculty', 'الكلية'],
}
export function paymentsTables(
  report: { readonly rows: readonly PaymentRow[]; readonly totals: readonly Omit<PaymentRow, 'key' | 'of'>[] },
  by: PaymentsAsked['by'],
  lang: Language,
  say: Say = sayIn(lang),
): ReportTable<PaymentRow>[] {
  type Sums = Omit<PaymentRow, 'key' | 'of'>
  const sums: readonly ReportColumn<Sums>[] = [
    { key: 'received', label: ['Received', 'المقبوض'], kind: 'money', of: (row) => row.received },
    { key: 'received_count', label: ['Payments', 'عدد الدفعات'], kind: 'count', of: (row) => row.received_count },
    { key: 'paid_back', label: ['Paid back', 'المردود'], kind: 'money', of: (row) => row.paid_back },
    { key: 'paid_back_count', label: ['Refunds', 'عدد المردودات'], kind: 'count', of: (row) => row.paid_back_count },
    { key: 'net', label: ['Net', 'الصافي'], kind: 'money', of: (row) => row.net },
  ]
  return report.totals.map((total) => ({
    currency: total.currency,
    columns: [
      { key: 'group', label: GROUP_LABEL[by], kind: 'text', of: (row: PaymentRow) => groupName(row, by, lang, say) },
      ...sums,
    ],
    rows: report.rows.filter((row) => row.currency === total.currency),
    total: [say(TOTAL), ...sums.map((column) => column.of(total))],
  }))
}
export function invoicesTables(
  report: { readonly rows: readonly InvoicesRow[]; readonly totals: readonly Omit<InvoicesRow, 'faculty' | 'type'>[] },
  lang: Language,
  say: Say = sayIn(lang),
): ReportTable<InvoicesRow>[] {
  type Sums = Omit<InvoicesRow, 'faculty' | 'type'>
  const sums: readonly ReportColumn<Sums>[] = [
    { key: 'invoices', label: ['Invoices', 'عدد الفواتير'], kind: 'count', of: (row) => row.invoices },
    { key: 'charged', label: ['Charged', 'قيمة الفواتير'], kind: 'money', of: (row) => row.charged },
    { key: 'settled', label: ['Paid', 'المدفوع'], kind: 'money', of: (row) => row.settled },
    { key: 'open', label: ['Still to pay', 'المتبقي'], kind: 'money', of: (row) => row.open },
  ]
  return report.totals.map((total) => ({
    currency: total.currency,
    columns: [
      {
        key: 'faculty',
        label: ['Faculty', 'الكلية'],
        kind: 'text',
        of: (row: InvoicesRow) => named(lang)(row.faculty) ?? say(NONE),
      },
      {
        key: 'type',
        label: ['For', 'عن'],
        kind: 'text',
        of: (row: InvoicesRow) =>
          say(INVOICE_TYPES.find((invoiceType) => invoiceType.value === row.type)?.label ?? [row.type, row.type]),
      },
      ...sums,
    ],
    rows: report.rows.filter((row) => row.currency === total.currency),
    total: [say(TOTAL), null, ...sums.map((column) => column.of(total))],
  }))
}
/** What ages are called. */
export const AGE_WORDS = {
  not_due: ['Not yet due', 'لم يحن موعده'],
  d1_30: ['1–30 days late', 'متأخر 1–30 يومًا'],
  d31_60: ['31–60 days late', 'متأخر 31–60 يومًا'],
  d61_90: ['61–90 days late', 'متأخر 61–90 يومًا'],
  over_90: ['Over 90 days late', 'متأخر أكثر من 90 يومًا'],
} as const satisfies Record<Age, Label>
/** What a row of the ages is of. */
export const agedName = (row: AgingRow, by: AgingAsked['by'], lang: Language, say: Say): string =>
  by === 'level' ? (row.level === null ? say(NONE) : String(row.level)) : (named(lang)(row.of) ?? say(NONE))
export function agingTables(
  report: AgingReport,
  by: AgingAsked['by'],
  lang: Language,
  say: Say = sayIn(lang),
): ReportTable<AgingRow>[] {
  type Sums = Omit<AgingRow, 'of' | 'level'>
  const sums: readonly ReportColumn<Sums>[] = [
    { key: 'students', label: ['Students', 'الطلاب'], kind: 'count', of: (row) => row.students },
    ...AGES.map(({ age }): ReportColumn<Sums> => ({
      key: age,
      label: AGE_WORDS[age],
      kind: 'money',
      of: (row) => row.ages.find((one) => one.age === age)?.amount ?? 0,
    })),
    { key: 'overdue', label: ['Overdue', 'المتأخر'], kind: 'money', of: (row) => row.overdue },
    { key: 'open', label: ['Still to pay', 'المتبقي'], kind: 'money', of: (row) => row.open },
  ]
  return report.totals.map((total) => ({
    currency: total.currency,
    columns: [
      {
        key: 'of',
        label: AGING_GROUPS.find((group) => group.value === by)!.label,
        kind: 'text',
        of: (row: AgingRow) => agedName(row, by, lang, say),
      },
      ...sums,
    ],
    rows: report.rows.filter((row) => row.currency === total.currency),
    total: [say(TOTAL), ...sums.map((column) => column.of(total))],
  }))
}
const perText = (price: FeeReportRow['price'], say: Say): string | null =>
  price && say(PER_CHOICES.find((one) => one.value === price.per)!.label)
export const levelsText = (row: Pick<FeeReportRow, 'from_level' | 'to_level'>): string =>
  row.from_level === row.to_level ? String(row.from_level) : `${row.from_level}–${row.to_level}`
export function feesTables(
  report: {
    readonly year: { readonly code: string } | null
    readonly other: { readonly code: string } | null
    readonly rows: readonly FeeReportRow[]
  },
  lang: Language,
  say: Say = sayIn(lang),
): ReportTable<FeeReportRow>[] {
  const name = named(lang)
  const year = (of: { readonly code: string } | null): Label => (of ? [of.code, of.code] : ['Price', 'السعر'])
  const columns: readonly ReportColumn<FeeReportRow>[] = [
    { key: 'program', label: ['Program', 'البرنامج'], kind: 'text', of: (row) => name(row.program) },
    { key: 'levels', label: ['Level', 'المستوى'], kind: 'text', of: levelsText },
    { key: 'group', label: ['Nationality group', 'مجموعة الجنسيات'], kind: 'text', of: (row) => name(row.group) },
    { key: 'item', label: ['Item', 'البند'], kind: 'text', of: (row) => name(row.item) },
    { key: 'per', label: ['Per', 'لكل'], kind: 'text', of: (row) => perText(row.price ?? row.other, say) },
    { key: 'price', label: year(report.year), kind: 'money', of: (row) => row.price?.amount ?? null },
    ...(report.other
      ? ([
          { key: 'other', label: year(report.other), kind: 'money', of: (row) => row.other?.amount ?? null },
          { key: 'change', label: ['Difference', 'الفرق'], kind: 'money', of: (row) => row.change },
        ] satisfies ReportColumn<FeeReportRow>[])
      : []),
  ]
  return REPORT_CURRENCIES.map((currency) => ({
    currency,
    columns,
    rows: report.rows.filter((row) => row.currency === currency),
    total: null,
  })).filter((table) => table.rows.length > 0)
}
