import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconChartBar, IconDownload, IconTable } from '@tabler/icons-react'
import type { Tone } from '#kit/contract/field.ts'
import type { Label } from '#kit/contract/words.ts'
import { saveAs } from '../api/index.ts'
import { Empty } from '../feedback/index.ts'
import { formatNumber, useLabel, useT } from '../i18n/index.ts'
import { part } from '../later.ts'
import css from './chart.module.css'

const Drawing = part(async () => (await import('./drawing.tsx')).default)
/** Its figures as a table: fetched by who asks for it. */
const Figures = part(async () => (await import('./figures.tsx')).default)

export interface ChartPoint {
  /** What stands on the axis. */
  readonly name: string
  readonly [series: string]: string | number | null
}
export interface ChartSeries {
  readonly key: string
  readonly label: Label
  /** A status colour, where the series is one; else the palette in order. */
  readonly tone?: Tone
}
export interface ChartProps {
  readonly kind: 'bar' | 'line' | 'donut'
  readonly title: string
  /** One sentence: what to see in it. */
  readonly text?: string
  readonly data: readonly ChartPoint[] | undefined
  readonly series: readonly ChartSeries[]
  readonly format?: (value: number) => string
  /** How a figure stands at an axis and at the end of a bar, where that is shorter: 1.2 M. */
  readonly short?: (value: number) => string
  readonly height?: number
  /** Where the figures lie, where that is known: 0 to 4 for a GPA. Then the axis shows all of it. */
  readonly range?: readonly [number, number]
  /** Bars on each other. */
  readonly stacked?: boolean
  /** Bars lie: names too long to stand beneath each other's columns. */
  readonly horizontal?: boolean
  /** The list behind a figure: a bar and the figure in the table lead there. */
  readonly href?: (point: ChartPoint, series: string) => string | null
  /** Stands before the chart's own buttons. */
  readonly tools?: ReactNode
  /** What the points are, for the table's first column. */
  readonly pointLabel?: Label
}

/** A field of a CSV file; what a spreadsheet would take for a formula is made text. */
const csvCell = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A chart with its title, the same figures as a table, and a file of them. Drawn only when it is looked at. */
export function Chart(props: ChartProps) {
  const { title, text, data, series, format = (value: number) => formatNumber(value), height = 240, pointLabel } = props
  const t = useT('kit-screens')
  const say = useLabel()
  const [table, setTable] = useState(false)
  const first = pointLabel ? say(pointLabel) : t('chart_point')
  const save = () => {
    const head = [first, ...series.map((s) => say(s.label))]
    const lines = [head, ...(data ?? []).map((point) => [point.name, ...series.map((s) => point[s.key])])].map((line) =>
      line.map(csvCell).join(','),
    )
    // The mark at the beginning tells spreadsheets that it is UTF-8.
    saveAs(new Blob([`\uFEFF${lines.join('\r\n')}`], { type: 'text/csv' }), `${title}.csv`)
  }
  // What is loading is as high as what comes: one line of legend above the drawing.
  const legend = props.kind !== 'donut' && series.length > 1 ? 28 : 0
  const empty = data && !data.some((point) => series.some((s) => Number(point[s.key] ?? 0) !== 0))
  return (
    <figure className={css.figure}>
      <figcaption className={css.head}>
        <div>
          <h2 className={css.title}>{title}</h2>
          {text && <p className={css.text}>{text}</p>}
        </div>
        <div className={`${css.tools} no-print`}>
          {props.tools}
          {data && !empty && (
            <>
              <Tooltip label={t(table ? 'show_chart' : 'show_table')}>
                <ActionIcon
                  size={30}
                  aria-label={t(table ? 'show_chart' : 'show_table')}
                  aria-pressed={table}
                  onClick={() => setTable(!table)}
                >
                  {table ? <IconChartBar size={16} /> : <IconTable size={16} />}
                </ActionIcon>
              </Tooltip>
              <Tooltip label={t('save_csv')}>
                <ActionIcon size={30} aria-label={t('save_csv')} onClick={save}>
                  <IconDownload size={16} />
                </ActionIcon>
              </Tooltip>
            </>
          )}
        </div>
      </figcaption>
      {empty ? (
        <Empty title={t('chart_empty')} />
      ) : table && data ? (
        <Suspense fallback={<div className={css.bone} style={{ height }} aria-busy="true" />}>
          <Figures {...props} data={data} format={format} height={height} first={first} />
        </Suspense>
      ) : (
        <div style={{ minHeight: height + legend }} aria-busy={!data}>
          <Suspense fallback={<div className={css.bone} style={{ height: height + legend }} aria-busy="true" />}>
            {data ? (
              <Drawing {...props} data={data} format={format} height={height} />
            ) : (
              <div className={css.bone} style={{ height: height + legend }} />
            )}
          </Suspense>
        </div>
      )}
    </figure>
  )
}
