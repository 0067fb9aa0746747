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

const UNTIL: Label = ['until {year}: {name}', 'حتى {year}: {name}']
const NOW: Label = ['now {name}', 'الآن {name}']
const WITHIN: Label = ['in {name}', 'ضمن {name}']
const filled = (text: string, data: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, key: string) => data[key] ?? whole)

/** The name of the time of figures with the present one beside it, or the present one with the former ones. */
function calledAtTheTime(name: string, called: FigureLabel['called'], lang: Language, say: Say): string {
  if (!called) return name
  const inLang = (one: { readonly name: string; readonly name_local: string }) =>
    lang === 'ar' ? one.name_local : one.name
  type Then = NonNullable<FigureLabel['called']>['former'][number]
  const then = (one: Then) => {
    const within = one.within && filled(say(WITHIN), { name: inLang(one.within) })
    return inLang(one) === name && within ? within : [inLang(one), within].filter(Boolean).join(' ')
  }
  if (called.of_then) {
    const was = then(called.of_then)
    return inLang(called.of_then) === name ? `${name} (${was})` : `${was} (${filled(say(NOW), { name })})`
  }
  const former = called.former.map((one) =>
    filled(say(UNTIL), { year: (one.until ?? '').slice(0, 4), name: then(one) }),
  )
  return `${name} (${former.join(lang === 'ar' ? '؛ ' : '; ')})`
}

/** What a value of a dimension is called. */
export function valueName(by: DimensionKey, { key, of, called }: FigureLabel, lang: Language, say: Say): string {
  if (key === null) return say(WITHOUT)
  if (of) return calledAtTheTime((lang === 'ar' ? of.name_local : of.name) || of.name, called, lang, say)
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
  // Those in which one went on stand below it.
  const parts = new Set(
    report.splits.flatMap(({ by, into }) => (by === report.rows_by ? into.map(({ key }) => key) : [])),
  )
  const first: ReportColumn<FigureRow> = {
    key: 'row',
    label: DIMENSIONS[report.rows_by].label,
    kind: 'text',
    of: (row) =>
      `${parts.has(row.key) ? `${lang === 'ar' ? '↲' : '↳'} ` : ''}${valueName(report.rows_by, row, lang, say)}`,
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
const SPLIT: Label = [
  '{name} was split on {day} into {names}: what was counted before stays apart, as nobody can say whose part it was.',
  'قُسمت {name} في {day} إلى {names}: تبقى أرقامها السابقة منفصلة إذ لا يُعرف نصيب كل منها.',
]
const SPLIT_OFF: Label = [
  'On {day}, {names} split off from {name}: what was counted before stays where its students are now, as nobody can say whose part it was.',
  'في {day} انفصلت {names} عن {name}: تبقى الأرقام السابقة حيث يوجد طلابها الآن إذ لا يُعرف نصيب كل منها.',
]
/** Why units that went on in several stand apart. `day` writes a day as people do. */
export const splitSentences = (
  splits: SystemFigures['splits'],
  lang: Language,
  say: Say,
  day: (day: string) => string,
): string[] =>
  splits.map(({ by, of, on, into, goes_on }) =>
    filled(say(goes_on ? SPLIT_OFF : SPLIT), {
      name: valueName(by, of, lang, say),
      day: day(on),
      names: into.map((one) => valueName(by, one, lang, say)).join(lang === 'ar' ? ' و' : ', '),
    }),
  )
const UNITS: Label = ['Faculties, departments, programs', 'الكليات والأقسام والبرامج']
const AS_TODAY: Label = ['As it is today', 'كما هو الآن']
const NOTE: Label = ['Note', 'ملاحظة']
/** What stands above a report on paper of units that ended. */
export const unitFacts = (
  { today, splits }: Pick<SystemFigures, 'today' | 'splits'>,
  lang: Language,
  say: Say,
  day: (day: string) => string,
): [label: string, value: string][] => [
  ...(today ? [[say(UNITS), say(AS_TODAY)] as [string, string]] : []),
  ...splitSentences(splits, lang, say, day).map((text): [string, string] => [say(NOTE), text]),
]
/** Rows and columns of a report in words: “Students by faculty and gender”. */
export const figuresFacts = (report: SystemFigures, lang: Language, say: Say): [label: string, value: string][] =>
  report.filters.map(({ by, values }) => [
    say(DIMENSIONS[by].label),
    values.map((value) => valueName(by, value, lang, say)).join(lang === 'ar' ? '، ' : ', '),
  ])
