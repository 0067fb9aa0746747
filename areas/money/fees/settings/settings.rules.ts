/** Settings of an academic year as rules work with them, what may not stand in them, and how versions differ. */
import type { Reason } from '#kit/contract/issues.ts'
import { checkDueDates, checkFine, type DueDate, type FineRule } from '../instalments.rules.ts'
import {
  CRITERIA,
  FEE_TYPES,
  isApart,
  priceKey,
  type Currency,
  type FeeItem,
  type FeeType,
  type PricedSettings,
  type PriceRow,
} from '../pricing.rules.ts'

/** Where a type is paid into, in a currency: accounts of the university at banks, the first one by itself. */
export interface AccountRow {
  readonly id: number
  readonly type: FeeType
  readonly currency: Currency
  readonly bank_id: number
}
/** What a version holds, whatever it was saved for. */
export interface SettingsRows {
  readonly prices: readonly PriceRow[]
  readonly due_dates: readonly DueDate[]
  readonly fines: readonly (FineRule & { readonly id: number })[]
  readonly accounts: readonly AccountRow[]
}
/** A version of the settings of a year. */
export interface YearSettings extends PricedSettings, SettingsRows {
  readonly year_id: number
  readonly version_id: number
  /** Number of the version within the year. */
  readonly version: number
  readonly items: readonly FeeItem[]
}

/** What is known of the programs, bylaws and groups that prices name. */
export interface PriceNames {
  readonly items: ReadonlyMap<number, FeeItem>
  readonly programs: ReadonlyMap<number, { readonly faculty_id: number; readonly bylaw_id: number }>
  readonly bylaws: ReadonlyMap<number, { readonly faculty_id: number }>
  /** Accounts at banks that are there, with their currency. */
  readonly banks: ReadonlyMap<number, string>
}
const said = (item: FeeItem | undefined) => ({ item: item?.name ?? '', item_local: item?.name_local ?? '' })

/** By what each item is counted. */
const COUNTED: Readonly<Record<FeeType, readonly PriceRow['per'][]>> = {
  tuition: ['year', 'term'],
  hours: ['hour', 'course'],
  summer: ['hour', 'course', 'term'],
  certificates: ['copy', 'request'],
  services: ['request', 'term', 'year', 'course'],
  exams: ['request', 'term', 'year', 'course'],
}
/** @public */
export const countedBy = (type: FeeType): readonly PriceRow['per'][] => COUNTED[type]

/** Why prices do not stand together: two for the same payers, one for nobody, one counted by what is not. All of it. */
export function checkPrices(rows: readonly PriceRow[], names: PriceNames): Reason[] {
  const reasons: Reason[] = []
  const first = new Map<string, number>()
  for (const [i, row] of rows.entries()) {
    const at = (name: string) => `prices.${i}.${name}`
    const item = names.items.get(row.item_id)
    const key = priceKey(row)
    const other = first.get(key)
    if (other === undefined) first.set(key, i)
    else
      reasons.push({
        field: at('amount'),
        code: 'fee_prices_equal',
        data: { ...said(item), rows: `${other + 1}, ${i + 1}` },
      })
    if (item && (item.deposit ? row.per !== 'term' : !COUNTED[item.type].includes(row.per)))
      reasons.push({ field: at('per'), code: 'fee_counted_by', data: said(item) })
    if (isApart(row) && !['hour', 'course'].includes(row.per))
      reasons.push({ field: at('per'), code: 'fee_of_courses', data: said(item) })
    if (row.flat && row.per !== 'hour') reasons.push({ field: at('per'), code: 'fee_flat_hours', data: said(item) })
    if (row.flat && row.flat.from > row.flat.to)
      reasons.push({ field: at('flat.to'), code: 'fee_flat_order', data: said(item) })
    const program = row.program_id === null ? undefined : names.programs.get(row.program_id)
    const bylaw = row.bylaw_id === null ? undefined : names.bylaws.get(row.bylaw_id)
    const nobody =
      (program !== undefined && row.faculty_id !== null && program.faculty_id !== row.faculty_id) ||
      (bylaw !== undefined && row.faculty_id !== null && bylaw.faculty_id !== row.faculty_id) ||
      (program !== undefined && bylaw !== undefined && bylaw.faculty_id !== program.faculty_id)
    if (nobody) reasons.push({ field: at('program_id'), code: 'fee_price_for_nobody', data: said(item) })
  }
  return reasons
}

/** Everything that may not stand in a version. */
export const checkFeeSettings = (rows: SettingsRows, names: PriceNames): Reason[] => [
  ...checkPrices(rows.prices, names),
  ...checkDueDates(rows.due_dates),
  ...rows.fines.flatMap((fine, i) => checkFine(fine, `fines.${i}.steps`)),
  ...rows.accounts.flatMap((row, i) => {
    const at = (code: string) => [{ field: `accounts.${i}.bank_id`, code }]
    const same = (one: AccountRow) =>
      one.type === row.type && one.currency === row.currency && one.bank_id === row.bank_id
    if (names.banks.get(row.bank_id) !== row.currency) return at('fee_bank_currency')
    return rows.accounts.findIndex(same) < i ? at('fee_account_twice') : []
  }),
]

export const PARTS = ['prices', 'due_dates', 'fines', 'accounts'] as const
type Part = (typeof PARTS)[number]
/** What a version changed against the one before it. */
interface Difference {
  readonly part: Part | 'stacking'
  readonly id: number
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}
const canonical = (row: object): string =>
  JSON.stringify(Object.entries(row).toSorted(([a], [b]) => a.localeCompare(b)))
const sameRow = (a: object, b: object): boolean => canonical(a) === canonical(b)
type Compared = SettingsRows & Pick<PricedSettings, 'stacking' | 'grant_cap'>
const terms = ({ stacking, grant_cap }: Compared) => ({ stacking, grant_cap })

/** What stands in one and not in the other: rows are the same ones by their ids. */
export function differences(before: Compared | null, after: Compared): Difference[] {
  const out: Difference[] = []
  for (const part of PARTS) {
    const old = new Map((before?.[part] ?? []).map((row) => [row.id, row]))
    for (const row of after[part]) {
      const was = old.get(row.id)
      if (!was || !sameRow(was, row)) out.push({ part, id: row.id, before: was ? { ...was } : null, after: { ...row } })
      old.delete(row.id)
    }
    for (const row of old.values()) out.push({ part, id: row.id, before: { ...row }, after: null })
  }
  if (before && !sameRow(terms(before), terms(after)))
    out.push({ part: 'stacking', id: 0, before: terms(before), after: terms(after) })
  return out
}

/** The order in which prices are read: by type, item, and from the most telling to the widest. */
export const inOrder = (rows: readonly PriceRow[], items: readonly FeeItem[]): PriceRow[] => {
  const place = new Map(items.map((item) => [item.id, FEE_TYPES.indexOf(item.type) * 1_000_000 + item.id]))
  const by = (row: PriceRow) => CRITERIA.map((name) => row[name] ?? 0)
  return rows.toSorted((a, b) => {
    const items = (place.get(a.item_id) ?? 0) - (place.get(b.item_id) ?? 0)
    if (items) return items
    const [x, y] = [by(a), by(b)]
    for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i]! - y[i]!
    return Number(isApart(a)) - Number(isApart(b)) || a.currency.localeCompare(b.currency) || a.id - b.id
  })
}
