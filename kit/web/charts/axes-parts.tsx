import { useNavigate } from '../router/index.ts'
import { DOTS, TWO_LINES, type AxesLayout, type OnAxes } from './axes-layout.ts'
import { lineThrough } from './plot.ts'
import type { Place } from './plot.ts'
import css from './chart.module.css'

interface Part {
  readonly of: OnAxes
  readonly layout: AxesLayout
}

/** Lines of the grid with their figures. */
export function GridLines({ of: { horizontal, short, format, height, rtl }, layout }: Part) {
  const { ticks, lying, place, top, plot, left, start, width } = layout
  const figure = short ?? format
  return ticks.map((tick) => {
    const where = horizontal ? lying(place(tick)) : top + plot.height - place(tick)
    return horizontal ? (
      <g key={tick}>
        <line className={css.grid} x1={where} x2={where} y1={top} y2={top + plot.height} />
        <text x={where} y={height - 10} textAnchor="middle">
          {figure(tick)}
        </text>
      </g>
    ) : (
      <g key={tick}>
        <line className={css.grid} x1={left} x2={left + plot.width} y1={where} y2={where} />
        <text x={rtl ? width - start + 8 : start - 8} y={where + 4} textAnchor={rtl ? 'start' : 'end'}>
          {figure(tick)}
        </text>
      </g>
    )
  })
}

/** Names of the points, below their columns. */
export function NamesBelow({ of: { data, height }, layout: { upright, shown, middle, top, plot } }: Part) {
  return data.map((point, i) =>
    upright ? (
      <text key={i} textAnchor="end" transform={`translate(${middle(i) + 4} ${top + plot.height + 8}) rotate(-90)`}>
        {point.name}
      </text>
    ) : (
      shown![i] && (
        <text key={i} x={middle(i)} y={height - 10} textAnchor="middle">
          {point.name}
        </text>
      )
    ),
  )
}

/** Names of the points, beside lying bars. */
export function NamesBeside({ of: { data, rtl }, layout: { middle, names, band } }: Part) {
  return data.map((point, i) => (
    <span
      key={i}
      dir="auto"
      className={css.name}
      style={{
        top: middle(i),
        width: names - 8,
        // Two lines only where the next name is far enough away.
        WebkitLineClamp: band < TWO_LINES ? 1 : 2,
        ...(rtl ? { right: 0, textAlign: 'left' } : { left: 0, textAlign: 'right' }),
      }}
      aria-hidden
    >
      {point.name}
    </span>
  ))
}

/** A bar with round corners at its end; one of several on each other has none. */
function barPath(x: number, y: number, w: number, h: number, end: 'top' | 'left' | 'right' | null): string {
  const r = Math.min(3, w / 2, h / 2)
  const corner = (round: boolean, dx: number, dy: number, first: 'h' | 'v') =>
    round ? `a${r},${r} 0 0 1 ${dx},${dy}` : first === 'h' ? `h${dx}v${dy}` : `v${dy}h${dx}`
  const [top, left, right] = [end === 'top', end === 'left', end === 'right']
  return [
    `M${x},${y + r}`,
    corner(top || left, r, -r, 'v'),
    `h${w - 2 * r}`,
    corner(top || right, r, r, 'h'),
    `v${h - 2 * r}`,
    corner(right, -r, r, 'v'),
    `h${2 * r - w}`,
    corner(left, -r, -r, 'h'),
    'z',
  ].join('')
}

/** Bars, each leading to its list; few carry their figures. */
export function Bars({ of, layout }: Part) {
  const navigate = useNavigate()
  const { data, series, horizontal, stacked, href, format, short = format, rtl } = of
  const { bars, figures, lying, x, top, plot } = layout
  return bars.map((bar) => {
    const { key, color } = series[bar.series]!
    const list = href?.(data[bar.point]!, key)
    // What is not known is not nought.
    const figure = (data[bar.point]![key] ?? null) === null ? '–' : short(bar.value)
    const d = horizontal
      ? barPath(
          lying(bar.from, bar.length),
          top + bar.at,
          bar.length,
          bar.width,
          stacked ? null : rtl ? 'left' : 'right',
        )
      : barPath(
          x(bar.at, bar.width),
          top + plot.height - bar.from - bar.length,
          bar.width,
          bar.length,
          stacked ? null : 'top',
        )
    return (
      <g key={`${bar.point} ${key}`}>
        {bar.length > 0 && (
          // The same list is reached from the table, with the keyboard as well.
          // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
          <path
            d={d}
            fill={color}
            className={list ? css.press : undefined}
            onClick={list ? () => void navigate(list) : undefined}
          />
        )}
        {figures &&
          (horizontal ? (
            <text
              x={lying(bar.from + bar.length + 6)}
              y={top + bar.at + bar.width / 2 + 4}
              textAnchor={rtl ? 'end' : 'start'}
            >
              {figure}
            </text>
          ) : (
            <text x={x(bar.at + bar.width / 2)} y={top + plot.height - bar.from - bar.length - 5} textAnchor="middle">
              {figure}
            </text>
          ))}
      </g>
    )
  })
}

/** Lines through the points; few points are dots. */
export function Lines({ of: { data, series }, layout: { middle, top, plot, place } }: Part) {
  return series.map(({ key, color }) => {
    const places = data.flatMap((point, i): Place[] =>
      point[key] === null || point[key] === undefined
        ? []
        : [[middle(i), top + plot.height - place(Number(point[key]))]],
    )
    return (
      <g key={key}>
        <path d={lineThrough(places)} fill="none" stroke={color} strokeWidth={2} />
        {data.length <= DOTS &&
          places.map(([cx, cy]) => (
            <circle key={cx} cx={cx} cy={cy} r={4} fill="var(--surface-raised)" stroke={color} strokeWidth={2} />
          ))}
      </g>
    )
  })
}
