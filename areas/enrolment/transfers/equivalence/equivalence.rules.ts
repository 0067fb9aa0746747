/**
 * What courses from elsewhere count as here: which are proposed, with which hours and grade, and what a decision must keep
 * to. Hours, points, marks and percentages are whole numbers of hundredths.
 */
import { gradeFor, type GradeRange } from '#areas/study/catalogue/bylaw.rules.ts'
import { pointsOf, shareOfMaximum, type ConversionLine } from '#areas/study/catalogue/conversion.rules.ts'
import { divideRounded, trimHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { marksFor, regulationRatingOf, type MarkRules } from '#areas/study/catalogue/mark-regulation.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** Where a proposal comes from: the same course, an equal one, an earlier decision, or somebody's hand. */
export const ORIGINS = ['same', 'equal', 'decision', 'hand'] as const
export type Origin = (typeof ORIGINS)[number]

/** A course as it was passed elsewhere. */
export interface PassedElsewhere {
  /** Under this the same course is known again. */
  readonly key: string
  /** null: not a course of this university. */
  readonly course_id: number | null
  readonly hours: Hundredths
  readonly percent: Hundredths | null
  readonly letter: string | null
  readonly points: Hundredths | null
  /** Under a regulation by marks: `percent` is the share of the maximum. */
  readonly by_marks: boolean
}
/** A course of the program one comes to. */
export interface OurCourse {
  readonly id: number
  readonly code: string
  readonly hours: Hundredths
  /** Out of how many marks it is, under a regulation by marks. */
  readonly maximum: Hundredths
}
/** What one course counts as, as it was decided before. */
interface DecidedBefore {
  readonly course_id: number
  readonly hours: Hundredths | null
  readonly counts_in_gpa: boolean
  readonly graded: boolean
}
/** What was decided before for the same program: these courses together, and what they count as; nothing: as no course. */
export interface EarlierDecision {
  readonly keys: readonly string[]
  readonly counts: readonly DecidedBefore[]
}
/** A grade here: a letter with points, or a rating with the share of the maximum. */
interface Grade {
  readonly letter: string
  readonly points: Hundredths | null
  readonly share: Hundredths | null
}
/** What a course from elsewhere counts as. */
export interface Counted {
  readonly course_id: number | null
  readonly hours: Hundredths | null
  readonly grade: Grade | null
  readonly counts_in_gpa: boolean
  readonly origin: Origin
}
/** A proposal for one course: further courses of ours that it counts as, or the place of the course it counts together with. */
export interface Proposed extends Counted {
  readonly more: readonly Counted[]
  readonly joined: number | null
}

/** How the bylaw that is joined grades, and how it tells what was graded under the other kind. */
export interface Scale {
  /** Letters, by credit hours. */
  readonly ranges: readonly GradeRange[]
  /** By marks; null: by credit hours. */
  readonly marks: Pick<MarkRules, 'pass_share' | 'ratings'> | null
  /** The table of the bylaw that is joined; where it has none, of the one that is left. Empty: neither has. */
  readonly conversions: readonly ConversionLine[]
}

/** The best passing grade that has no more points. */
const gradeUnder = (ranges: readonly GradeRange[], points: Hundredths) =>
  ranges
    .filter((range) => range.success && range.points <= points)
    .toSorted((one, other) => other.points - one.points)[0]

function letterOf(
  { percent, letter, points, by_marks }: PassedElsewhere,
  { ranges, conversions }: Scale,
): Grade | null {
  const told = by_marks && percent !== null ? pointsOf(conversions, percent) : null
  const same = ranges.find((range) => range.success && range.letter === letter)
  const found =
    told !== null
      ? gradeUnder(ranges, told)
      : percent !== null
        ? (gradeFor(ranges, percent) ?? same)
        : (same ?? (points === null ? undefined : gradeUnder(ranges, points)))
  return found?.success ? { letter: found.letter, points: found.points, share: null } : null
}

function ratingWith(
  { percent, points, by_marks }: PassedElsewhere,
  { pass_share, ratings }: Pick<MarkRules, 'pass_share' | 'ratings'>,
  conversions: readonly ConversionLine[],
): Grade | null {
  const share = by_marks || points === null ? percent : (shareOfMaximum(conversions, points) ?? percent)
  const rating = share === null || share < pass_share ? null : regulationRatingOf(ratings, share, 10_000)
  return rating && { letter: rating.code, points: null, share: share! }
}

/**
 * The grade here of a course passed elsewhere; null: passed, without a grade. Within one kind of regulation by its
 * percentage, else the same letter, else the best grade that has no more points; between the kinds by the table of
 * conversions. What was passed is never a failing grade here.
 */
export const convertGrade = (passed: PassedElsewhere, scale: Scale): Grade | null =>
  scale.marks ? ratingWith(passed, scale.marks, scale.conversions) : letterOf(passed, scale)

/** Marks that a share of the maximum is, rounded as totals are. */
export function markOf(share: Hundredths, maximum: Hundredths, places: number): Hundredths {
  const step = 10 ** (2 - places)
  return divideRounded(share * maximum, 10_000 * step) * step
}

/** Courses that count together, as one: results weighted by hours, as far as each has one. */
export function together(passed: readonly PassedElsewhere[]): PassedElsewhere {
  const [first] = passed
  if (passed.length === 1) return first!
  const hours = passed.reduce((sum, one) => sum + one.hours, 0)
  const mean = (of: (one: PassedElsewhere) => Hundredths | null): Hundredths | null =>
    hours > 0 && passed.every((one) => of(one) !== null)
      ? divideRounded(
          passed.reduce((sum, one) => sum + of(one)! * one.hours, 0),
          hours,
        )
      : null
  const alike = passed.every((one) => one.by_marks === first!.by_marks)
  return {
    key: first!.key,
    course_id: first!.course_id,
    hours,
    percent: alike ? mean((one) => one.percent) : null,
    points: mean((one) => one.points),
    letter: passed.every((one) => one.letter === first!.letter) ? first!.letter : null,
    by_marks: first!.by_marks,
  }
}

const NOTHING: Proposed = {
  course_id: null,
  hours: null,
  grade: null,
  counts_in_gpa: false,
  origin: 'hand',
  more: [],
  joined: null,
}

/**
 * What each course is proposed to count as: what was decided before of the same courses for this program, else the same
 * course, else an equal one of the program, in the order of the plan. A course of the program is filled once: earlier
 * decisions come first, and of two that would fill it the better grade. What was decided of several courses together is
 * proposed only where all of them are there.
 */
export function propose(
  passed: readonly PassedElsewhere[],
  ours: readonly OurCourse[],
  {
    equals,
    decisions,
    scale,
  }: {
    readonly equals: ReadonlyMap<number, readonly number[]>
    readonly decisions: ReadonlyMap<string, EarlierDecision>
    readonly scale: Scale
  },
): Proposed[] {
  const known = new Map(ours.map((one) => [one.id, one]))
  const filled = new Set<number>()
  const out: (Proposed | undefined)[] = passed.map(() => undefined)
  const worth = (one: PassedElsewhere) => one.points ?? one.percent ?? -1
  const better = passed.map((one, i) => ({ one, i })).toSorted((a, b) => worth(b.one) - worth(a.one))
  const counted = (source: PassedElsewhere, course: OurCourse, origin: Origin, before?: DecidedBefore): Counted => {
    filled.add(course.id)
    const grade = before && !before.graded ? null : convertGrade(source, scale)
    const counts = before ? before.counts_in_gpa : source.course_id !== null
    return {
      course_id: course.id,
      hours: Math.min(before?.hours ?? course.hours, course.hours),
      grade,
      counts_in_gpa: grade !== null && grade.points !== null && counts,
      origin,
    }
  }
  const fill = (i: number, course: OurCourse | undefined, origin: Origin) => {
    if (course && !filled.has(course.id)) out[i] = { ...counted(passed[i]!, course, origin), more: [], joined: null }
  }
  const asBefore = (i: number, { keys, counts }: EarlierDecision) => {
    const places = keys.map((key) => passed.findIndex((one, at) => one.key === key && !out[at]))
    const courses = counts.map((count) => known.get(count.course_id))
    if (places.includes(-1) || courses.some((one) => !one || filled.has(one.id))) return
    const source = together(places.map((at) => passed[at]!))
    const [first, ...more] = counts.map((count, at) => counted(source, courses[at]!, 'decision', count))
    for (const at of places) if (at !== i) out[at] = { ...NOTHING, origin: 'decision', joined: i }
    out[i] = { ...first!, more, joined: null }
  }
  const each = (find: (one: PassedElsewhere, i: number) => void) => {
    for (const { one, i } of better) if (!out[i]) find(one, i)
  }
  each((one, i) => {
    const decision = decisions.get(one.key)
    if (decision && !decision.counts.length) out[i] = { ...NOTHING, origin: 'decision' }
    else if (decision) asBefore(i, decision)
  })
  each((one, i) => {
    if (one.course_id !== null) fill(i, known.get(one.course_id), 'same')
  })
  each((one, i) => {
    if (one.course_id === null) return
    const equal = equals.get(one.course_id) ?? []
    fill(
      i,
      ours.find((course) => equal.includes(course.id) && !filled.has(course.id)),
      'equal',
    )
  })
  return out.map((one) => one ?? NOTHING)
}

/** One of our courses in a decision, as it is sent. */
export interface DecidedCourse {
  readonly course_id: number
  readonly hours: Hundredths | null
  readonly letter: string | null
  readonly mark: Hundredths | null
  readonly counts_in_gpa: boolean
}
/** What is decided of one of their courses. */
export interface EquivalenceDecided {
  readonly id: number
  /** Of theirs. */
  readonly source: { readonly code: string; readonly hours: Hundredths }
  /** Ours that it counts as; none: it counts as nothing, or together with another one. */
  readonly counts: readonly DecidedCourse[]
  readonly joined_to: number | null
  /** null: it is not sent, and stays as it is. */
  readonly place: number | null
}

/** What a course of ours may not be counted with. */
function checkCourse(one: DecidedCourse, course: OurCourse, at: (field: string) => string, scale: Scale): Reason[] {
  const data = { course: course.code }
  const reasons: Reason[] = []
  if (one.hours !== null && one.hours > course.hours)
    reasons.push({
      field: at('credit_hours'),
      code: 'equivalence_hours',
      data: { ...data, hours: trimHundredths(course.hours) },
    })
  if (scale.marks) {
    const least = marksFor(scale.marks.pass_share, course.maximum)
    if (one.mark !== null && (one.mark < least || one.mark > course.maximum))
      reasons.push({
        field: at('mark'),
        code: 'equivalence_mark',
        data: { ...data, least: trimHundredths(least), maximum: trimHundredths(course.maximum) },
      })
    if (one.counts_in_gpa || (one.mark === null && one.letter !== null))
      reasons.push({ field: at('letter'), code: 'equivalence_by_marks', data })
    return reasons
  }
  if (one.mark !== null) reasons.push({ field: at('mark'), code: 'equivalence_by_hours', data })
  if (one.letter !== null && !scale.ranges.find((range) => range.letter === one.letter)?.success)
    reasons.push({ field: at('letter'), code: 'equivalence_letter', data: { ...data, letter: one.letter } })
  if (one.counts_in_gpa && one.letter === null)
    reasons.push({ field: at('counts_in_gpa'), code: 'equivalence_gpa_without_grade', data })
  return reasons
}

/**
 * Every reason why decisions cannot be kept: each course of the program once, not more hours than it has, a passing grade
 * or mark; what counts together does so with a course that counts as one; what is shared out is not more than there was
 * (`same_hours`: theirs and ours are told in the same hours).
 */
export function checkEquivalences(
  lines: readonly EquivalenceDecided[],
  ours: ReadonlyMap<number, OurCourse>,
  scale: Scale,
  { same_hours }: { readonly same_hours: boolean },
): Reason[] {
  const reasons: Reason[] = []
  const filled = new Set<number>()
  const byId = new Map(lines.map((line) => [line.id, line]))
  for (const line of lines) {
    const path = (place: number, field: string) =>
      `courses.${line.place ?? 0}.${place ? `more.${place - 1}.` : ''}${field}`
    const joined = line.joined_to === null ? undefined : byId.get(line.joined_to)
    if (line.joined_to !== null && (!joined?.counts.length || joined.id === line.id || line.counts.length))
      reasons.push({ field: path(0, 'joined_to'), code: 'equivalence_joined', data: { course: line.source.code } })
    for (const [place, one] of line.counts.entries()) {
      const course = ours.get(one.course_id)
      if (!course) {
        if (line.place !== null) reasons.push({ field: path(place, 'course_id'), code: 'equivalence_not_of_program' })
        continue
      }
      if (filled.has(course.id))
        reasons.push({
          field: path(place, 'course_id'),
          code: 'equivalence_course_twice',
          data: { course: course.code },
        })
      filled.add(course.id)
      if (line.place !== null) reasons.push(...checkCourse(one, course, (field) => path(place, field), scale))
    }
    const whole = lines.reduce(
      (sum, other) => sum + (other.id === line.id || other.joined_to === line.id ? other.source.hours : 0),
      0,
    )
    const shared = line.counts.reduce((sum, one) => sum + (one.hours ?? ours.get(one.course_id)?.hours ?? 0), 0)
    if (same_hours && line.counts.length > 1 && shared > whole)
      reasons.push({
        field: path(0, 'credit_hours'),
        code: 'equivalence_split_hours',
        data: { course: line.source.code, hours: trimHundredths(whole), shared: trimHundredths(shared) },
      })
  }
  return reasons
}

/** A course of ours as it was decided that something counts as it. */
export interface StandingCourse extends Pick<DecidedCourse, 'course_id' | 'letter' | 'mark'> {
  readonly hours: Hundredths
  readonly points: Hundredths | null
  readonly maximum: Hundredths | null
}

/**
 * Codes of courses that cannot be credited as it was decided, because the course or the bylaw is another one since: fewer
 * hours, another maximum, a grade that is none any more or is worth something else. A course that is gone is told elsewhere.
 */
export const misfits = (
  counted: readonly StandingCourse[],
  ours: ReadonlyMap<number, OurCourse>,
  scale: Scale,
): string[] =>
  counted.flatMap((one) => {
    const course = ours.get(one.course_id)
    if (!course) return []
    const range = scale.ranges.find(({ letter }) => letter === one.letter)
    const fits =
      one.hours <= course.hours &&
      (scale.marks
        ? one.points === null &&
          (one.mark === null
            ? one.letter === null
            : one.maximum === course.maximum &&
              one.mark >= marksFor(scale.marks.pass_share, course.maximum) &&
              one.mark <= course.maximum &&
              regulationRatingOf(scale.marks.ratings, one.mark, course.maximum)?.code === one.letter)
        : one.mark === null &&
          (one.letter === null ? one.points === null : range?.success === true && range.points === one.points))
    return fits ? [] : [course.code]
  })

/** What is not passed any more counts as nothing. `failed`: codes of such courses, by line. */
export const checkSources = (lines: readonly EquivalenceDecided[], failed: ReadonlyMap<number, string>): Reason[] =>
  lines.flatMap(({ id, place, counts, joined_to }) =>
    place !== null && failed.has(id) && (counts.length > 0 || joined_to !== null)
      ? [
          {
            field: `courses.${place}.${counts.length ? 'course_id' : 'joined_to'}`,
            code: 'equivalence_source_failed',
            data: { course: failed.get(id)! },
          },
        ]
      : [],
  )
