/** A report while it is put together: read from an address, changed step by step. Nothing here asks the server. */
import { DIMENSION_KEYS, type DimensionKey } from '../figures/dimensions.contract.ts'
import { FIGURE_MEASURES, measureOf, type MeasureKey } from '../figures/measures.contract.ts'
import {
  COMPARISONS,
  MOST_DAYS,
  MOST_DIMENSIONS,
  MOST_MEASURES,
  againstComparison,
  dimensionsOfSubject,
  filtersOfSubject,
  nearestReport,
  type OwnAsked,
} from './choices.rules.ts'

const isMeasure = (key: unknown): key is MeasureKey => typeof key === 'string' && key in FIGURE_MEASURES
const isDimension = (key: unknown): key is DimensionKey => (DIMENSION_KEYS as readonly unknown[]).includes(key)

/** A report as an address holds it; null where it makes no sense. The server looks at it again. */
export function ownInAddress(text: string | null): OwnAsked | null {
  if (!text) return null
  let given: Partial<Record<keyof OwnAsked, unknown>>
  try {
    given = JSON.parse(text) as typeof given
  } catch {
    return null
  }
  const list = <T>(value: unknown, is: (one: unknown) => one is T): T[] =>
    Array.isArray(value) ? value.filter(is) : []
  const measures = list(given?.measures, isMeasure).slice(0, MOST_MEASURES)
  const rows = list(given?.rows, isDimension)
  if (!measures.length || !rows.length) return null
  const filters = Object.entries((given.filters ?? {}) as Record<string, unknown>).flatMap(([key, values]) =>
    isDimension(key) && Array.isArray(values) && values.length > 0
      ? [[key, values as (string | number)[]] as const]
      : [],
  )
  const days = list(given.days, (one): one is string => typeof one === 'string' && /^\d{4}-\d\d-\d\d$/.test(one))
  const compare = COMPARISONS.find((one) => one === given.compare)
  return settled({
    measures,
    rows,
    columns: list(given.columns, isDimension),
    ...(filters.length && { filters: Object.fromEntries(filters) }),
    ...(given.every === true && { every: true }),
    ...(compare && { compare }),
    ...(given.largest === true && { largest: true }),
    ...(days.length && { days: days.slice(0, MOST_DAYS) }),
    ...(given.today === true && { today: true }),
  })
}

/** Without what cannot stand any more: a comparison, dimensions and filters of another subject, more than three dimensions. */
export function settled(asked: OwnAsked): OwnAsked {
  const { of } = measureOf(asked.measures[0]!)
  const known = dimensionsOfSubject(of)
  const seen = new Set<DimensionKey>()
  const keep = (list: readonly DimensionKey[]) =>
    list.filter((key) => known.includes(key) && !seen.has(key) && seen.size < MOST_DIMENSIONS && Boolean(seen.add(key)))
  let rows = keep(asked.rows)
  let columns = keep(asked.columns)
  // Something stands in rows, always.
  if (!rows.length) {
    const [first, ...others] = columns
    rows = first ? [first] : nearestReport(asked.measures).rows.slice(0, 1)
    columns = others
  }
  const filters = Object.entries(asked.filters ?? {}).filter(
    ([key, values]) => filtersOfSubject(of).includes(key as DimensionKey) && values?.length,
  )
  const { compare, days, filters: _filters, ...rest } = asked
  const next: OwnAsked = {
    ...rest,
    measures: asked.measures.filter((key) => measureOf(key).of === of),
    rows,
    columns,
    ...(filters.length && { filters: Object.fromEntries(filters) }),
    ...(days?.length && known.includes('as_of') && { days }),
  }
  return compare && !againstComparison(next, compare).length ? { ...next, compare } : next
}

/** What a report begins with: one figure, by the first that its report tells apart. */
export const beginWith = (measure: MeasureKey): OwnAsked =>
  settled({ measures: [measure], rows: nearestReport([measure]).rows.slice(0, 1), columns: [] })

/** With one more measure; one of another subject begins a new report. */
export const withMeasure = (asked: OwnAsked, key: MeasureKey): OwnAsked =>
  measureOf(key).of === measureOf(asked.measures[0]!).of
    ? settled({ ...asked, measures: [...asked.measures.filter((one) => one !== key), key].slice(-MOST_MEASURES) })
    : beginWith(key)
/** Without a measure; the last one stays. */
export const withoutMeasure = (asked: OwnAsked, key: MeasureKey): OwnAsked =>
  asked.measures.length > 1 ? settled({ ...asked, measures: asked.measures.filter((one) => one !== key) }) : asked

/** Dimensions as one list: those in rows, then those in columns, with what stands between them. */
export const BETWEEN = 'columns'
export type Slot = DimensionKey | typeof BETWEEN
export const slotsOf = ({ rows, columns }: OwnAsked): Slot[] => [...rows, BETWEEN, ...columns]
/** The dimensions as their list says; somebody who moves the last one out of the rows finds it there again. */
export function withSlots(asked: OwnAsked, slots: readonly Slot[]): OwnAsked {
  const at = slots.indexOf(BETWEEN)
  const of = (list: readonly Slot[]) => list.filter((one): one is DimensionKey => one !== BETWEEN)
  return settled({ ...asked, rows: of(slots.slice(0, at)), columns: of(slots.slice(at + 1)) })
}
/** One more dimension in rows or columns, where there is room. */
export const withDimension = (asked: OwnAsked, key: DimensionKey, where: 'rows' | 'columns'): OwnAsked =>
  asked.rows.length + asked.columns.length >= MOST_DIMENSIONS
    ? asked
    : settled({ ...asked, [where]: [...asked[where], key] })
export const withoutDimension = (asked: OwnAsked, key: DimensionKey): OwnAsked =>
  settled({
    ...asked,
    rows: asked.rows.filter((one) => one !== key),
    columns: asked.columns.filter((one) => one !== key),
  })
/** Narrowed by a dimension, or no more. */
export function withFilter(asked: OwnAsked, key: DimensionKey, values: readonly (string | number)[] | null): OwnAsked {
  const { [key]: _before, ...others } = asked.filters ?? {}
  return settled({ ...asked, filters: values?.length ? { ...others, [key]: values } : others })
}
/** Whether two reports ask for the same. */
export const sameAsked = (one: OwnAsked, other: OwnAsked): boolean =>
  JSON.stringify(plain(one)) === JSON.stringify(plain(other))
const plain = ({ measures, rows, columns, filters, every, compare, largest, days }: OwnAsked) => [
  measures,
  rows,
  columns,
  Object.entries(filters ?? {}).toSorted(([a], [b]) => a.localeCompare(b)),
  every ?? false,
  compare ?? null,
  largest ?? false,
  days ?? [],
]
