/** Financial reports: how what was read becomes the documents' figures, and what columns a report has, on screen and on paper. */
import type { Label } from '#kit/contract/index.ts'

/** Names of figures begin with the currency, as the documents write them. */
export const CURRENCY_PREFIX = { EGP: 'eg', USD: 'usd' } as const
export type ReportCurrency = keyof typeof CURRENCY_PREFIX
export const REPORT_CURRENCIES = ['EGP', 'USD'] as const satisfies readonly ReportCurrency[]
/** Whose money it is: who studies, who has graduated, everybody else (suspended, withdrawn, left). */
const STANDINGS = ['studing', 'grad', 'other'] as const
export type PayerStanding = (typeof STANDINGS)[number]
export const payerStandingOf = (status: string): PayerStanding =>
  status === 'studying' ? 'studing' : status === 'graduated' ? 'grad' : 'other'

const MONEY = ['paid', 'unpaid', 'total'] as const
type Prefix = (typeof CURRENCY_PREFIX)[ReportCurrency]
type Named =
  | `${Prefix}_${(typeof MONEY)[number]}_${PayerStanding}`
  | `${Prefix}_${(typeof MONEY)[number]}`
  | `${Prefix}_students_${'paid' | 'partially_paid' | 'not_paid'}`
  | 'E_wallet'
  | 'usd_E_wallet'
export type FinancialFigures = Readonly<Record<Named, number>>
/** What wallets hold is of the payers, whatever their invoices were for. */
export const walletColumnOf = (currency: ReportCurrency): 'E_wallet' | 'usd_E_wallet' =>
  currency === 'EGP' ? 'E_wallet' : 'usd_E_wallet'
const namesOf = (currency: ReportCurrency): Named[] => {
  const p = CURRENCY_PREFIX[currency]
  return [
    ...STANDINGS.flatMap((standing) => MONEY.map((what) => `${p}_${what}_${standing}` as const)),
    ...MONEY.map((what) => `${p}_${what}` as const),
    `${p}_students_paid`,
    `${p}_students_partially_paid`,
    `${p}_students_not_paid`,
    walletColumnOf(currency),
  ]
}
export const FIGURES: readonly Named[] = REPORT_CURRENCIES.flatMap(namesOf)

/** What of somebody's invoices is charged and settled, summed up by currency and standing; and what wallets hold. */
export interface ReportPart {
  readonly currency: string
  readonly standing: PayerStanding
  readonly charged: number
  readonly settled: number
  readonly paid: number
  readonly partially_paid: number
  readonly not_paid: number
}
export interface Wallet {
  readonly currency: string
  readonly wallet: number
}
/** One row of a report. Currencies are never added up. */
export function financialFiguresOf(parts: readonly ReportPart[], wallets: readonly Wallet[]): FinancialFigures {
  const figures = Object.fromEntries(FIGURES.map((name) => [name, 0])) as Record<Named, number>
  for (const one of parts) {
    const p = CURRENCY_PREFIX[one.currency as ReportCurrency]
    const open = one.charged - one.settled
    for (const end of [`_${one.standing}`, ''] as const) {
      figures[`${p}_paid${end}`] += one.settled
      figures[`${p}_unpaid${end}`] += open
      figures[`${p}_total${end}`] += one.charged
    }
    figures[`${p}_students_paid`] += one.paid
    figures[`${p}_students_partially_paid`] += one.partially_paid
    figures[`${p}_students_not_paid`] += one.not_paid
  }
  for (const one of wallets) figures[walletColumnOf(one.currency as ReportCurrency)] += one.wallet
  return figures
}
/** Whether a report has anything in a currency. */
export const usesCurrency = (figures: FinancialFigures, currency: ReportCurrency): boolean =>
  namesOf(currency).some((name) => figures[name] !== 0)

export type Cell = string | number | null
export interface ReportColumn<Row> {
  readonly key: string
  readonly label: Label
  /** Amounts are in minor units. */
  readonly kind: 'text' | 'money' | 'count' | 'decimal' | 'percent'
  /** Stands above several columns. */
  readonly head?: Label
  readonly of: (row: Row) => Cell
}

const MONEY_WORDS = {
  paid: ['Paid', 'المدفوع'],
  unpaid: ['Unpaid', 'غير المدفوع'],
  total: ['Sum', 'المجموع'],
} as const satisfies Record<string, Label>
export const STANDING_WORDS = {
  studing: ['Studying', 'المقيدون'],
  grad: ['Graduates', 'الخريجون'],
  other: ['Others', 'آخرون'],
} as const satisfies Record<PayerStanding, Label>
export const COUNT_WORDS = {
  paid: ['Paid all', 'سددوا بالكامل'],
  partially_paid: ['Paid a part', 'سددوا جزءًا'],
  not_paid: ['Paid nothing', 'لم يسددوا'],
} as const satisfies Record<string, Label>

/** Columns of a financial report in one currency; standings of which nobody is charged anything are left out. */
export function figureColumns(
  currency: ReportCurrency,
  standings: readonly PayerStanding[],
): readonly ReportColumn<FinancialFigures>[] {
  const p = CURRENCY_PREFIX[currency]
  const money = (ends: readonly (PayerStanding | null)[]) =>
    ends.flatMap((standing) =>
      MONEY.map((what): ReportColumn<FinancialFigures> => {
        const key: Named = standing === null ? `${p}_${what}` : `${p}_${what}_${standing}`
        return {
          key,
          label: MONEY_WORDS[what],
          kind: 'money',
          head: standing === null ? ['All', 'الكل'] : STANDING_WORDS[standing],
          of: (row) => row[key],
        }
      }),
    )
  return [
    ...money(standings.length === 1 ? standings : [...standings, null]),
    ...(['paid', 'partially_paid', 'not_paid'] as const).map((what): ReportColumn<FinancialFigures> => {
      const key: Named = `${p}_students_${what}`
      return { key, label: COUNT_WORDS[what], kind: 'count', head: ['Students', 'الطلاب'], of: (row) => row[key] }
    }),
    {
      key: walletColumnOf(currency),
      label: ['Wallets', 'المحافظ'],
      kind: 'money',
      of: (row) => row[walletColumnOf(currency)],
    },
  ]
}
export const standingsIn = (total: FinancialFigures, currency: ReportCurrency): PayerStanding[] => {
  const used = STANDINGS.filter((standing) => total[`${CURRENCY_PREFIX[currency]}_total_${standing}`] !== 0)
  return used.length ? used : ['studing']
}

/** `125050` -> `1250.50`. */
export const plain = (minor: number): string =>
  `${minor < 0 ? '-' : ''}${Math.trunc(Math.abs(minor) / 100)}.${String(Math.abs(minor) % 100).padStart(2, '0')}`
/** The same for people: thousands apart. */
export const groupedAmount = (minor: number): string => plain(minor).replaceAll(/\B(?=(\d{3})+\.)/g, ',')

// --- Fee settings ---------------------------------------------------------------------------------------------------

interface Priced {
  readonly amount: number
  readonly per: string
}
/** What it is more than in the other year: only what is charged by the same unit is compared. */
export const changeOf = (price: Priced | null, other: Priced | null): number | null =>
  price !== null && other !== null && price.per === other.per ? price.amount - other.amount : null
/** Levels one after another that are charged alike, as one line. */
export function joinLevels<T extends { readonly level: number }>(
  rows: readonly T[],
  alike: (a: T, b: T) => boolean,
): { readonly first: T; readonly from: number; readonly to: number }[] {
  const lines: { first: T; from: number; to: number }[] = []
  for (const row of rows) {
    const last = lines.at(-1)
    if (last && last.to + 1 === row.level && alike(last.first, row)) last.to = row.level
    else lines.push({ first: row, from: row.level, to: row.level })
  }
  return lines
}
