/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing made of elements is one picture to those who do not see it */
import '@mantine/charts/styles.layer.css'
import { BarChart, DonutChart, LineChart } from '@mantine/charts'
import { directionOf, formatPercent, useLabel, useLanguage } from '../i18n/index.ts'
import { useNavigate } from '../router/index.ts'
import type { ChartPoint, ChartProps } from './chart.tsx'
import { ticksOf } from './ticks.ts'
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
  range,
  stacked,
  horizontal,
  href,
}: ChartProps & { readonly data: NonNullable<ChartProps['data']> }) {
  const say = useLabel()
  const navigate = useNavigate()
  const lang = useLanguage()
  const rtl = directionOf(lang) === 'rtl'
  const colour = (i: number): string => {
    const tone = series[i]?.tone
    if (!tone) return PALETTE[i % PALETTE.length]!
    // Two statuses of one tone (approved, published): the earlier one is the lighter.
    return series.slice(i + 1).some((later) => later.tone === tone)
      ? `color-mix(in oklab, var(--tone-${tone}) 55%, var(--surface-raised))`
      : `var(--tone-${tone})`
  }
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
  const figures = kind === 'bar' && !stacked && data.length * series.length <= 16
  const named = series.map((s, i) => ({ name: s.key, label: say(s.label), color: colour(i) }))
  const upright = kind === 'bar' && !horizontal && data.length > 12 && data.every((one) => one.name.length <= 4)
  const whole = data.every((point) => series.every((s) => Number.isInteger(Number(point[s.key] ?? 0))))
  const shared = {
    h: height,
    data: data as unknown as Record<string, unknown>[],
    dataKey: 'name',
    series: named,
    valueFormatter: format,
    tickLine: 'none' as const,
    gridAxis: horizontal ? ('y' as const) : ('x' as const),
    xAxisProps: {
      reversed: rtl,
      // Short names (letters of grades) stand upright below their bars, so that none is left out.
      ...(upright
        ? { interval: 0 as const, angle: -90, textAnchor: 'end' as const, dx: -4, dy: -2, height: 36 }
        : { interval: 'preserveStartEnd' as const }),
      ...(horizontal && { allowDecimals: false }),
      tick: { fill: 'var(--text-dim)', fontSize: 12 },
    },
    yAxisProps: {
      orientation: rtl ? ('right' as const) : ('left' as const),
      width: horizontal ? 116 : 52,
      ...(range && !horizontal && { domain: [...range], ticks: ticksOf(range) }),
      // Nobody counts half students.
      ...(!horizontal && { allowDecimals: !whole }),
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
            orientation={horizontal ? 'vertical' : 'horizontal'}
            maxBarWidth={44}
            withBarValueLabel={figures}
            // Written from right to left, the figure of an empty bar would stand on the bar's name.
            {...(horizontal &&
              rtl && { valueLabelProps: { formatter: (value) => (value ? format(Number(value)) : '') } })}
            {...(figures && {
              // Room for the figure at the end of the longest bar.
              barChartProps: { margin: horizontal ? { [rtl ? 'left' : 'right']: 40 } : { top: 18 } },
            })}
            barProps={(one) => ({
              isAnimationActive: false,
              radius: stacked ? 0 : horizontal ? (rtl ? [3, 0, 0, 3] : [0, 3, 3, 0]) : [3, 3, 0, 0],
              ...(href && {
                cursor: 'pointer',
                onClick: ({ payload }: { payload?: unknown }) => {
                  const list = payload ? href(payload as ChartPoint, one.name) : null
                  if (list) void navigate(list)
                },
              }),
            })}
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
