/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing made of elements is one picture to those who do not see it */
import { useLayoutEffect, useRef, useState } from 'react'
import type { PointerEvent, ReactNode, RefObject } from 'react'
import { directionOf, formatPercent, useLabel, useLanguage } from '../i18n/index.ts'
import { useNavigate } from '../router/index.ts'
import type { ChartProps } from './chart.tsx'
import { axisOf, barsOf, lineThrough, placeOn, shownNames } from './plot.ts'
import type { Place } from './plot.ts'
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
/** px: figures of an axis, names of lying bars, what a drawing keeps free around itself. */
const FIGURES = 52
const NAMES = 116
/** Two lines of a name need so many. */
const TWO_LINES = 34
/** Where there is room they get up to so many, and that part of the chart. */
const NAMES_WIDE = { most: 220, part: 0.28 }
const EDGE = 5
/** From so many points on a line shows no dots. */
const DOTS = 30

type Data = NonNullable<ChartProps['data']>
type Drawn = ChartProps & { readonly data: Data }
interface Series {
  readonly key: string
  readonly label: string
  readonly color: string
}

const canvas = document.createElement('canvas').getContext('2d')
/** How wide a text of an axis is, px. */
function widthOf(text: string, font: string): number {
  if (!canvas) return text.length * 7
  canvas.font = `12px ${font}`
  return canvas.measureText(text).width
}

/** How wide a box is, and what its text is set in; a width of 0 until it is on the page. */
function useBox(): [RefObject<HTMLDivElement | null>, { readonly width: number; readonly font: string }] {
  const box = useRef<HTMLDivElement>(null)
  const [is, setIs] = useState({ width: 0, font: '' })
  useLayoutEffect(() => {
    const element = box.current!
    const observer = new ResizeObserver(() =>
      setIs({ width: element.clientWidth, font: getComputedStyle(element).fontFamily }),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, is]
}

/** The figures of a point, beside the pointer. */
function Told({
  x,
  width,
  rtl,
  name,
  lines,
}: {
  x: number
  width: number
  rtl: boolean
  name: string
  lines: readonly ReactNode[]
}) {
  // At the side where there is room.
  const style = x > width / 2 ? { right: width - x + 12 } : { left: x + 12 }
  return (
    <div className={css.told} style={style} dir={rtl ? 'rtl' : 'ltr'}>
      <bdi>{name}</bdi>
      {lines}
    </div>
  )
}
const lineOf = (key: string, color: string, label: string | null, value: string): ReactNode => (
  <span key={key} className={css.toldLine}>
    <span className={css.dot} style={{ background: color }} />
    {label && <bdi>{label}</bdi>}
    <bdi dir="ltr" className={css.value}>
      {value}
    </bdi>
  </span>
)

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

/** Axes with bars or lines. Right to left, names go from the right and figures stand there. */
function Axes({
  kind,
  title,
  data,
  series,
  format,
  short = format,
  height,
  range,
  stacked,
  horizontal = false,
  href,
  rtl,
}: Omit<Drawn, 'series' | 'format' | 'height'> & {
  series: readonly Series[]
  format: (value: number) => string
  height: number
  rtl: boolean
}) {
  const navigate = useNavigate()
  const [box, { width, font }] = useBox()
  const [at, setAt] = useState<number | null>(null)
  const keys = series.map((s) => s.key)
  // Few bars carry their own figures; many would cover each other.
  const figures = kind === 'bar' && !stacked && data.length * series.length <= 16
  // Short names (letters of grades) stand upright below their bars, so that none is left out.
  const upright = kind === 'bar' && !horizontal && data.length > 12 && data.every((one) => one.name.length <= 4)
  const names = Math.max(
    NAMES,
    Math.min(NAMES_WIDE.most, width * NAMES_WIDE.part, 12 + Math.max(0, ...data.map((p) => widthOf(p.name, font)))),
  )
  const start = horizontal ? names : FIGURES
  // Room for the figure at the end of the longest bar.
  const end = EDGE + (figures && horizontal ? 40 : 0)
  const [left, right] = rtl ? [end, start] : [start, end]
  const top = figures && !horizontal ? 18 : 8
  const plot = { width: Math.max(1, width - left - right), height: height - top - (upright ? 36 : 30) }
  const along = horizontal ? plot.width : plot.height
  const across = horizontal ? plot.height : plot.width
  const ticks = axisOf(data, keys, { stacked, range, most: horizontal ? Math.max(2, Math.floor(along / 60)) : 6 })
  const place = placeOn(ticks, along)
  const band = across / Math.max(1, data.length)
  /** Along the axis of names, in the order of reading. */
  const x = (offset: number, size = 0) => (rtl && !horizontal ? left + plot.width - offset - size : left + offset)
  /** Of a figure, on lying axes. */
  const lying = (offset: number, size = 0) => (rtl ? left + plot.width - offset - size : left + offset)
  const middle = (i: number) => (horizontal ? top + (i + 0.5) * band : x((i + 0.5) * band))
  const shown =
    horizontal || upright
      ? null
      : shownNames(
          data.map((p) => widthOf(p.name, font)),
          data.map((_, i) => middle(i)),
        )
  const look = (event: PointerEvent<HTMLDivElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect()
    const offset = horizontal
      ? event.clientY - bounds.top - top
      : rtl
        ? left + plot.width - (event.clientX - bounds.left)
        : event.clientX - bounds.left - left
    const i = Math.floor(offset / band)
    setAt(i >= 0 && i < data.length ? i : null)
  }
  const pointed = at === null ? undefined : data[at]
  const bars = kind === 'bar' ? barsOf(data, keys, ticks, { across, along, stacked }) : []
  return (
    <div
      ref={box}
      dir="ltr"
      role="img"
      aria-label={title}
      className={css.plot}
      style={{ height }}
      onPointerMove={look}
      onPointerLeave={() => setAt(null)}
    >
      {width > 0 && (
        <svg width={width} height={height} aria-hidden>
          {pointed &&
            (horizontal ? (
              <rect className={css.pointed} x={left} y={top + at! * band} width={plot.width} height={band} />
            ) : (
              <rect className={css.pointed} x={x(at! * band, band)} y={top} width={band} height={plot.height} />
            ))}
          {ticks.map((tick) => {
            const where = horizontal ? lying(place(tick)) : top + plot.height - place(tick)
            return horizontal ? (
              <g key={tick}>
                <line className={css.grid} x1={where} x2={where} y1={top} y2={top + plot.height} />
                <text x={where} y={height - 10} textAnchor="middle">
                  {short(tick)}
                </text>
              </g>
            ) : (
              <g key={tick}>
                <line className={css.grid} x1={left} x2={left + plot.width} y1={where} y2={where} />
                <text x={rtl ? width - start + 8 : start - 8} y={where + 4} textAnchor={rtl ? 'start' : 'end'}>
                  {short(tick)}
                </text>
              </g>
            )
          })}
          {!horizontal &&
            data.map((point, i) =>
              upright ? (
                <text
                  key={i}
                  textAnchor="end"
                  transform={`translate(${middle(i) + 4} ${top + plot.height + 8}) rotate(-90)`}
                >
                  {point.name}
                </text>
              ) : (
                shown![i] && (
                  <text key={i} x={middle(i)} y={height - 10} textAnchor="middle">
                    {point.name}
                  </text>
                )
              ),
            )}
          {bars.map((bar) => {
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
                    <text
                      x={x(bar.at + bar.width / 2)}
                      y={top + plot.height - bar.from - bar.length - 5}
                      textAnchor="middle"
                    >
                      {figure}
                    </text>
                  ))}
              </g>
            )
          })}
          {kind === 'line' &&
            series.map(({ key, color }) => {
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
                      <circle
                        key={cx}
                        cx={cx}
                        cy={cy}
                        r={4}
                        fill="var(--surface-raised)"
                        stroke={color}
                        strokeWidth={2}
                      />
                    ))}
                </g>
              )
            })}
        </svg>
      )}
      {horizontal &&
        data.map((point, i) => (
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
        ))}
      {pointed && (
        <Told
          x={horizontal ? left + plot.width / 2 : middle(at!)}
          width={width}
          rtl={rtl}
          name={pointed.name}
          lines={series.map((s) =>
            lineOf(s.key, s.color, s.label, pointed[s.key] === null ? '–' : format(Number(pointed[s.key] ?? 0))),
          )}
        />
      )}
    </div>
  )
}

/** Parts of a whole, around it. */
function Donut({
  title,
  data,
  series,
  format,
  height,
  rtl,
}: Drawn & { format: (value: number) => string; height: number; rtl: boolean }) {
  const [at, setAt] = useState<number | null>(null)
  const key = series[0]!.key
  const slices = data.map((point, i) => ({
    name: point.name,
    value: Number(point[key] ?? 0),
    color: PALETTE[i % PALETTE.length]!,
  }))
  const total = slices.reduce((n, slice) => n + slice.value, 0)
  const size = Math.min(180, height - 20)
  const thickness = 26
  const round = Math.PI * (size - thickness)
  // A thin gap between parts; one alone has none.
  const gap = slices.filter((slice) => slice.value > 0).length > 1 ? 2 : 0
  const before = slices.map((_, i) => slices.slice(0, i).reduce((n, slice) => n + slice.value, 0))
  const pointed = at === null ? undefined : slices[at]
  return (
    <div className={css.donut}>
      <div dir="ltr" role="img" aria-label={title} className={css.plot} onPointerLeave={() => setAt(null)}>
        <svg width={size} height={size} aria-hidden>
          {/* From the top, in the direction of reading. */}
          <g transform={`translate(${size / 2} ${size / 2}) scale(${rtl ? -1 : 1} 1) rotate(-90)`}>
            {slices.map(({ name, value, color }, i) => (
              <circle
                key={name}
                r={(size - thickness) / 2}
                fill="none"
                stroke={color}
                strokeWidth={thickness}
                strokeDasharray={`${Math.max(0, (total ? value / total : 0) * round - gap)} ${round}`}
                strokeDashoffset={total ? -(before[i]! / total) * round : 0}
                onPointerEnter={() => setAt(i)}
              />
            ))}
          </g>
          <text x={size / 2} y={size / 2 + 5} textAnchor="middle" className={css.total}>
            {format(total)}
          </text>
        </svg>
        {pointed && (
          <Told
            x={size / 2}
            width={size}
            rtl={rtl}
            name={pointed.name}
            lines={[lineOf(pointed.name, pointed.color, null, format(pointed.value))]}
          />
        )}
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

/** The drawing itself, in SVG: fetched when a chart is shown. */
export default function Drawing({ format = String, height = 240, ...props }: Drawn) {
  const say = useLabel()
  const rtl = directionOf(useLanguage()) === 'rtl'
  const { kind, series } = props
  if (kind === 'donut') return <Donut {...props} format={format} height={height} rtl={rtl} />
  const colour = (i: number): string => {
    const tone = series[i]?.tone
    if (!tone) return PALETTE[i % PALETTE.length]!
    // Two statuses of one tone (approved, published): the earlier one is the lighter.
    return series.slice(i + 1).some((later) => later.tone === tone)
      ? `color-mix(in oklab, var(--tone-${tone}) 55%, var(--surface-raised))`
      : `var(--tone-${tone})`
  }
  const named = series.map((s, i): Series => ({ key: s.key, label: say(s.label), color: colour(i) }))
  return (
    <>
      {named.length > 1 && (
        <ul className={css.legend}>
          {named.map((s) => (
            <li key={s.key}>
              <span className={css.dot} style={{ background: s.color }} />
              {s.label}
            </li>
          ))}
        </ul>
      )}
      <Axes {...props} series={named} format={format} height={height} rtl={rtl} />
    </>
  )
}
