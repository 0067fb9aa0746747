/**
 * Grace marks: what the council's rule of a year adds to the marks of a student, and to which.
 *
 * Marks on a course are given only where they make a failed course a passed one; marks on the sum of the level only
 * where they lift its rating to the next. What the rule names first is reached first; of all ways to reach as much, the
 * one with the fewest marks is taken. The marks that were earned are never touched: the answer stands beside them, so
 * that working it out again gives the same.
 */
import type { Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { type GracePurpose, type GraceRegulation as BylawGrace } from '#areas/study/catalogue/mark-regulation.rules.ts'
import type { CarryException } from './promotion.rules.ts'
import { nextRating, type RatingScale } from './rating.rules.ts'

/** The council's rule of a year, as far as it says how many marks are given for what. */
export type GraceRule = Pick<BylawGrace, 'order' | 'per_course' | 'in_all' | 'share'>

/** A course of the student's year. */
export interface GraceCourse {
  readonly course_id: number
  /** The mark that counts; null: none. */
  readonly mark: Hundredths | null
  readonly maximum: Hundredths
  readonly pass_mark: Hundredths
  readonly passed: boolean
  /** Marks would make it passed: it was sat, and failed by its total alone. */
  readonly liftable: boolean
  /** It counts in the sum of the level; false: carried over from an earlier one. */
  readonly counts: boolean
  /** Whoever failed it stays; or it is carried beside those that are counted. */
  readonly exception: CarryException | null
}

/** The student before grace marks. */
export interface GraceInput {
  readonly courses: readonly GraceCourse[]
  readonly scale: RatingScale
  /** With how many unpassed courses one goes on; null: with none, of whatever kind (the final level). */
  readonly max_carried: number | null
}

/** What is added, and what it reaches. */
export interface GraceMarks {
  /** Marks on courses that become passed, by course. */
  readonly courses: readonly { readonly course_id: number; readonly marks: Hundredths }[]
  /** Marks on the sum of the level. */
  readonly sum: Hundredths
  readonly total: Hundredths
  readonly reached: Readonly<Record<GracePurpose, number>>
}

/** Nothing added. */
export const noGrace: GraceMarks = {
  courses: [],
  sum: 0,
  total: 0,
  reached: { pass_course: 0, promote: 0, next_rating: 0 },
}

/** How many marks the rule has for a level with this maximum. */
export function graceLimit({ in_all, share }: GraceRule, maximum: Hundredths): Hundredths {
  const part = share === null ? null : Math.floor((share * maximum) / 10_000)
  return Math.max(0, Math.min(in_all ?? Number.MAX_SAFE_INTEGER, part ?? Number.MAX_SAFE_INTEGER))
}

interface Lift {
  course: GraceCourse
  need: Hundredths
}

/** The grace marks of one student. */
export function graceMarks({ courses, scale, max_carried }: GraceInput, rule: GraceRule): GraceMarks {
  const counted = courses.filter((one) => one.counts)
  const maximum = counted.reduce((sum, one) => sum + one.maximum, 0)
  const earned = counted.reduce((sum, one) => sum + (one.mark ?? 0), 0)
  const limit = graceLimit(rule, maximum)
  const open = courses.filter((one) => !one.passed)
  const lifts = rule.order.some((purpose) => purpose !== 'next_rating')
    ? open.flatMap((course): Lift[] => {
        if (!course.liftable || course.mark === null || course.pass_mark > course.maximum) return []
        const need = course.pass_mark - course.mark
        return need > 0 && need <= rule.per_course && need <= limit ? [{ course, need }] : []
      })
    : []
  // With the fewest first, so that the first ones of each kind are the cheapest so many.
  lifts.sort((a, b) => a.need - b.need || a.course.course_id - b.course.course_id)
  const goesOn = (chosen: readonly Lift[]): boolean => {
    if (max_carried === null) return chosen.length === open.length
    const left = open.filter((one) => !chosen.some((lift) => lift.course === one))
    return (
      left.every((one) => one.exception !== 'required') &&
      left.filter((one) => one.exception === null).length <= max_carried
    )
  }
  const before = goesOn([])
  const wantsRating = rule.order.includes('next_rating')
  const next = wantsRating ? nextRating(earned, maximum, scale) : null

  let best = noGrace
  const weigh = (chosen: readonly Lift[]) => {
    const onCourses = chosen.reduce((sum, one) => sum + one.need, 0)
    if (onCourses > limit) return
    const goes = goesOn(chosen)
    const raised = chosen.reduce((sum, one) => sum + (one.course.counts ? one.need : 0), 0)
    const missing = goes && next ? Math.max(0, next.from - earned - raised) : 0
    for (const sum of missing > 0 && onCourses + missing <= limit ? [0, missing] : [0]) {
      const candidate: GraceMarks = {
        courses: chosen.map(({ course, need }) => ({ course_id: course.course_id, marks: need })),
        sum,
        total: onCourses + sum,
        reached: {
          pass_course: chosen.length,
          promote: goes && !before ? 1 : 0,
          next_rating: goes && next && sum >= missing ? 1 : 0,
        },
      }
      if (better(candidate, best, rule.order)) best = candidate
    }
  }
  // Of so many lifts of each kind the cheapest are never worse: what decides is how many of each kind there are, and
  // their sum. Every such choice is weighed.
  const kinds = ([null, 'required', 'uncounted'] as const).flatMap((exception) =>
    [true, false].map((counts) =>
      lifts.filter((one) => one.course.exception === exception && one.course.counts === counts),
    ),
  )
  const choose = (kind: number, chosen: readonly Lift[]): void => {
    const some = kinds[kind]
    if (!some) return weigh(chosen)
    for (let n = 0; n <= some.length; n++) choose(kind + 1, n ? [...chosen, ...some.slice(0, n)] : chosen)
  }
  choose(0, [])
  return { ...best, courses: best.courses.toSorted((a, b) => a.course_id - b.course_id) }
}

/** More of what is named first; as much with fewer marks; with as many marks, fewer courses. */
function better(one: GraceMarks, other: GraceMarks, order: readonly GracePurpose[]): boolean {
  for (const purpose of order) {
    const more = one.reached[purpose] - other.reached[purpose]
    if (more !== 0) return more > 0
  }
  return one.total !== other.total ? one.total < other.total : one.courses.length < other.courses.length
}
