/** Reports of figures as tables: the same on screen, on paper and in a sheet. */
import { inLanguage, type Label, type Language } from '#kit/contract/index.ts'
import type { Cell, ReportColumn } from '../financial/financial.rules.ts'
import type { ReportTable } from '../financial/tables.rules.ts'
import { DIMENSIONS, dimensionOf, type DimensionKey } from './dimensions.contract.ts'
import type { ToldFigure, FigureLabel, FigureRow, SystemFigures } from './figures.contract.ts'
import { FIGURE_MEASURES, measureOf, type MeasureKey } from './measures.contract.ts'

type Say = (label: Label) => string
const TOTAL: Label = ['Sum', 'المجموع']
const WITHOUT: Label = ['Without', 'بدون']
/** What stands where a figure is of so few that it is not told. */
export const FEW_TEXT = '< 5'

/** What a value of a dimension is called. */
export function valueName(by: DimensionKey, { key, of }: FigureLabel, lang: Language, say: Say): string {
  if (key === null) return say(WITHOUT)
  if (of) return (lang === 'ar' ? of.name_local : of.name) || of.name
  const choice = dimensionOf(by).choices?.find((one) => String(one.value) === key)
  return choice ? say(choice.label) : key
}
export const KINDS = {
  count: 'count',
  hours: 'decimal',
  percent: 'percent',
  points: 'decimal',
  years: 'decimal',
  usd: 'money',
} as const
/** A figure of few is a text, on paper as on the screen. */
const cellOf = (figure: ToldFigure): Cell => (figure === 'few' ? FEW_TEXT : figure)

/** A report: a column for each measure, or for each value of the dimension in its columns and their sum. */
export function figuresTable(
  report: SystemFigures,
  lang: Language,
  say: Say = (label) => inLanguage(label, lang === 'ar' ? 'ar' : 'en'),
): ReportTable<FigureRow> {
  const first: ReportColumn<FigureRow> = {
    key: 'row',
    label: DIMENSIONS[report.rows_by].label,
    kind: 'text',
    of: (row) => valueName(report.rows_by, row, lang, say),
  }
  const at = report.measures.indexOf(report.measure)
  const kind = KINDS[measureOf(report.measure).unit]
  const { columns_by } = report
  const figures: { column: ReportColumn<FigureRow>; total: ToldFigure }[] = columns_by
    ? [
        ...report.columns.map((label, place) => {
          const name = valueName(columns_by, label, lang, say)
          return {
            column: {
              key: `c${place}`,
              label: [name, name] as const,
              kind,
              head: FIGURE_MEASURES[report.measure].label,
              of: (row: FigureRow) => cellOf(row.cells[place] ?? null),
            },
            total: report.total.cells[place] ?? null,
          }
        }),
        {
          column: { key: report.measure, label: TOTAL, kind, of: (row) => cellOf(row.values[at] ?? null) },
          total: report.total.values[at] ?? null,
        },
      ]
    : report.measures.map((key: MeasureKey, place) => ({
        column: {
          key,
          label: FIGURE_MEASURES[key].label,
          kind: KINDS[measureOf(key).unit],
          of: (row: FigureRow) => cellOf(row.values[place] ?? null),
        },
        total: report.total.values[place] ?? null,
      }))
  return {
    currency: report.measures.some((key) => measureOf(key).unit === 'usd') ? 'USD' : null,
    columns: [first, ...figures.map((one) => one.column)],
    rows: report.rows,
    total: report.rows.length ? [say(TOTAL), ...figures.map((one) => cellOf(one.total))] : null,
  }
}
/** Rows and columns of a report in words: “Students by faculty and gender”. */
export const figuresFacts = (report: SystemFigures, lang: Language, say: Say): [label: string, value: string][] =>
  report.filters.map(({ by, values }) => [
    say(DIMENSIONS[by].label),
    values.map((value) => valueName(by, value, lang, say)).join(lang === 'ar' ? '، ' : ', '),
  ])
