import { keepPreviousData } from '@tanstack/react-query'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { ScreenTabs } from '#kit/web/detail/parts.tsx'
import { Failed, Problems } from '#kit/web/feedback/index.ts'
import {
  formatDate,
  formatInstant,
  formatMoney,
  formatMoneyShort,
  formatNumber,
  formatPercent,
  useLabel,
  useLanguage,
  useT,
} from '#kit/web/i18n/index.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { ReportView, fileActions } from '../financial/parts.web.tsx'
import { FILTER_KEYS, useAddress, type ReportAddress } from './asked.web.ts'
import { DIMENSIONS } from './dimensions.contract.ts'
import { figuresCalls, type FigureRow, type SystemFigures } from './figures.contract.ts'
import { ReportFilters } from './filters.web.tsx'
import { isWorkedOut, useKeptFigures, WorkedOut, WorkOutAgain } from './kept.web.tsx'
import { FIGURE_MEASURES, measureOf, type MeasureKey, type MeasureUnit } from './measures.contract.ts'
import { SYSTEM_LINKS, drawnOf, systemReport, type ReportLink } from './reports.contract.ts'
import { CellRows } from './rows.web.tsx'
import { figuresTable, splitSentences, valueName } from './tables.rules.ts'
import css from './figures.module.css'

/** The reports of a screen, each in a tab. */
export function ReportScreen({ path, title }: { path: string; title: string }) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const [query] = useSearchParams()
  const links = SYSTEM_LINKS.filter((link) => systemReport(link).screen === path)
  const link = links.find((one) => one === query.get('tab')) ?? links[0]!
  const report = systemReport(link)
  const { asked, cell } = useAddress(report)
  const { problem, go } = useChange()
  const { main, menu } = fileActions(
    t,
    lang,
    (paper, type) => void go(() => download(figuresCalls.file, { params: { link, lang: paper, type }, body: asked })),
  )
  return (
    <Page
      title={title}
      subtitle={say(report.text)}
      action={cell ? undefined : <MainButton action={main} />}
      menu={cell ? undefined : <MenuItems actions={menu} />}
      wide
    >
      <Stack>
        {problem !== null && <Problems error={problem} />}
        {links.length > 1 ? (
          <ScreenTabs
            keep={FILTER_KEYS}
            tabs={links.map((one) => ({
              key: one,
              label: say(systemReport(one).label),
              content: () => <OneReport link={one} />,
            }))}
          />
        ) : (
          <OneReport link={link} />
        )}
      </Stack>
    </Page>
  )
}

function OneReport({ link }: { link: ReportLink }) {
  const report = systemReport(link)
  const address = useAddress(report)
  const kept = useKeptFigures(`/reports/${link}`)
  const { data, error, refetch, isPlaceholderData } = useCall(
    figuresCalls.figures,
    { params: { link }, body: address.asked },
    { placeholderData: keepPreviousData, refetchInterval: kept.refetchInterval },
  )
  const seen = data?.data
  const again = (at: string) =>
    kept.again(at, (send) => send(figuresCalls.figures, { params: { link }, body: { ...address.asked, fresh: true } }))
  if (address.cell) return <CellRows {...{ link, report, address, seen }} cell={address.cell} />
  return (
    <Stack busy={isPlaceholderData}>
      <ReportFilters {...{ report, address, seen }} />
      {isWorkedOut(error) && (!seen || isPlaceholderData) ? (
        <WorkedOut />
      ) : error && !seen ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : seen ? (
        <>
          <Seen {...{ seen, report, address }} />
          {seen.kept && (
            <WorkOutAgain busy={kept.busy} problem={kept.problemWith(seen.at)} act={() => again(seen.at)} />
          )}
        </>
      ) : (
        <Bone height={480} />
      )}
    </Stack>
  )
}

/** How figures of a unit are written, in full and at an axis. */
export function formatsOf(unit: MeasureUnit): { format: (value: number) => string; short?: (value: number) => string } {
  if (unit === 'percent')
    return { format: (value) => formatPercent(value / 100, 1), short: (value) => formatPercent(value / 100) }
  if (unit === 'usd')
    return { format: (minor) => formatMoney(minor, 'USD'), short: (minor) => formatMoneyShort(minor, 'USD') }
  return { format: (value) => formatNumber(value) }
}
/** Bars that fit on a screen: the largest ones. */
export const MOST_BARS = 20

function Seen({
  seen,
  report,
  address,
}: {
  seen: SystemFigures
  report: ReturnType<typeof systemReport>
  address: ReportAddress
}) {
  const t = useT('reports')
  const say = useLabel()
  const lang = useLanguage()
  const table = figuresTable(seen, lang, say)
  const { columns_by } = seen
  const keys: readonly MeasureKey[] = columns_by ? [seen.measure] : drawnOf(report)
  const { unit } = measureOf(keys[0]!)
  const name = (row: FigureRow) => valueName(seen.rows_by, row, lang, say)
  const number = (figure: FigureRow['values'][number] | undefined): number | null =>
    typeof figure === 'number' ? figure : null
  const stacked = columns_by !== null && ['count', 'hours', 'usd'].includes(unit) && seen.columns.length > 1
  const series = stacked
    ? seen.columns.map((one, at) => {
        const said = valueName(columns_by, one, lang, say)
        return { key: `c${at}`, label: [said, said] as const }
      })
    : keys.map((key) => ({ key, label: FIGURE_MEASURES[key].label }))
  const points = seen.rows.map((row, at) => ({
    name: name(row),
    at,
    ...(stacked
      ? Object.fromEntries(row.cells.map((cell, place) => [`c${place}`, number(cell)]))
      : Object.fromEntries(keys.map((key) => [key, number(row.values[seen.measures.indexOf(key)])]))),
  }))
  const size = (point: (typeof points)[number]) =>
    series.reduce((sum, one) => sum + Number((point as Record<string, unknown>)[one.key] ?? 0), 0)
  const large =
    report.chart === 'line'
      ? points.filter((_point, at) => seen.rows[at]!.key !== null)
      : points.length <= MOST_BARS
        ? points
        : points.toSorted((a, b) => size(b) - size(a)).slice(0, MOST_BARS)
  const columnAt = (key: string) => (columns_by && key.startsWith('c') ? Number(key.slice(1)) : null)
  const href = (row: FigureRow | null, column: string): string | null => {
    const place = columnAt(column)
    const key = columns_by ? seen.measure : (column as MeasureKey)
    if (columns_by && place !== null && Number.isInteger(place))
      return address.toCell(key, row ? row.key : undefined, seen.columns[place]!.key)
    return address.toCell(key, row ? row.key : undefined)
  }
  // Somebody who stands in two rows is one person in the sum.
  const counted = seen.measures.map((key, at) =>
    measureOf(key).unit === 'count' ? seen.rows.reduce((sum, row) => sum + (number(row.values[at]) ?? 0), 0) : -1,
  )
  const few = seen.rows.some((row) => [...row.values, ...row.cells].includes('few'))
  const title = [DIMENSIONS[seen.rows_by].label, ...(columns_by ? [DIMENSIONS[columns_by].label] : [])].map(say)
  return (
    <>
      {large.length > 1 && large.some((point) => size(point) > 0) && (
        <Chart
          kind={report.chart}
          horizontal={report.chart === 'bar'}
          stacked={stacked || (keys.length > 1 && unit !== 'percent')}
          title={columns_by || keys.length === 1 ? say(FIGURE_MEASURES[keys[0]!].label) : say(report.label)}
          {...(large.length < points.length && {
            text: t('largest_of', { shown: large.length, count: points.length }),
          })}
          data={large}
          series={series}
          {...formatsOf(unit)}
          height={report.chart === 'line' ? 260 : Math.max(140, large.length * 30 + 50)}
          pointLabel={DIMENSIONS[seen.rows_by].label}
          href={(point, key) => href(seen.rows[Number(point.at)] ?? null, key)}
        />
      )}
      <ReportView
        title={title.join(' · ')}
        table={seen.rows.length ? table : undefined}
        href={href}
        empty={t('nothing_matches')}
      />
      <p className={css.note}>
        {t(seen.kept ? 'kept_at' : 'live_at', { at: formatInstant(seen.at, lang) })}
        {counted.some((sum, at) => sum > Number(seen.total.values[at])) && ` ${t('people_once')}`}
        {few && ` ${t('few_hidden')}`}
        {seen.more_columns > 0 && ` ${t('more_columns', { count: seen.more_columns })}`}
        {splitSentences(seen.splits, lang, say, (day) => formatDate(day, 'long', lang)).map((text) => ` ${text}`)}
      </p>
    </>
  )
}
