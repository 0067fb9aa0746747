import { roundSteps, ticksOf } from './ticks.ts'
import type { ChartProps } from './chart.tsx'

/** Widest a bar is drawn, px. */
const WIDEST = 44
/** Part of its place that the bars of a point take. */
const FILLED = 0.8
/** Between bars of one point, px. */
const GAP = 4
/** How high a line of figures is, px. */
const LINE = 14

type Data = NonNullable<ChartProps['data']>
const figureOf = (point: Data[number], key: string): number => Number(point[key] ?? 0)

/** The range of an axis of figures, and the positions of its labels. */
export function axisOf(
  data: Data,
  keys: readonly string[],
  { stacked, range, most }: { stacked?: boolean; range?: readonly [number, number]; most: number },
): readonly number[] {
  if (range) return ticksOf(range)
  const figures = data.flatMap((point) => {
    const own = keys.map((key) => figureOf(point, key))
    return stacked ? [own.reduce((sum, n) => sum + n, 0)] : own
  })
  // Nobody counts half students.
  const whole = data.every((point) => keys.every((key) => Number.isInteger(figureOf(point, key))))
  return roundSteps(Math.min(0, ...figures), Math.max(0, ...figures), whole, most)
}

/** The position of a figure on a line of `length` px, from the start of the axis. */
export const placeOn =
  (ticks: readonly number[], length: number) =>
  (value: number): number => {
    const [from, to] = [ticks[0]!, ticks.at(-1)!]
    return to === from ? 0 : ((value - from) / (to - from)) * length
  }

export interface Bar {
  readonly point: number
  readonly series: number
  /** Along the axis of names: from where, how wide. */
  readonly at: number
  readonly width: number
  /** Along the axis of figures: from where, how long. */
  readonly from: number
  readonly length: number
  readonly value: number
}

/** The bars of a chart along two axes of so many px: names beside each other, or on each other. */
export function barsOf(
  data: Data,
  keys: readonly string[],
  ticks: readonly number[],
  { across, along, stacked }: { across: number; along: number; stacked?: boolean },
): Bar[] {
  const place = placeOn(ticks, along)
  const band = across / Math.max(1, data.length)
  const beside = stacked ? 1 : keys.length
  const width = Math.max(1, Math.min(WIDEST, (band * FILLED - GAP * (beside - 1)) / beside))
  const all = width * beside + GAP * (beside - 1)
  const zero = Math.max(ticks[0]!, 0)
  return data.flatMap((point, i) => {
    let sum = zero
    return keys.map((key, s): Bar => {
      const value = figureOf(point, key)
      const begin = stacked ? sum : zero
      sum += value
      const [low, high] = [place(Math.min(begin, begin + value)), place(Math.max(begin, begin + value))]
      return {
        point: i,
        series: s,
        at: i * band + (band - all) / 2 + (stacked ? 0 : s * (width + GAP)),
        width,
        from: low,
        length: high - low,
        value,
      }
    })
  })
}

/** Whether figures as wide as these stand above their bars without running into each other. */
export const figuresFit = (
  bars: readonly Pick<Bar, 'at' | 'width' | 'from' | 'length'>[],
  widths: readonly number[],
  gap = 3,
): boolean =>
  bars.every((bar, i) => {
    const before = bars[i - 1]
    // Above bars of different height figures stand in different lines.
    if (!before || Math.abs(before.from + before.length - bar.from - bar.length) > LINE) return true
    return bar.at + bar.width / 2 - before.at - before.width / 2 >= (widths[i]! + widths[i - 1]!) / 2 + gap
  })

/** Which names of an axis are written, so that none covers another: evenly many, the last always. */
export function shownNames(widths: readonly number[], at: readonly number[], gap = 8): boolean[] {
  const last = widths.length - 1
  for (let step = 1; step <= last; step++) {
    const shown = widths.map((_, i) => (last - i) % step === 0)
    const places = widths.flatMap((width, i) => (shown[i] ? [{ width, at: at[i]! }] : []))
    const fits = places.every(
      (place, i) => i === 0 || Math.abs(place.at - places[i - 1]!.at) >= (place.width + places[i - 1]!.width) / 2 + gap,
    )
    if (fits) return shown
  }
  return widths.map((_, i) => i === last)
}

export type Place = readonly [x: number, y: number]
const to = (n: number): string => n.toFixed(1)

/** A line through places that never swings higher or lower than they are: cubic, its slopes kept monotone. */
export function lineThrough(places: readonly Place[]): string {
  if (places.length === 0) return ''
  const slope = (i: number): number => {
    const [a, b] = [places[i], places[i + 1]]
    return a && b && b[0] !== a[0] ? (b[1] - a[1]) / (b[0] - a[0]) : 0
  }
  const tangent = (i: number): number => {
    if (i === 0) return slope(0)
    if (i === places.length - 1) return slope(i - 1)
    const [before, after] = [slope(i - 1), slope(i)]
    if (before * after <= 0) return 0
    // The harmonic mean never leads beyond either neighbour.
    return (2 * before * after) / (before + after)
  }
  const [x, y] = places[0]!
  const parts = places.slice(1).map(([x1, y1], i) => {
    const [x0, y0] = places[i]!
    const third = (x1 - x0) / 3
    return `C${to(x0 + third)},${to(y0 + third * tangent(i))} ${to(x1 - third)},${to(y1 - third * tangent(i + 1))} ${to(x1)},${to(y1)}`
  })
  return `M${to(x)},${to(y)}${parts.join('')}`
}
