/** Why two figures differ: what is counted, once or by rows, narrowed by what, of which time and moment, within whose reach. */
import { dimensionOf, isNumbered, type DimensionKey } from '../figures/dimensions.contract.ts'
import { measureOf, FIGURE_MEASURES, type MeasureKey } from '../figures/measures.contract.ts'
import type { OwnFigures } from '../own/own.contract.ts'
import { filtersOfSubject, nearestReport, type OwnAsked } from '../own/choices.rules.ts'

/** A figure that stands beside another: a measure, and what narrows it. */
export interface FigureBeside {
  readonly measure: MeasureKey
  readonly filters: Partial<Readonly<Record<DimensionKey, readonly (string | number)[]>>>
  readonly every: boolean
}

/** A figure as an address holds it; null where it makes no sense. */
export function figureInAddress(text: string | null): FigureBeside | null {
  let given: Partial<Record<'measure' | 'filters' | 'every', unknown>> | null
  try {
    given = JSON.parse(text ?? 'null') as typeof given
  } catch {
    return null
  }
  const measure = given?.measure
  if (typeof measure !== 'string' || !(measure in FIGURE_MEASURES)) return null
  const known = filtersOfSubject(measureOf(measure as MeasureKey).of)
  const filters = Object.entries((given!.filters ?? {}) as Record<string, unknown>).filter(
    ([key, values]) =>
      known.includes(key as DimensionKey) &&
      Array.isArray(values) &&
      values.length > 0 &&
      values.every((one) => typeof one === 'string' || (typeof one === 'number' && isNumbered(key as DimensionKey))),
  )
  return { measure: measure as MeasureKey, filters: Object.fromEntries(filters), every: given!.every === true }
}
/** How it is read: alone, by whatever its report tells it apart first. */
export const askedOfFigure = ({ measure, filters, every }: FigureBeside): OwnAsked => ({
  measures: [measure],
  rows: nearestReport([measure]).rows.slice(0, 1),
  columns: [],
  ...(Object.keys(filters).length > 0 && { filters }),
  ...(every && { every }),
})

/** A figure with the answer that tells it. */
export interface FigureSeen {
  readonly figure: FigureBeside
  readonly seen: Pick<OwnFigures, 'filters' | 'within' | 'at' | 'kept' | 'total'>
}
export type DifferenceCode =
  | 'same'
  | 'subject'
  | 'measure'
  | 'once'
  | 'narrowed'
  | 'values'
  | 'time'
  | 'reach'
  | 'moment'
  | 'few'
  | 'nothing'
/** A reason why they differ; `by` is narrowed in one of them, `only`: which (0, 1). */
export interface Difference {
  readonly code: DifferenceCode
  readonly by?: DimensionKey
  readonly only?: 0 | 1
}

const OF_TIME = (by: DimensionKey): boolean =>
  by !== 'cohort' && ['terms', 'years'].includes(dimensionOf(by).table ?? '')
/** Whether a person counts once in it, whatever he or she has several of. */
const PERSONS: ReadonlySet<MeasureKey> = new Set([
  'students',
  'people',
  'new_students',
  'warned',
  'left',
  'students_then',
  'people_then',
  'graduates',
  'in_time',
  'entered',
  'after_a_year',
  'still_here',
  'completed',
  'gone',
  'registered_students',
  'teachers',
  'wishers',
  'foreigners',
  'foreign_new',
  'foreign_women',
  'foreign_graduates',
  'foreign_payers',
  'moved_students',
] satisfies MeasureKey[])
export const countsPersons = (key: MeasureKey): boolean => PERSONS.has(key)

const valueOf = ({ seen }: FigureSeen) => seen.total.now.values[0] ?? null
const keysOf = ({ seen }: FigureSeen, by: DimensionKey): string =>
  (seen.filters.find((one) => one.by === by)?.values ?? [])
    .map(({ key }) => String(key))
    .toSorted()
    .join()

/** Every reason why two figures may differ, the weightiest first. */
export function differencesOf(a: FigureSeen, b: FigureSeen): Difference[] {
  const [one, other] = [a.figure.measure, b.figure.measure]
  const found: Difference[] = []
  if (measureOf(one).of !== measureOf(other).of) found.push({ code: 'subject' })
  else if (one !== other) found.push({ code: 'measure' })
  if (
    measureOf(one).unit === 'count' &&
    measureOf(other).unit === 'count' &&
    countsPersons(one) !== countsPersons(other)
  )
    found.push({ code: 'once', only: countsPersons(one) ? 0 : 1 })
  const dimensions = [...new Set([a, b].flatMap(({ seen }) => seen.filters.map(({ by }) => by)))]
  for (const by of dimensions) {
    const [mine, theirs] = [keysOf(a, by), keysOf(b, by)]
    if (mine === theirs) continue
    if (mine && theirs) found.push({ code: 'values', by })
    else found.push({ code: OF_TIME(by) ? 'time' : 'narrowed', by, only: mine ? 0 : 1 })
  }
  const reach = ({ seen }: FigureSeen) => seen.within && JSON.stringify(seen.within.map(({ name }) => name).toSorted())
  if (reach(a) !== reach(b)) found.push({ code: 'reach' })
  if (a.seen.kept !== b.seen.kept || (a.seen.kept && a.seen.at !== b.seen.at)) found.push({ code: 'moment' })
  if ([a, b].some((figure) => valueOf(figure) === 'few')) found.push({ code: 'few' })
  if (found.length) return found
  return [{ code: valueOf(a) === valueOf(b) ? 'same' : 'nothing' }]
}

/** The other figure, narrowed as this one is by a dimension; null where it has none. */
export function narrowedAlike(from: FigureSeen, to: FigureBeside, by: DimensionKey): FigureBeside | null {
  if (!filtersOfSubject(measureOf(to.measure).of).includes(by)) return null
  const values = (from.seen.filters.find((one) => one.by === by)?.values ?? []).flatMap(({ key }) =>
    key === null ? [] : [isNumbered(by) ? Number(key) : key],
  )
  if (!values.length) return null
  return { ...to, filters: { ...to.filters, [by]: values }, every: false }
}
