/**
 * What somebody has to pay: pure functions of a payer's facts and a version of a year's settings. Money is an integer of the
 * minor unit; every product is rounded once, half up to the minor unit, and line by line.
 */
import type { Reason } from '#kit/contract/issues.ts'
import { priceWords, type Share } from './price-words.rules.ts'

export const FEE_TYPES = ['tuition', 'hours', 'summer', 'certificates', 'services', 'exams'] as const
export type FeeType = (typeof FEE_TYPES)[number]
export const CURRENCIES = ['EGP', 'USD'] as const
export type Currency = (typeof CURRENCIES)[number]
export const PER = ['year', 'term', 'hour', 'course', 'copy', 'request'] as const
export type Per = (typeof PER)[number]
export type TermKind = 'fall' | 'spring' | 'summer'

interface Named {
  readonly id: number
  readonly name: string
  readonly name_local: string
}
/** What is charged for. Automatic ones stand on every invoice they are priced for; others are asked for. */
export interface FeeItem extends Named {
  readonly code: string
  readonly type: FeeType
  readonly is_automatic: boolean
  /** Comes by itself to those alone who registered late. */
  readonly late_only?: boolean
  /** Held for the payer and given back later: charged once, when he or she enters, and by nobody reduced. */
  readonly deposit?: boolean
}
/** By what a price is bound to some of the payers, the most telling first: that is the order in which prices win. */
export const CRITERIA = [
  'nationality_group_id',
  'program_id',
  'bylaw_id',
  'faculty_id',
  'entry_year_id',
  'level',
] as const
export type Criterion = (typeof CRITERIA)[number]
export type Criteria = { readonly [C in Exclude<Criterion, 'entry_year_id'>]: number | null } & {
  /** The academic year in which the payer entered: a cohort keeps its price. Nothing is the same as null. */
  readonly entry_year_id?: number | null
}
/**
 * A price of hours that is the same for so many of them: from so many hours to so many, in hundredths, it costs `amount` in all.
 * Fewer cost by the hour, but never more; each further hour costs by the hour.
 */
export interface FlatBand {
  readonly from: number
  readonly to: number
  readonly amount: number
}
/** Of prices per hour or course: of which courses they are. They win over those of all courses, a course over repeating. */
export interface OfCourses {
  /** Of this course alone: its laboratory, say. */
  readonly course_id?: number | null
  /** Of courses that are repeated; false: of those that are not. */
  readonly repeats?: boolean | null
}
export interface PriceRow extends Criteria, OfCourses {
  readonly flat?: FlatBand | null
  readonly id: number
  readonly item_id: number
  readonly per: Per
  readonly currency: Currency
  /** Of one unit, in minor units. */
  readonly amount: number
}
export const STACKINGS = ['rest', 'full'] as const
/** How several grants stand beside each other on a line. */
export interface Stacking {
  /** A percentage is taken of what earlier grants left (`rest`), or of the whole line (`full`). */
  readonly stacking: (typeof STACKINGS)[number]
  /** Of a line, all grants together take so many hundredths of a percent at most. */
  readonly grant_cap: number
}
/** What of a version of the settings prices are made of. */
export interface PricedSettings extends Stacking {
  readonly items: readonly FeeItem[]
  readonly prices: readonly PriceRow[]
}

export interface ChargedCourse {
  readonly registration_id: number
  readonly code: string
  readonly course_id?: number
  readonly repeats?: boolean
  /** Credit hours in hundredths. */
  readonly hours: number
  /** How much of it is charged, in hundredths of a percent: what a withdrawn or excused course still costs, 10000 of all others. */
  readonly charged: number
}
/** A scholarship as it was given to somebody: its terms are those of then. */
export interface GrantFacts {
  readonly id: number
  readonly scholarship: Named
  /** Hundredths of a percent, or an amount; one of them. */
  readonly percent: number | null
  readonly amount: number | null
  readonly currency: Currency | null
  /** What it reduces: types, and of those only these items where some are named. */
  readonly types: readonly FeeType[]
  readonly item_ids: readonly number[]
  /** Lower ones first; equal ones by id. */
  readonly priority: number
  /** Of an amount: what other invoices of the year have of it already. */
  readonly used?: number
}
export interface AskedItem {
  readonly item_id: number
  /** Copies, or requests. */
  readonly quantity: number
}
export interface PayerFacts {
  readonly program_id: number | null
  readonly faculty_id: number | null
  readonly bylaw_id: number | null
  readonly level: number | null
  /** The academic year of the first term; null: not known. */
  readonly entry_year_id?: number | null
  /** null: the nationality is not known. */
  readonly nationality_group: { readonly id: number; readonly currency: Currency } | null
  readonly term_kind: TermKind
  readonly courses: readonly ChargedCourse[]
  readonly grants: readonly GrantFacts[]
  /** Items per year that another invoice of the year has already. */
  readonly charged_items?: readonly number[]
  /** What is asked for beside what comes by itself. */
  readonly asked?: readonly AskedItem[]
  /** Asked for the first course of the term after registration had closed. */
  readonly late?: boolean
  /** It is the first invoice of somebody who enters in this year. */
  readonly entering?: boolean
  /** Only what is asked for: nothing comes by itself. */
  readonly only_asked?: boolean
}
export interface GrantApplied {
  readonly grant_id: number
  readonly scholarship: Named
  readonly amount: number
}
export interface FeeLine {
  readonly item: FeeItem
  readonly type: FeeType
  /** The row of the price. */
  readonly rule: number
  /** Of some courses alone, by a price of their own. */
  readonly apart: boolean
  readonly per: Per
  /** In hundredths: 1.5 hours are 150. */
  readonly quantity: number
  readonly unit_amount: number
  /** In hundredths of a percent. */
  readonly charged: number
  /** Before scholarships. */
  readonly gross: number
  readonly grants: readonly GrantApplied[]
  /** What remains to be paid. */
  readonly amount: number
  readonly currency: Currency
  /** How it was computed. */
  readonly words: { readonly en: string; readonly ar: string }
  readonly registration_ids: readonly number[]
}
export interface Priced {
  readonly lines: readonly FeeLine[]
  /** Why it cannot be computed, all of it; with one there is no invoice. */
  readonly reasons: readonly Reason[]
  /** null where nothing is to be paid, or two currencies are. */
  readonly currency: Currency | null
  readonly gross: number
  readonly amount: number
}

export const WHOLE = 10_000
/** A part of an amount, rounded half up. Exact for whatever a university charges. */
export const shareOfAmount = (amount: number, part: number, of: number): number => {
  const twice = 2n * BigInt(amount) * BigInt(part)
  return Number((twice + BigInt(of)) / (2n * BigInt(of)))
}

const matches = (row: Criteria, criteria: readonly Criterion[], facts: Criteria): boolean =>
  criteria.every((name) => (row[name] ?? null) === null || row[name] === facts[name])
/** How telling a price is: the first criterion counts more than all that follow it. */
export const specificity = (row: Criteria): number =>
  CRITERIA.reduce((sum, name, i) => sum + ((row[name] ?? null) === null ? 0 : 2 ** (CRITERIA.length - 1 - i)), 0)

/** In a row that names no nationality group, the currency says for whom it is: those whose group pays in it. */
const ofCurrency = (row: PriceRow, currency: Currency): boolean =>
  row.nationality_group_id !== null || row.currency === currency

/**
 * The price of an item for a payer: of all rows that fit, the most telling one. Rows that name the same criteria with the same
 * values do not stand beside each other (`checkPrices`), so that there is never more than one.
 */
export function priceFor(
  rows: readonly PriceRow[],
  payer: Criteria,
  currency: Currency,
): { readonly row: PriceRow | null; readonly equal: readonly PriceRow[] } {
  const fitting = rows
    .filter((row) => matches(row, CRITERIA, payer) && ofCurrency(row, currency))
    .toSorted((a, b) => specificity(b) - specificity(a) || a.id - b.id)
  const [row = null] = fitting
  return { row, equal: row === null ? [] : fitting.filter((one) => specificity(one) === specificity(row)) }
}

/** Whether a price is of some courses alone. */
export const isApart = (row: OfCourses): boolean => (row.course_id ?? null) !== null || (row.repeats ?? null) !== null
/**
 * The price of a course that has one of its own: the most telling of the rows of some courses that fit, by the course before
 * whether it is repeated, then by the payer. null: it costs what all courses cost.
 */
export function priceOfCourse(
  rows: readonly PriceRow[],
  payer: Criteria,
  currency: Currency,
  course: ChargedCourse,
): PriceRow | null {
  const telling = (row: PriceRow): number =>
    ((row.course_id ?? null) === null ? 0 : 2) + ((row.repeats ?? null) === null ? 0 : 1)
  const fitting = rows
    .filter(
      (row) =>
        isApart(row) &&
        ((row.course_id ?? null) === null || row.course_id === course.course_id) &&
        ((row.repeats ?? null) === null || row.repeats === (course.repeats ?? false)) &&
        matches(row, CRITERIA, payer) &&
        ofCurrency(row, currency),
    )
    .toSorted((a, b) => telling(b) - telling(a) || specificity(b) - specificity(a) || a.id - b.id)
  return fitting[0] ?? null
}

/** What so many hours (in hundredths) cost where the price is the same for some number of them. It never falls with more hours. */
export const flatPrice = (hours: number, rate: number, { from, to, amount }: FlatBand): number =>
  hours < from
    ? Math.min(amount, shareOfAmount(rate, hours, 100))
    : hours <= to
      ? amount
      : amount + shareOfAmount(rate, hours - to, 100)

/** Where two prices would be for the same payers and neither is more telling, by a text that is the same for both. */
export const priceKey = (row: Omit<PriceRow, 'id' | 'per' | 'amount'>): string =>
  [
    row.item_id,
    ...CRITERIA.map((name) => row[name] ?? ''),
    row.nationality_group_id === null ? row.currency : '',
    row.course_id ?? '',
    row.repeats ?? '',
  ].join('|')

/**
 * How many hours a flat price is applied to: those of withdrawn courses as far as they are charged. So leaving a course never
 * costs more than staying.
 */
const flatShare = (row: PriceRow, courses: readonly ChargedCourse[]): Share[] => {
  const charged = courses.filter((one) => one.charged > 0)
  const hours = Number(charged.reduce((sum, one) => sum + BigInt(one.hours) * BigInt(one.charged), 0n) / BigInt(WHOLE))
  return charged.length === 0
    ? []
    : [
        {
          quantity: 100,
          charged: WHOLE,
          codes: [],
          registration_ids: charged.map((one) => one.registration_id),
          flat: { hours, amount: flatPrice(hours, row.amount, row.flat!) },
        },
      ]
}
/** How much of what a price counts: whole courses together, each that was withdrawn by itself. */
function sharesOf(row: PriceRow, facts: Pick<PayerFacts, 'courses'>, asked: number | null): Share[] {
  const { per } = row
  if (per === 'hour' && row.flat) return flatShare(row, facts.courses)
  if (asked !== null && per !== 'hour' && per !== 'course')
    return [{ quantity: asked * 100, charged: WHOLE, codes: [], registration_ids: [] }]
  if (per !== 'hour' && per !== 'course') return [{ quantity: 100, charged: WHOLE, codes: [], registration_ids: [] }]
  const share = (courses: readonly ChargedCourse[], charged: number): Share => ({
    quantity: per === 'course' ? courses.length * 100 : courses.reduce((sum, one) => sum + one.hours, 0),
    charged,
    codes: charged === WHOLE ? [] : courses.map((one) => one.code),
    registration_ids: courses.map((one) => one.registration_id),
  })
  const whole = facts.courses.filter((one) => one.charged === WHOLE)
  const parts = facts.courses.filter((one) => one.charged > 0 && one.charged < WHOLE)
  return [
    ...(whole.length ? [share(whole, WHOLE)] : []),
    ...parts.toSorted((a, b) => a.code.localeCompare(b.code)).map((part) => share([part], part.charged)),
  ].filter((one) => one.quantity > 0)
}

/** Takes grants off lines, in their order: by priority, then by id. Together never more than the cap of a line. */
export function applyGrants<L extends Pick<FeeLine, 'item' | 'type' | 'gross' | 'currency'>>(
  lines: readonly L[],
  grants: readonly GrantFacts[],
  { stacking, grant_cap }: Stacking,
): (L & Pick<FeeLine, 'grants' | 'amount'>)[] {
  const out = lines.map((line) => ({ ...line, amount: line.gross, grants: [] as GrantApplied[] }))
  const ordered = grants.toSorted((a, b) => a.priority - b.priority || a.id - b.id)
  for (const grant of ordered) {
    let left = Math.max(0, (grant.amount ?? 0) - (grant.used ?? 0))
    for (const line of out) {
      if (line.item.deposit || !grant.types.includes(line.type)) continue
      if (grant.item_ids.length && !grant.item_ids.includes(line.item.id)) continue
      if (grant.percent === null && grant.currency !== line.currency) continue
      const wanted =
        grant.percent === null
          ? left
          : shareOfAmount(stacking === 'rest' ? line.amount : line.gross, grant.percent, WHOLE)
      const room = shareOfAmount(line.gross, grant_cap, WHOLE) - (line.gross - line.amount)
      const amount = Math.max(0, Math.min(wanted, room, line.amount))
      if (amount === 0) continue
      line.grants.push({ grant_id: grant.id, scholarship: grant.scholarship, amount })
      line.amount -= amount
      if (grant.percent === null) left -= amount
    }
  }
  return out
}

const CHARGED_IN = (item: FeeItem, kind: TermKind): boolean =>
  kind === 'summer' ? item.type === 'summer' : item.type !== 'summer'
const said = (item: FeeItem) => ({ item: item.name, item_local: item.name_local })

/** Why an item has no price for somebody; nothing where it does not concern the payer. */
function whyNoPrice(
  item: FeeItem,
  rows: readonly PriceRow[],
  payer: Criteria,
  currency: Currency,
  asked: boolean,
): Reason[] {
  const part = rows.filter((row) => matches(row, ['program_id', 'bylaw_id', 'faculty_id', 'entry_year_id'], payer))
  if (!part.length) return asked ? [{ code: 'fee_no_price', data: said(item) }] : []
  const group = part.filter((row) => matches(row, ['nationality_group_id'], payer))
  const level = group.filter((row) => matches(row, ['level'], payer))
  if (group.length && !level.length && payer.level === null) return [{ code: 'fee_no_level', data: said(item) }]
  if (level.length) return [{ code: 'fee_no_price_in_currency', data: { ...said(item), currency } }]
  if (group.some((row) => ofCurrency(row, currency)))
    return [{ code: 'fee_no_price_for_level', data: { ...said(item), level: payer.level } }]
  return [{ code: 'fee_no_price_for_nationality', data: said(item) }]
}

/**
 * The lines of an invoice, each with the price it comes from and how it was computed, and every reason why it cannot be
 * computed. An item that is priced for no one in the payer's program, bylaw and faculty does not concern the payer; one that
 * is, but not for the level, the nationality or the currency, is a reason.
 */
export function priceLines(facts: PayerFacts, settings: PricedSettings): Priced {
  const reasons: Reason[] = []
  const lines: Omit<FeeLine, 'grants' | 'amount' | 'words'>[] = []
  const nothing = { lines: [], currency: null, gross: 0, amount: 0 }
  const group = facts.nationality_group
  if (group === null) return { ...nothing, reasons: [{ code: 'fee_no_nationality' }] }
  const payer: Criteria = {
    nationality_group_id: group.id,
    program_id: facts.program_id,
    bylaw_id: facts.bylaw_id,
    faculty_id: facts.faculty_id,
    level: facts.level,
    entry_year_id: facts.entry_year_id ?? null,
  }
  const asked = new Map<number, number>()
  for (const one of facts.asked ?? []) asked.set(one.item_id, (asked.get(one.item_id) ?? 0) + one.quantity)
  const byItem = Map.groupBy(settings.prices, (row) => row.item_id)
  const known = new Set(settings.items.map((item) => item.id))
  for (const item_id of asked.keys())
    if (!known.has(item_id)) reasons.push({ code: 'fee_item_unknown', data: { item_id } })
  const shares = new Map<(typeof lines)[number], { row: PriceRow; share: Share }>()
  const order = (item: FeeItem) => FEE_TYPES.indexOf(item.type)
  for (const item of settings.items.toSorted((a, b) => order(a) - order(b) || a.id - b.id)) {
    const quantity = asked.get(item.id) ?? null
    const comes =
      !facts.only_asked &&
      item.is_automatic &&
      (item.deposit ? facts.entering === true : CHARGED_IN(item, facts.term_kind)) &&
      (!item.late_only || facts.late === true)
    if (quantity === null && !comes) continue
    const all = byItem.get(item.id) ?? []
    const rows = all.filter((one) => !isApart(one))
    // Courses with a price of their own, by it; what is asked for is none of a course.
    const own = new Map<PriceRow, ChargedCourse[]>()
    if (rows.length < all.length && quantity === null)
      for (const course of facts.courses) {
        const price = priceOfCourse(all, payer, group.currency, course)
        if (price) own.set(price, [...(own.get(price) ?? []), course])
      }
    const apart = new Set([...own.values()].flat())
    const others = facts.courses.filter((course) => !apart.has(course))
    const add = (row: PriceRow, share: Share, of?: readonly ChargedCourse[]) => {
      const line = {
        item,
        type: item.type,
        rule: row.id,
        apart: of !== undefined,
        per: row.per,
        quantity: share.quantity,
        unit_amount: share.flat?.amount ?? row.amount,
        charged: share.charged,
        gross: share.flat?.amount ?? shareOfAmount(row.amount, share.quantity * share.charged, 100 * WHOLE),
        currency: row.currency,
        registration_ids: share.registration_ids,
      }
      lines.push(line)
      shares.set(line, { row, share: of ? { ...share, of: of.map((course) => course.code) } : share })
    }
    const addOwn = () => {
      for (const [price, courses] of [...own].toSorted(([a], [b]) => a.id - b.id))
        for (const share of sharesOf(price, { courses }, null)) {
          const mine = courses.filter((course) => share.registration_ids.includes(course.registration_id))
          add(price, share, mine)
        }
    }
    const { row, equal } = priceFor(rows, payer, group.currency)
    if (row === null) {
      addOwn()
      // An item that only some courses have concerns nobody else.
      if (all.length > rows.length && !rows.length) continue
      reasons.push(...whyNoPrice(item, rows, payer, group.currency, quantity !== null))
      continue
    }
    if (equal.length > 1) {
      reasons.push({ code: 'fee_prices_equal', data: { ...said(item), rows: equal.map((one) => one.id).join(', ') } })
      continue
    }
    if (row.per === 'year' && quantity === null && facts.charged_items?.includes(item.id)) continue
    for (const share of sharesOf(row, { courses: others }, quantity)) add(row, share)
    addOwn()
  }
  const currencies = [...new Set(lines.map((line) => line.currency))]
  if (currencies.length > 1)
    reasons.push({ code: 'fee_two_currencies', data: { currencies: currencies.toSorted().join(', ') } })
  if (!lines.length && !reasons.length && !facts.only_asked && !concerns(settings, payer, facts))
    reasons.push({ code: 'fee_nothing_priced' })
  const granted = applyGrants(lines, facts.grants, settings)
  const sum = (of: (line: (typeof granted)[number]) => number) =>
    currencies.length > 1 ? 0 : granted.reduce((all, line) => all + of(line), 0)
  return {
    lines: granted.map((line, i) => {
      const { row, share } = shares.get(lines[i]!)!
      return { ...line, words: priceWords(line.item, row, share, line.grants) }
    }),
    reasons,
    currency: currencies.length === 1 ? currencies[0]! : null,
    gross: sum((line) => line.gross),
    amount: sum((line) => line.amount),
  }
}

/** What somebody may ask for, with what one of it costs now: everything that does not come by itself and has a price for the payer. */
export interface OfferedItem {
  readonly item: FeeItem
  readonly per: Per
  /** Of one, after scholarships. */
  readonly amount: number
  readonly currency: Currency
}
export const offeredItems = (facts: PayerFacts, settings: PricedSettings): OfferedItem[] =>
  settings.items.flatMap((item) => {
    if (item.is_automatic) return []
    const { lines, reasons } = priceLines(
      { ...facts, asked: [{ item_id: item.id, quantity: 1 }], only_asked: true },
      settings,
    )
    const [line] = lines
    // What is counted by courses is asked for with them.
    return reasons.length || lines.length !== 1 || !['copy', 'request'].includes(line!.per)
      ? []
      : [{ item, per: line!.per, amount: line!.amount, currency: line!.currency }]
  })

/** Whether anything that comes by itself is priced for the payer at all: courses may be missing, or the year charged already. */
const concerns = (settings: PricedSettings, payer: Criteria, facts: PayerFacts): boolean =>
  settings.items.some(
    (item) =>
      item.is_automatic &&
      !item.deposit &&
      CHARGED_IN(item, facts.term_kind) &&
      settings.prices.some((row) => row.item_id === item.id && matches(row, CRITERIA, payer)),
  )
