/** An own report as a table: the same on screen, on paper and in a sheet. */
import { inLanguage, type Label, type Language } from '#kit/contract/index.ts'
import type { Cell, ReportColumn } from '../financial/financial.rules.ts'
import type { ReportTable } from '../financial/tables.rules.ts'
import { DIMENSIONS, type DimensionKey } from '../figures/dimensions.contract.ts'
import type { FigureLabel, ToldFigure } from '../figures/figures.contract.ts'
import { measureOf, type MeasureKey } from '../figures/measures.contract.ts'
import { FEW_TEXT, KINDS, valueName } from '../figures/tables.rules.ts'
import { addsUp } from './choices.rules.ts'
import type { OwnFigures, OwnFiguresRow, OwnLine } from './own.contract.ts'

type Say = (label: Label) => string
const TOTAL: Label = ['Sum', 'المجموع']
const SHARE: Label = ['Share', 'النسبة']
const CHANGE: Label = ['Change', 'التغير']

/** What stands in a column of figures: of which column of the report (none: over all), which measure, and how it is read. */
export interface OwnPlace {
  readonly column: number | null
  readonly measure: number
  readonly what: 'now' | 'before' | 'change' | 'share'
}
const keyOfPlace = ({ column, measure, what }: OwnPlace): string => `${column ?? 's'}.${measure}.${what}`
export function placeOfKey(key: string): OwnPlace | null {
  const [column, measure, what] = key.split('.')
  if (measure === undefined || !what) return null
  return { column: column === 's' ? null : Number(column), measure: Number(measure), what: what as OwnPlace['what'] }
}

/** How several values are called together: “Engineering · Level 2”. */
export const valueNames = (
  by: readonly DimensionKey[],
  keys: readonly FigureLabel[],
  lang: Language,
  say: Say,
): string => by.map((key, at) => valueName(key, keys[at]!, lang, say)).join(' · ')

const at = (line: OwnLine | null | undefined, { column, measure }: OwnPlace): ToldFigure =>
  (column === null ? line?.values[measure] : line?.cells[column]?.[measure]) ?? null
/** A share of the sum of its column; of few, or of nothing, there is none. */
export const shareOf = (part: ToldFigure, sum: ToldFigure): ToldFigure =>
  part === 'few' || sum === 'few' ? 'few' : part === null || !sum ? null : Math.round((part / sum) * 10_000) / 100
/** How much more or less it is than before; what is hidden on one side is on both. */
export const changeOf = (now: ToldFigure, before: ToldFigure): ToldFigure =>
  now === 'few' || before === 'few'
    ? 'few'
    : now === null && before === null
      ? null
      : Math.round(((now ?? 0) - (before ?? 0)) * 100) / 100
const cellOf = (figure: ToldFigure): Cell => (figure === 'few' ? FEW_TEXT : figure)

/** A figure at its place, of a row or of the sum. */
export function figureAt(
  place: OwnPlace,
  row: Pick<OwnFiguresRow, 'now' | 'before'>,
  total: OwnFigures['total'],
): ToldFigure {
  const now = at(row.now, place)
  if (place.what === 'now') return now
  if (place.what === 'share') return shareOf(now, at(total.now, place))
  const before = at(row.before, place)
  return place.what === 'before' ? before : changeOf(now, before)
}

/** The places of figures, in the order of columns. */
export function placesOf(report: OwnFigures): OwnPlace[] {
  const whats: OwnPlace['what'][] = report.compared
    ? ['now', 'before', 'change']
    : report.share
      ? ['now', 'share']
      : ['now']
  const columns: (number | null)[] = report.columns_by.length ? [...report.columns.keys(), null] : [null]
  return columns.flatMap((column) =>
    report.measures.flatMap((key, measure) =>
      whats.filter((what) => what !== 'share' || addsUp(key)).map((what) => ({ column, measure, what })),
    ),
  )
}

/** An own report as a table: a column for each dimension of its rows, then the figures. */
export function ownTable(
  report: OwnFigures,
  lang: Language,
  say: Say = (label) => inLanguage(label, lang === 'ar' ? 'ar' : 'en'),
): ReportTable<OwnFiguresRow> {
  const same = (text: string) => [text, text] as const
  const compared = report.compared
  const timeName = (label: FigureLabel | null) => (compared && label ? valueName(compared.by, label, lang, say) : '–')
  const labelOfPlace = ({ measure, what }: OwnPlace, key: MeasureKey): string => {
    const name = say(measureOf(key).label)
    const several = report.measures.length > 1 && measure >= 0
    const told = {
      now: compared ? timeName(compared.now) : '',
      before: timeName(compared?.before ?? null),
      change: say(CHANGE),
      share: say(SHARE),
    }[what]
    if (!told) return name
    return several || !report.columns_by.length ? `${name} · ${told}` : told
  }
  const alone = report.measures.length === 1 && !report.compared && !report.share
  const figures = placesOf(report).map((place): { column: ReportColumn<OwnFiguresRow>; total: Cell } => {
    const key = report.measures[place.measure]!
    const called =
      report.columns_by.length === 0
        ? undefined
        : place.column === null
          ? TOTAL
          : same(valueNames(report.columns_by, report.columns[place.column]!, lang, say))
    // One figure of each column: the columns stand below what it is.
    const [head, label] = called && alone ? [measureOf(key).label, called] : [called, same(labelOfPlace(place, key))]
    return {
      column: {
        key: keyOfPlace(place),
        label,
        kind: place.what === 'share' ? 'percent' : KINDS[measureOf(key).unit],
        ...(head && { head }),
        of: (row) => cellOf(figureAt(place, row, report.total)),
      },
      total: cellOf(figureAt(place, report.total, report.total)),
    }
  })
  const [, ...others] = report.rows_by
  return {
    currency: report.measures.some((key) => measureOf(key).unit === 'usd') ? 'USD' : null,
    columns: [
      ...report.rows_by.map((by, place): ReportColumn<OwnFiguresRow> => ({
        key: by,
        label: DIMENSIONS[by].label,
        kind: 'text',
        of: (row) => valueName(by, row.keys[place]!, lang, say),
      })),
      ...figures.map((one) => one.column),
    ],
    rows: report.rows,
    total: report.rows.length ? [say(TOTAL), ...others.map(() => null), ...figures.map((one) => one.total)] : null,
  }
}
