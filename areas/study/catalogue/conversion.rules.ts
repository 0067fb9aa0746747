/**
 * The table by which a bylaw tells results by credit hours and results by marks in each other. Each line joins a stretch of
 * the share of the maximum with a stretch of the points; within a line both rise together, so that the same table is read
 * in both directions. Shares and points are in hundredths (see `decimal.rules.ts`).
 */
import type { Problem } from '#areas/common/academics/problem.rules.ts'
import { checkTiling, rangeOf, type BylawCode } from './bylaw.rules.ts'
import { divideRounded, type Hundredths } from './decimal.rules.ts'

/** A line of the table: this stretch of the one is that stretch of the other. */
export interface ConversionLine {
  readonly from_share: Hundredths
  readonly to_share: Hundredths
  readonly from_points: Hundredths
  readonly to_points: Hundredths
}

const TOP = { share: 10_000, points: 400 } as const
type Scale = keyof typeof TOP

const along = (lines: readonly ConversionLine[], scale: Scale) =>
  lines.map((line) => ({ line, from: line[`from_${scale}`], to: line[`to_${scale}`] }))

/** A value of one scale as it stands on the other; null: the bylaw has no table. */
function told(lines: readonly ConversionLine[], value: Hundredths, from: Scale, to: Scale): Hundredths | null {
  const found = rangeOf(along(lines, from), value, TOP[from])
  if (!found) return null
  const { line } = found
  return (
    line[`from_${to}`] +
    divideRounded((value - found.from) * (line[`to_${to}`] - line[`from_${to}`]), found.to - found.from)
  )
}
/** The points of a share of the maximum. */
export const pointsOf = (lines: readonly ConversionLine[], share: Hundredths): Hundredths | null =>
  told(lines, share, 'share', 'points')
/** The share of the maximum of points. */
export const shareOfMaximum = (lines: readonly ConversionLine[], points: Hundredths): Hundredths | null =>
  told(lines, points, 'points', 'share')

/**
 * Everything that is wrong with a table: it tiles the shares from 0 to 100 and the points from 0 to 4, and what is more on
 * the one is more on the other. A bylaw without a table has nothing wrong.
 */
export function checkConversions(lines: readonly ConversionLine[]): Problem<BylawCode>[] {
  if (!lines.length) return []
  const problems = (['share', 'points'] as const).flatMap((scale) =>
    checkTiling(along(lines, scale), 'conversions', { maximum: TOP[scale], start: 'zero' }).map((one) => ({
      ...one,
      field: one.field?.replace(/\.(from|to)$/, `.$1_${scale}`) ?? null,
    })),
  )
  if (problems.length) return problems
  const rising = lines.map((line, index) => ({ line, index })).sort((a, b) => a.line.from_share - b.line.from_share)
  return rising.flatMap(({ line, index }, i) => {
    const lower = rising[i - 1]
    return lower && lower.line.from_points > line.from_points
      ? [{ code: 'conversion_order' as const, field: `conversions.${index}.from_points`, data: {} }]
      : []
  })
}

/** A table to begin with, around the share that passes: good from 65, very good from 75, excellent from 85 percent. */
export function usualConversions(pass: Hundredths): ConversionLine[] {
  const starts = [
    [0, 0],
    [pass, 100],
    [6500, 200],
    [7500, 270],
    [8500, 330],
  ].filter(([share], i) => i < 2 || share! > pass) as [Hundredths, Hundredths][]
  return starts.map(([from_share, from_points], i) => {
    const [to_share, to_points] = starts[i + 1] ?? [TOP.share, TOP.points]
    return { from_share, to_share, from_points, to_points }
  })
}
