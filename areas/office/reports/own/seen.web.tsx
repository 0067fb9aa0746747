import type { ReactNode } from 'react'
import { Chart, type ChartPoint, type ChartSeries } from '#kit/web/charts/chart.tsx'
import { formatDate, formatInstant, formatList, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { ReportView } from '../financial/parts.web.tsx'
import { DIMENSIONS } from '../figures/dimensions.contract.ts'
import { FIGURE_MEASURES, measureOf } from '../figures/measures.contract.ts'
import { MOST_BARS, formatsOf } from '../figures/screen.web.tsx'
import { splitSentences, valueName } from '../figures/tables.rules.ts'
import type { OwnAddress } from './address.web.ts'
import type { OwnFigures, OwnFiguresRow } from './own.contract.ts'
import { figureAt, valueNames, ownTable, placeOfKey, type OwnPlace } from './tables.rules.ts'
import css from './own.module.css'

type Looks = Pick<OwnAddress, 'shown' | 'toCell'>
const number = (figure: unknown): number | null => (typeof figure === 'number' ? figure : null)

/** Where a figure of the table leads. */
const leads = (seen: OwnFigures, toCell: OwnAddress['toCell']) => (row: OwnFiguresRow | null, key: string) => {
  const place = placeOfKey(key)
  if (!place || (place.what !== 'now' && place.what !== 'before')) return null
  return toCell({
    measure: seen.measures[place.measure]!,
    row: row && row.keys.map((one) => one.key),
    column: place.column === null ? null : seen.columns[place.column]!.map((one) => one.key),
    ...(place.what === 'before' && { before: true }),
  })
}

/** More columns are told by the table alone. */
const MOST_SERIES = 12
/** What is drawn: the values of the columns, the time before beside now, or the measures of one unit. */
function drawn(seen: OwnFigures, lang: ReturnType<typeof useLanguage>, say: ReturnType<typeof useLabel>) {
  const { unit } = measureOf(seen.measures[0]!)
  const same = (text: string) => [text, text] as const
  const adds = ['count', 'hours', 'usd'].includes(unit)
  const series: { key: string; place: OwnPlace; label: ChartSeries['label'] }[] = seen.columns_by.length
    ? seen.columns.slice(0, MOST_SERIES).map((column, at) => ({
        key: `c${at}`,
        place: { column: at, measure: 0, what: 'now' },
        label: same(valueNames(seen.columns_by, column, lang, say)),
      }))
    : seen.compared
      ? (['before', 'now'] as const).map((what) => ({
          key: what,
          place: { column: null, measure: 0, what },
          label: same(seen.compared![what] ? valueName(seen.compared!.by, seen.compared![what], lang, say) : '–'),
        }))
      : seen.measures.flatMap((key, measure) =>
          measureOf(key).unit === unit
            ? [{ key, place: { column: null, measure, what: 'now' as const }, label: FIGURE_MEASURES[key].label }]
            : [],
        )
  const value = (row: Pick<OwnFiguresRow, 'now' | 'before'>, place: OwnPlace) =>
    number(figureAt(place, row, seen.total))
  // What is nothing everywhere is not drawn beside what is something.
  const told = series.filter((one) => seen.rows.some((row) => value(row, one.place)))
  const points = seen.rows.map((row, at): ChartPoint => ({
    name: valueNames(seen.rows_by, row.keys, lang, say),
    at,
    ...Object.fromEntries(told.map((one) => [one.key, value(row, one.place)])),
  }))
  const size = (point: ChartPoint) => told.reduce((sum, one) => sum + Math.abs(Number(point[one.key] ?? 0)), 0)
  const large = points.length <= MOST_BARS ? points : points.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_BARS)
  return {
    unit,
    series: told,
    points,
    large,
    stacked: seen.columns_by.length > 0 && adds && !seen.columns_by.includes('as_of'),
    some: large.some((point) => size(point) > 0),
  }
}

/** The chart of a report. */
export function OwnChart({
  seen,
  title,
  tools,
  toCell,
}: {
  seen: OwnFigures
  title: string
  tools?: ReactNode
  toCell?: OwnAddress['toCell']
}) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const { unit, series, points, large, stacked, some } = drawn(seen, lang, say)
  if (!some) return null
  // Days and terms one after the other are a line.
  const [only] = seen.rows_by
  const along = seen.rows_by.length === 1 && (only === 'as_of' || only === 'day')
  const texts = [
    ...(large.length < points.length ? [t('largest_of', { shown: large.length, count: points.length })] : []),
    ...(seen.columns.length > MOST_SERIES
      ? [t('own_first_columns', { shown: MOST_SERIES, count: seen.columns.length })]
      : []),
  ]
  return (
    <Chart
      kind={along ? 'line' : 'bar'}
      horizontal={!along}
      stacked={stacked && !along}
      title={title}
      tools={tools}
      {...(texts.length > 0 && { text: texts.join(' ') })}
      data={along ? points : large}
      series={series}
      {...formatsOf(unit)}
      height={
        along ? 260 : Math.max(140, large.length * (stacked || series.length === 1 ? 30 : 16 + 14 * series.length) + 50)
      }
      pointLabel={DIMENSIONS[seen.rows_by[0]!].label}
      {...(toCell && {
        href: (point: ChartPoint, key: string) => {
          const place = series.find((one) => one.key === key)?.place
          const row = seen.rows[Number(point.at)] ?? null
          return place && row ? leads(seen, toCell)(row, `${place.column ?? 's'}.${place.measure}.${place.what}`) : null
        },
      })}
    />
  )
}

/** What a reader has to know of the figures: of which part they are, since when they are known, what is not told. */
function Notes({ seen }: { seen: OwnFigures }) {
  const t = useT('reports')
  const lang = useLanguage()
  const few = [...seen.rows, seen.total].some(({ now, before }) =>
    [now, before].some((line) => line && [...line.values, ...line.cells.flat()].includes('few')),
  )
  // Somebody who stands in two rows or columns is one person in their sum.
  const sumOf = (values: readonly unknown[]) => values.reduce<number>((sum, one) => sum + (number(one) ?? 0), 0)
  const counts = seen.measures.flatMap((key, at) => (measureOf(key).unit === 'count' ? [at] : []))
  const onceOnly = counts.some(
    (at) =>
      sumOf(seen.rows.map((row) => row.now.values[at])) > Number(seen.total.now.values[at]) ||
      (seen.columns.length > 0 &&
        sumOf(seen.total.now.cells.map((cells) => cells[at])) > Number(seen.total.now.values[at])),
  )
  const say = useLabel()
  const what = { status: t('own_known_status'), level: t('own_known_level'), place: t('own_known_place') }
  return (
    <p className={css.note}>
      {seen.within && (
        <strong>
          {seen.within.length
            ? t('own_within', {
                parts: formatList(
                  seen.within.map((one) => nameOf(one, lang)),
                  lang,
                ),
              })
            : t('own_within_own')}{' '}
        </strong>
      )}
      {t(seen.kept ? 'kept_at' : 'live_at', { at: formatInstant(seen.at, lang) })}
      {seen.compared && seen.compared.before === null && ` ${t('own_none_before')}`}
      {onceOnly && ` ${t('people_once')}`}
      {few && ` ${t('few_hidden')}`}
      {seen.more_rows > 0 && ` ${t('own_more_rows', { count: seen.more_rows })}`}
      {seen.more_columns > 0 && ` ${t('more_columns', { count: seen.more_columns })}`}
      {seen.known.map(
        (one) => ` ${t('own_known', { what: what[one.what], day: formatDate(one.since, 'long', lang) })}`,
      )}
      {splitSentences(seen.splits, lang, say, (day) => formatDate(day, 'long', lang)).map((text) => ` ${text}`)}
    </p>
  )
}

/** A report at once as chart and table. */
export function OwnSeen({ seen, address: { shown, toCell } }: { seen: OwnFigures; address: Looks }) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const by = [...seen.rows_by, ...seen.columns_by].map((key) => say(DIMENSIONS[key].label)).join(' · ')
  return (
    <>
      {shown !== 'table' && (
        <OwnChart seen={seen} title={say(FIGURE_MEASURES[seen.measures[0]!].label)} toCell={toCell} />
      )}
      {(shown !== 'chart' || !seen.rows.length) && (
        <ReportView
          title={by}
          table={seen.rows.length ? ownTable(seen, lang, say) : undefined}
          href={leads(seen, toCell)}
          empty={t('nothing_matches')}
        />
      )}
      <Notes seen={seen} />
    </>
  )
}
