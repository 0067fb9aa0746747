/**
 * Ratings by share of the maximum: of a course, of a level, of a degree. Marks and maxima are hundredths, shares are
 * hundredths of a percent (60 % is 6000); everything is compared by multiplication, so nothing is rounded on the way.
 */
import type { Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import {
  marksFor,
  regulationRatingOf as bylawRating,
  type Rating,
} from '#areas/study/catalogue/mark-regulation.rules.ts'

/** All ratings of a bylaw, the best first; the last one begins at nothing. */
export type RatingScale = readonly Rating[]

/** The code of the rating of marks out of a maximum; null where there is nothing to reach. */
export const levelRatingOf = (marks: Hundredths | null, maximum: Hundredths, scale: RatingScale): string | null =>
  bylawRating(scale, marks, maximum)?.code ?? null

/** The place of a rating in the scale: 0 is the best. */
export const ratingPlaceOf = (code: string, scale: RatingScale): number => scale.findIndex((one) => one.code === code)

/** The mark from which the next better rating is given; null: there is none. */
export function nextRating(
  mark: Hundredths,
  maximum: Hundredths,
  scale: RatingScale,
): { rating: string; from: Hundredths } | null {
  const now = levelRatingOf(mark, maximum, scale)
  const next = now === null ? undefined : scale[ratingPlaceOf(now, scale) - 1]
  return next ? { rating: next.code, from: marksFor(next.from, maximum) } : null
}

/** What the courses of a level came to. */
export interface LevelSum {
  readonly marks: Hundredths
  readonly maximum: Hundredths
  readonly rating: string | null
}
/** The sum of a level's courses and its rating; a course without a mark adds to the maximum alone. */
export function levelSum(
  courses: readonly { mark: Hundredths | null; maximum: Hundredths }[],
  scale: RatingScale,
  added: Hundredths = 0,
): LevelSum {
  const marks = courses.reduce((sum, one) => sum + (one.mark ?? 0), added)
  const maximum = courses.reduce((sum, one) => sum + one.maximum, 0)
  return { marks, maximum, rating: levelRatingOf(marks, maximum, scale) }
}

/** A level that was passed, as the degree counts it. */
export interface PassedLevel {
  readonly level: number
  readonly marks: Hundredths
  readonly maximum: Hundredths
  /** Codes of courses of which an exam was ever failed. */
  readonly failed: readonly string[]
}
/** What keeps from honours: an exam that was failed, a level below the rating set. */
export type HonoursProblem =
  | { code: 'level_honours_failed'; data: { level: number; courses: string } }
  | { code: 'level_honours_rating'; data: { level: number; rating: string; wanted: string } }

/** Rating of a degree over the levels that the bylaw names, and whether it is given with honours. */
export function degreeResult(
  levels: readonly PassedLevel[],
  rules: { named: readonly number[]; scale: RatingScale; honours: string | null },
): LevelSum & { honours: boolean; problems: HonoursProblem[] } {
  const counted = rules.named.length ? levels.filter((one) => rules.named.includes(one.level)) : levels
  const marks = counted.reduce((sum, one) => sum + one.marks, 0)
  const maximum = counted.reduce((sum, one) => sum + one.maximum, 0)
  const problems: HonoursProblem[] = []
  const wanted = rules.honours
  for (const { level, failed, ...sum } of wanted === null ? [] : levels) {
    if (failed.length) problems.push({ code: 'level_honours_failed', data: { level, courses: failed.join(', ') } })
    const rating = levelRatingOf(sum.marks, sum.maximum, rules.scale)
    if (rating !== null && ratingPlaceOf(rating, rules.scale) > ratingPlaceOf(wanted!, rules.scale))
      problems.push({ code: 'level_honours_rating', data: { level, rating, wanted: wanted! } })
  }
  return {
    marks,
    maximum,
    rating: levelRatingOf(marks, maximum, rules.scale),
    honours: wanted !== null && levels.length > 0 && problems.length === 0,
    problems,
  }
}
