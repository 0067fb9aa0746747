/** What may be put together in an own report, and why the rest may not: said in the browser before it is chosen, and by the server. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Label } from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { DIMENSION_KEYS, dimensionOf, type DimensionKey } from '../figures/dimensions.contract.ts'
import {
  FIGURE_MEASURES,
  figureSubject,
  measureOf,
  type MeasureKey,
  type SubjectKey,
} from '../figures/measures.contract.ts'
import { SYSTEM_LINKS, systemReport, type SystemReport } from '../figures/reports.contract.ts'
import { STANDING_REPORT } from './standing.contract.ts'

/** So many dimensions stand in rows and columns together. */
export const MOST_DIMENSIONS = 3
export const MOST_MEASURES = 6
/** Days of which students are told apart by. */
export const MOST_DAYS = 10

/** Beside what a figure stands: its share of the sum, or the same of before. */
export const COMPARISONS = ['share', 'year_before', 'term_before'] as const
export type Comparison = (typeof COMPARISONS)[number]

/** What an own report asks for. */
export interface OwnAsked {
  readonly measures: readonly MeasureKey[]
  readonly rows: readonly DimensionKey[]
  readonly columns: readonly DimensionKey[]
  readonly filters?: Partial<Readonly<Record<DimensionKey, readonly (string | number)[]>>> | undefined
  /** Of all terms, not of the current one. */
  readonly every?: boolean | undefined
  readonly compare?: Comparison | null | undefined
  readonly largest?: boolean | undefined
  /** The days as of which students are counted. */
  readonly days?: readonly string[] | undefined
  /** Units that ended count in those that they became. */
  readonly today?: boolean | undefined
}

const ALL_REPORTS = [...SYSTEM_LINKS.map((link) => systemReport(link)), STANDING_REPORT]
const reportsOf = (of: SubjectKey): SystemReport[] => ALL_REPORTS.filter((report) => report.of === of)
/** The right to figures of a subject: that of the reports that tell it. */
export const rightOfSubject = (of: SubjectKey): PermissionKey => reportsOf(of)[0]!.permission
export const rightOfMeasure = (key: MeasureKey): PermissionKey => rightOfSubject(measureOf(key).of)
/** By what figures of a subject can be told apart. */
export function dimensionsOfSubject(of: SubjectKey): DimensionKey[] {
  const known = new Set(reportsOf(of).flatMap(({ rows, columns, filters }) => [...rows, ...columns, ...filters]))
  return DIMENSION_KEYS.filter((key) => known.has(key))
}
/** By what they can be narrowed: records, choices and numbers; not single days or texts. */
export const filtersOfSubject = (of: SubjectKey): DimensionKey[] =>
  dimensionsOfSubject(of).filter((key) => !['day', 'text'].includes(dimensionOf(key).kind ?? ''))
/** The report of the system that is nearest: its term is the one that an own report is narrowed to. */
export const nearestReport = (measures: readonly MeasureKey[]): SystemReport => {
  const all = reportsOf(measureOf(measures[0]!).of)
  return (
    all.find((one) => measures.every((key) => one.measures.includes(key))) ??
    all.find((one) => one.measures.includes(measures[0]!))!
  )
}
/** Whether figures of a unit add up, so that one has a share of their sum. */
export const addsUp = (key: MeasureKey): boolean => ['count', 'hours', 'usd'].includes(measureOf(key).unit)

/** Dimensions of terms and years: of these there is one before. */
const isTerms = (key: DimensionKey): boolean => dimensionOf(key).table === 'terms'
const isYears = (key: DimensionKey): boolean => dimensionOf(key).table === 'years'
const OVER_TIME = DIMENSION_KEYS.filter((key) => isTerms(key) || isYears(key))
/**
 * What is compared with the one before it: the one term or year that a report is narrowed to. `current`: that is the
 * current term, which nobody named. Null: there is not exactly one.
 */
export function comparedBy(asked: OwnAsked): { readonly by: DimensionKey; readonly value: number | 'current' } | null {
  const given = OVER_TIME.filter((key) => asked.filters?.[key])
  const [by] = given
  if (given.length === 1 && asked.filters![by!]!.length === 1)
    return { by: by!, value: Number(asked.filters![by!]![0]) }
  const narrowed = !given.length && !asked.every && nearestReport(asked.measures).current
  return narrowed ? { by: 'term', value: 'current' } : null
}

const words = (name: string, [en, ar]: Label) => ({ [name]: en, [`${name}_local`]: ar })

/** Why a measure does not stand beside others; null: it does. */
export function againstMeasure(key: MeasureKey, chosen: readonly MeasureKey[]): Reason | null {
  const other = chosen.find((one) => measureOf(one).of !== measureOf(key).of)
  if (other === undefined) return null
  return {
    field: 'measures',
    code: 'own_report_mixed',
    data: {
      ...words('measure', measureOf(key).label),
      ...words('counts', figureSubject(measureOf(key).of).label),
      ...words('other', figureSubject(measureOf(other).of).label),
    },
  }
}
/** Why figures are not told apart by a dimension; null: they are. */
export function againstDimension(by: DimensionKey, of: SubjectKey, field = 'rows'): Reason | null {
  if (dimensionsOfSubject(of).includes(by)) return null
  return {
    field,
    code: 'own_report_dimension',
    data: { ...words('dimension', dimensionOf(by).label), ...words('counts', figureSubject(of).label) },
  }
}
/** Why a comparison cannot stand; empty: it can. */
export function againstComparison(asked: OwnAsked, compare: Comparison): Reason[] {
  if (compare === 'share')
    return asked.measures
      .filter((key) => !addsUp(key))
      .map((key) => ({
        field: 'compare',
        code: 'own_report_share',
        data: words('measure', measureOf(key).label),
      }))
  const dimensions = [...asked.rows, ...asked.columns]
  const along = dimensions
    .filter((key) => OVER_TIME.includes(key))
    .map((key): Reason => ({
      field: 'compare',
      code: 'own_report_along',
      data: words('dimension', dimensionOf(key).label),
    }))
  if (along.length) return along
  const by = comparedBy(asked)
  if (by === null || (compare === 'term_before' && !isTerms(by.by)))
    return [{ field: 'compare', code: compare === 'term_before' ? 'own_report_one_term' : 'own_report_one_year' }]
  return []
}

/** Every reason against a report. `holds`: whether its reader holds a right. */
export function judgeOwn(
  asked: OwnAsked,
  holds: (right: PermissionKey) => boolean,
): { closed: Reason[]; wrong: Reason[] } {
  const [first] = asked.measures
  const { of } = FIGURE_MEASURES[first!]
  const closed = [...new Set(asked.measures.map((key) => measureOf(key).of))]
    .filter((one) => !holds(rightOfSubject(one)))
    .map((one): Reason => ({ code: 'own_report_closed', data: words('counts', figureSubject(one).label) }))
  const dimensions = [...asked.rows, ...asked.columns]
  const twice = <T>(list: readonly T[]) => [...new Set(list.filter((one, at) => list.indexOf(one) !== at))]
  const wrong: (Reason | null)[] = [
    ...asked.measures.map((key) => againstMeasure(key, [first!])),
    ...twice(asked.measures).map((key) => ({
      field: 'measures',
      code: 'own_report_twice',
      data: words('what', measureOf(key).label),
    })),
    ...twice(dimensions).map((key) => ({
      field: 'rows',
      code: 'own_report_twice',
      data: words('what', dimensionOf(key).label),
    })),
    ...asked.rows.map((key) => againstDimension(key, of, 'rows')),
    ...asked.columns.map((key) => againstDimension(key, of, 'columns')),
    ...Object.keys(asked.filters ?? {})
      .filter((key) => !filtersOfSubject(of).includes(key as DimensionKey))
      .map(
        (key): Reason =>
          againstDimension(key as DimensionKey, of, 'filters') ?? {
            field: 'filters',
            code: 'unknown_field',
            data: { field: key },
          },
      ),
    dimensions.length > MOST_DIMENSIONS
      ? { field: 'rows', code: 'own_report_dimensions', data: { max: MOST_DIMENSIONS } }
      : null,
    asked.days?.length && !dimensionsOfSubject(of).includes('as_of')
      ? { field: 'days', code: 'own_report_days', data: words('counts', figureSubject(of).label) }
      : null,
    // Somebody who stood on two days would be one person, and nobody could say of which day.
    (asked.days?.length ?? 0) > 1 && !dimensions.includes('as_of')
      ? { field: 'days', code: 'own_report_days_apart' }
      : null,
    ...(asked.compare ? againstComparison(asked, asked.compare) : []),
  ]
  return { closed, wrong: wrong.filter((one) => one !== null) }
}
