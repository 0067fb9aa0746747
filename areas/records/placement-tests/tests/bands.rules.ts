/** Bands of scores: the levels of a placement test tile its scores. */
import type { Reason } from '#kit/contract/issues.ts'
import { trimHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'

export interface Band {
  readonly name: string
  readonly from: Hundredths
  /** Exclusive, but for the highest. */
  readonly to: Hundredths
}

/** Every reason why levels do not tile 0 to the highest score, in the order in which they stand, the lowest first. */
export function checkBands(bands: readonly Band[], highest: Hundredths, field: string): Reason[] {
  const reasons: Reason[] = []
  let reached = 0
  for (const [i, { name, from, to }] of bands.entries()) {
    if (from !== reached)
      reasons.push({
        field: `${field}.${i}.from_score`,
        code: 'placement_band_begins',
        data: { level: name, from: trimHundredths(from), wanted: trimHundredths(reached) },
      })
    if (to <= from)
      reasons.push({ field: `${field}.${i}.to_score`, code: 'placement_levels_order', data: { level: name } })
    reached = to
  }
  if (reached !== highest)
    reasons.push({
      field: `${field}.${Math.max(0, bands.length - 1)}.to_score`,
      code: 'placement_band_ends',
      data: { to: trimHundredths(reached), highest: trimHundredths(highest) },
    })
  return reasons
}

/** Courses that stand at a level which the test does not have. */
export const checkBandLevels = (levels: readonly number[], count: number, field: string): Reason[] =>
  levels.flatMap((level, i) =>
    level > count ? [{ field: `${field}.${i}.level`, code: 'placement_level_unknown', data: { level, count } }] : [],
  )
