/** Figures of faculties, departments and programs over the years: under the name of their time, or as things are today. */
import { bridgesOf, toldNames, type HistoryUnit, type UnitHistory } from '#areas/study/catalogue/units/unit.rules.ts'
import { DIMENSIONS, dimensionOf, type DimensionKey } from './dimensions.contract.ts'
import type { FigureLabel } from './figures.contract.ts'

/** Which kind of unit the values of a dimension are; null: none that has a history. */
export function unitOf(by: DimensionKey): HistoryUnit | null {
  const { table } = dimensionOf(by)
  if (table === DIMENSIONS.faculty.table) return 'faculty'
  if (table === DIMENSIONS.department.table) return 'department'
  return table === DIMENSIONS.program.table ? 'program' : null
}
/** By which a figure is of a time. */
export const isOverTime = (by: DimensionKey): boolean =>
  by !== 'cohort' && ['terms', 'years'].includes(dimensionOf(by).table ?? '')

/** Of which days figures are. */
export interface FigureSpan {
  /** Null: since ever. */
  readonly from: string | null
  readonly to: string
  /** Of one term, year or day alone. */
  readonly one: boolean
}
export type UnitHistories = Partial<Readonly<Record<HistoryUnit, UnitHistory>>>

/** A value with what it was called at the time of its figures. */
export function labelOfTime(
  label: FigureLabel,
  by: DimensionKey,
  histories: UnitHistories,
  span: FigureSpan | null,
): FigureLabel {
  const unit = unitOf(by)
  const history = unit && histories[unit]
  if (!unit || !history || label.key === null || !label.of) return label
  const id = Number(label.key)
  const now = history.now.get(id)
  // What was kept may know an older name.
  const of = now ? { ...label.of, name: now.name, name_local: now.name_local } : label.of
  const told = span && toldNames(history, id, span)
  if (!told) return { ...label, of }
  const brief = ({ name, name_local, within, until }: (typeof told.former)[number]) => ({
    name,
    name_local,
    until,
    // A department that moved kept its name.
    within: within && within.name !== now?.within?.name ? within : null,
  })
  return { ...label, of, called: { of_then: told.of_then && brief(told.of_then), former: told.former.map(brief) } }
}

/** Units that went on in several, of those whose figures are told: they stay apart. */
export interface ToldSplit {
  readonly by: DimensionKey
  readonly of: string
  readonly on: string
  readonly into: readonly string[]
  /** It is one of those in which it went on. */
  readonly goes_on: boolean
}
export const splitsAmong = (by: DimensionKey, keys: readonly (string | null)[], history: UnitHistory, today: string) =>
  bridgesOf(history.successions, today)
    .splits.filter(({ from }) => keys.includes(String(from)))
    .map(({ from, on, into, goes_on }): ToldSplit => ({ by, of: String(from), on, into: into.map(String), goes_on }))

/** Rows of which one went on in others stand together: the one that ended first, then those, each once. */
export function besideEachOther<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | null,
  splits: readonly ToldSplit[],
): Row[] {
  let ordered = [...rows]
  for (const { of, into } of splits) {
    const at = ordered.findIndex((row) => keyOf(row) === of)
    const group = ordered.filter((row) => into.includes(keyOf(row) ?? ''))
    if (at < 0 || !group.length) continue
    const rest = ordered.filter((row) => !group.includes(row))
    const place = rest.findIndex((row) => keyOf(row) === of)
    ordered = [...rest.slice(0, place + 1), ...group, ...rest.slice(place + 1)]
  }
  return ordered
}
