/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing made of elements is one picture to those who do not see it */
import { useLayoutEffect, useRef, useState } from 'react'
import type { PointerEvent, ReactNode, RefObject } from 'react'
import { flushSync } from 'react-dom'
import { directionOf, formatPercent, useLabel, useLanguage } from '../i18n/index.ts'
import { axesOf, type Drawn, type OnAxes, type Series } from './axes-layout.ts'
import { Bars, GridLines, Lines, NamesBelow, NamesBeside } from './axes-parts.tsx'
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
/** What a sheet of A4 leaves for a drawing in a card, in px: nobody tells how wide the paper is before it is printed. */
const PAPER = 640
/** How wide a box is, and what its text is set in; a width of 0 until it is on the page. Drawn anew for paper. */
function useBox(): [RefObject<HTMLDivElement | null>, { readonly width: number; readonly font: string }] {
  const box = useRef<HTMLDivElement>(null)
  const [is, setIs] = useState({ width: 0, font: '' })
  useLayoutEffect(() => {
    const element = box.current!
    const measure = () => setIs({ width: element.clientWidth, font: getComputedStyle(element).fontFamily })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    // At once: the page is printed as it stands when this ends.
    const print = () => flushSync(() => setIs((was) => ({ ...was, width: Math.min(was.width, PAPER) })))
    addEventListener('beforeprint', print)
    addEventListener('afterprint', measure)
    return () => {
      observer.disconnect()
      removeEventListener('beforeprint', print)
      removeEventListener('afterprint', measure)
    }
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

/** Axes with bars or lines. Right to left, names go from the right and figures stand there. */
function Axes(of: OnAxes) {
  const { kind, title, data, series, format, height, horizontal = false, rtl } = of
  const [box, { width, font }] = useBox()
  const [at, setAt] = useState<number | null>(null)
  const layout = axesOf(of, { width, font })
  const { left, top, plot, band, x, middle } = layout
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
          <GridLines of={of} layout={layout} />
          {!horizontal && <NamesBelow of={of} layout={layout} />}
          <Bars of={of} layout={layout} />
          {kind === 'line' && <Lines of={of} layout={layout} />}
        </svg>
      )}
      {horizontal && <NamesBeside of={of} layout={layout} />}
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
