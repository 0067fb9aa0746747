import type { ChartProps } from './chart.tsx'
import { axisOf, barsOf, figuresFit, placeOn, shownNames } from './plot.ts'

/** px: figures of an axis, names of lying bars, what a drawing keeps free around itself. */
const FIGURES = 52
const NAMES = 116
/** Two lines of a name need so many. */
export const TWO_LINES = 34
/** Where there is room they get up to so many, and that part of the chart. */
const NAMES_WIDE = { most: 220, part: 0.28 }
const EDGE = 5
/** From so many points on a line shows no dots. */
export const DOTS = 30

type Data = NonNullable<ChartProps['data']>
export type Drawn = ChartProps & { readonly data: Data }
export interface Series {
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

/** What is drawn on axes. */
export interface OnAxes extends Omit<Drawn, 'series' | 'format' | 'height'> {
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  readonly height: number
  readonly rtl: boolean
}

/** Positions on the axes, in px. Right to left, names start at the right, and so do figures. */
export function axesOf(
  { kind, data, series, range, stacked, horizontal = false, height, rtl, format, short = format }: OnAxes,
  { width, font }: { readonly width: number; readonly font: string },
) {
  const keys = series.map((s) => s.key)
  // Few bars carry their own figures; many would cover each other.
  const few = kind === 'bar' && !stacked && data.length * series.length <= 16
  // Short names (letters of grades) stand upright below their bars, so that none is left out.
  const upright = kind === 'bar' && !horizontal && data.length > 12 && data.every((one) => one.name.length <= 4)
  const names = Math.max(
    NAMES,
    Math.min(NAMES_WIDE.most, width * NAMES_WIDE.part, 12 + Math.max(0, ...data.map((p) => widthOf(p.name, font)))),
  )
  const start = horizontal ? names : FIGURES
  // Room for the figure at the end of the longest bar.
  const end = EDGE + (few && horizontal ? 40 : 0)
  const [left, right] = rtl ? [end, start] : [start, end]
  const top = few && !horizontal ? 18 : 8
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
  const bars = kind === 'bar' ? barsOf(data, keys, ticks, { across, along, stacked }) : []
  const figures =
    few &&
    (horizontal ||
      figuresFit(
        bars,
        bars.map((bar) => widthOf(short(bar.value), font)),
      ))
  return { figures, upright, names, start, left, top, plot, ticks, place, band, x, lying, middle, shown, bars, width }
}
export type AxesLayout = ReturnType<typeof axesOf>
