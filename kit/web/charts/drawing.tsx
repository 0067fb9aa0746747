/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing made of elements is one picture to those who do not see it */
import '@mantine/charts/styles.layer.css'
import { BarChart, DonutChart, LineChart } from '@mantine/charts'
import { directionOf, formatPercent, useLabel, useLanguage } from '../i18n/index.ts'
import type { ChartProps } from './chart.tsx'
import css from './chart.module.css'

/** Told apart by lightness as well as hue, in both schemes. */
const PALETTE = [
  'var(--mantine-color-accent-6)',
  'var(--mantine-color-teal-5)',
  'var(--mantine-color-orange-5)',
  'var(--mantine-color-blue-3)',
  'var(--mantine-color-gray-5)',
  'var(--mantine-color-red-4)',
]

/**
 * The drawing itself: the one place that loads the chart library. Right to left it is drawn left to right in a box of
 * its own with the horizontal axis reversed and the vertical one at the other side; the library breaks otherwise.
 */
export default function Drawing({
  kind,
  title,
  data,
  series,
  format = String,
  height = 240,
  stacked,
}: ChartProps & { readonly data: NonNullable<ChartProps['data']> }) {
  const say = useLabel()
  const lang = useLanguage()
  const rtl = directionOf(lang) === 'rtl'
  const colour = (i: number) => (series[i]?.tone ? `var(--tone-${series[i].tone})` : PALETTE[i % PALETTE.length]!)
  const total = kind === 'donut' ? data.reduce((n, point) => n + Number(point[series[0]!.key] ?? 0), 0) : 0
  if (kind === 'donut') {
    const key = series[0]!.key
    const slices = data.map((point, i) => ({
      name: point.name,
      value: Number(point[key] ?? 0),
      color: PALETTE[i % PALETTE.length]!,
    }))
    return (
      <div className={css.donut}>
        <div dir="ltr" role="img" aria-label={title}>
          <DonutChart
            data={rtl ? slices.toReversed() : slices}
            size={Math.min(180, height - 20)}
            thickness={26}
            valueFormatter={format}
            withTooltip
            paddingAngle={1}
            strokeWidth={0}
            chartLabel={format(total)}
          />
        </div>
        <ul className={css.legend}>
          {slices.map((slice) => (
            <li key={slice.name}>
              <span className={css.dot} style={{ background: slice.color }} />
              <bdi>{slice.name}</bdi>
              <bdi dir="ltr" className={css.value}>
                {format(slice.value)}
              </bdi>
              <bdi dir="ltr" className={css.part}>
                {total ? formatPercent(slice.value / total) : ''}
              </bdi>
            </li>
          ))}
        </ul>
      </div>
    )
  }
  const named = series.map((s, i) => ({ name: s.key, label: say(s.label), color: colour(i) }))
  const shared = {
    h: height,
    data: data as unknown as Record<string, unknown>[],
    dataKey: 'name',
    series: named,
    valueFormatter: format,
    tickLine: 'none' as const,
    gridAxis: 'x' as const,
    xAxisProps: {
      reversed: rtl,
      interval: 'preserveStartEnd' as const,
      tick: { fill: 'var(--text-dim)', fontSize: 12 },
    },
    yAxisProps: {
      orientation: rtl ? ('right' as const) : ('left' as const),
      width: 52,
      tick: { fill: 'var(--text-dim)', fontSize: 12 },
    },
  }
  return (
    <>
      {series.length > 1 && (
        <ul className={css.legend}>
          {named.map((s) => (
            <li key={s.name}>
              <span className={css.dot} style={{ background: s.color }} />
              {s.label}
            </li>
          ))}
        </ul>
      )}
      <div dir="ltr" role="img" aria-label={title}>
        {kind === 'bar' ? (
          // Few bars carry their own figures; many would cover each other.
          <BarChart
            {...shared}
            type={stacked ? 'stacked' : 'default'}
            maxBarWidth={44}
            withBarValueLabel={!stacked && data.length * series.length <= 16}
            barProps={{ isAnimationActive: false, radius: stacked ? 0 : [3, 3, 0, 0] }}
          />
        ) : (
          <LineChart
            {...shared}
            curveType="monotone"
            withDots={data.length <= 30}
            strokeWidth={2}
            lineProps={{ isAnimationActive: false }}
          />
        )}
      </div>
    </>
  )
}
