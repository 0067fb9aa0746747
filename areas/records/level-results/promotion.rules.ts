/** What becomes of a student at the end of a year in a level: every reason for it, and the chances that are left. */

/** How a course of the year ended. `excused`: absent with an accepted excuse; `missing`: no result yet. */
export type CourseState = 'passed' | 'failed' | 'absent' | 'excused' | 'missing'

/** A course of the student's year: of the level, or carried over from an earlier one. */
export interface YearCourse {
  readonly course_id: number
  readonly code: string
  readonly state: CourseState
}

/** required: whoever failed it stays; uncounted: carried beside the others. */
export type CarryException = 'required' | 'uncounted'

/** Which courses may be left unpassed when somebody goes on. */
export interface CarryRules {
  /** With how many failed courses one is promoted. */
  readonly max_carried: number
  readonly exceptions: ReadonlyMap<number, CarryException>
  readonly final_level: number
  /** The final level can be left with failed courses as well. */
  readonly carried_from_final_level: boolean
}

/** What the bylaw says about the end of a year. */
export interface PromotionRules extends CarryRules {
  /** There is a make-up exam before promotion is decided. */
  readonly second_session: boolean
  /** Years that may be spent in this level, and in all; null: no limit. */
  readonly chances_in_level: number | null
  readonly chances_in_all: number | null
}

/** The years a student has spent before this one; those of an accepted excuse or a decision are not among them. */
export interface Chances {
  readonly in_level: number
  readonly in_all: number
}

/** The year of a student. */
export interface StudentYear {
  readonly level: number
  readonly courses: readonly YearCourse[]
  /** The year was stopped by a decision. */
  readonly stopped: boolean
  readonly is_external: boolean
  readonly chances: Chances
  /** The second session of this year has been held. */
  readonly second_held: boolean
}

/** From the best to the worst; the last three leave nothing decided or say that nothing is. */
export const outcomes = [
  'graduates',
  'promoted',
  'carries',
  'second_session',
  'repeats',
  'external',
  'leaves',
  'stopped',
  'waiting',
] as const
/** What becomes of a student. */
export type LevelOutcome = (typeof outcomes)[number]
/** The student goes on to the next level, or has the degree. */
export const goesOn = (outcome: LevelOutcome): boolean =>
  outcome === 'graduates' || outcome === 'promoted' || outcome === 'carries'

/** A reason for an outcome, with what its text needs. */
export interface OutcomeReason {
  readonly code:
    | 'level_waiting'
    | 'level_stopped'
    | 'level_failed_courses'
    | 'level_excused_courses'
    | 'level_too_many'
    | 'level_final'
    | 'level_not_carried'
    | 'level_carries'
    | 'level_second_session'
    | 'level_chance_kept'
    | 'level_chances_in_level'
    | 'level_chances_in_all'
    | 'level_external_left'
  readonly data: Readonly<Record<string, string | number>>
}

/** What was decided. */
export interface PromotionDecision {
  readonly outcome: LevelOutcome
  readonly reasons: readonly OutcomeReason[]
  /** Courses that are sat again: with the next level, in the second session, or in the year that is repeated. */
  readonly again: readonly number[]
  /** The year counts among those that may be spent. */
  readonly uses_chance: boolean
}

/** With how many unpassed courses one leaves a level; null: with none. */
export const carriedFrom = (level: number, rules: CarryRules): number | null =>
  level >= rules.final_level && !rules.carried_from_final_level ? null : rules.max_carried

/** What keeps somebody from going on with these courses unpassed; nothing: goes on. */
function obstacles(open: readonly YearCourse[], level: number, rules: CarryRules): OutcomeReason[] {
  const names = (some: readonly YearCourse[]) => some.map((one) => one.code).join(', ')
  if (!open.length) return []
  const maximum = carriedFrom(level, rules)
  if (maximum === null) return [{ code: 'level_final', data: { courses: names(open), count: open.length } }]
  const reasons: OutcomeReason[] = []
  const counted = open.filter((one) => !rules.exceptions.has(one.course_id))
  if (counted.length > maximum) reasons.push({ code: 'level_too_many', data: { count: counted.length, maximum } })
  const required = open.filter((one) => rules.exceptions.get(one.course_id) === 'required')
  if (required.length) reasons.push({ code: 'level_not_carried', data: { courses: names(required) } })
  return reasons
}

/** Decides the year of a student. */
export function decideYear(year: StudentYear, rules: PromotionRules): PromotionDecision {
  const list = (some: readonly YearCourse[]) => some.map((one) => one.code).join(', ')
  const ids = (some: readonly YearCourse[]) => some.map((one) => one.course_id)
  const open = year.courses.filter((course) => course.state !== 'passed')
  if (year.stopped)
    return {
      outcome: 'stopped',
      reasons: [{ code: 'level_stopped', data: {} }],
      again: ids(open),
      uses_chance: false,
    }
  const missing = year.courses.filter((course) => course.state === 'missing')
  if (missing.length)
    return {
      outcome: 'waiting',
      reasons: [{ code: 'level_waiting', data: { courses: list(missing), count: missing.length } }],
      again: [],
      uses_chance: false,
    }
  if (!open.length)
    return {
      outcome: year.level >= rules.final_level ? 'graduates' : 'promoted',
      reasons: [],
      again: [],
      uses_chance: true,
    }

  const failed = open.filter((one) => one.state !== 'excused')
  const excused = open.filter((one) => one.state === 'excused')
  const reasons: OutcomeReason[] = []
  if (failed.length)
    reasons.push({ code: 'level_failed_courses', data: { courses: list(failed), count: failed.length } })
  if (excused.length)
    reasons.push({ code: 'level_excused_courses', data: { courses: list(excused), count: excused.length } })

  if (rules.second_session && !year.second_held)
    return {
      outcome: 'second_session',
      reasons: [...reasons, { code: 'level_second_session', data: { count: open.length } }],
      again: ids(open),
      uses_chance: false,
    }
  const against = obstacles(open, year.level, rules)
  if (!against.length)
    return {
      outcome: 'carries',
      reasons: [...reasons, { code: 'level_carries', data: { count: open.length, maximum: rules.max_carried } }],
      again: ids(open),
      uses_chance: true,
    }
  reasons.push(...against)
  const again = ids(open)
  // What was excused cost the year: it is not counted against anybody.
  if (excused.length && !obstacles(failed, year.level, rules).length)
    return {
      outcome: year.is_external ? 'external' : 'repeats',
      reasons: [...reasons, { code: 'level_chance_kept', data: { courses: list(excused) } }],
      again,
      uses_chance: false,
    }
  return { ...afterAChance(year, rules, reasons), again, uses_chance: true }
}

/** Where somebody stands who has to repeat, once this year is counted. */
function afterAChance(
  { chances, is_external }: StudentYear,
  { chances_in_level, chances_in_all }: PromotionRules,
  before: readonly OutcomeReason[],
): Pick<PromotionDecision, 'outcome' | 'reasons'> {
  const reasons = [...before]
  const in_level = chances.in_level + 1
  const in_all = chances.in_all + 1
  const left = chances_in_all === null ? null : chances_in_all - in_all
  if (left !== null && left <= 0) {
    reasons.push({ code: 'level_chances_in_all', data: { used: in_all, allowed: chances_in_all! } })
    return { outcome: 'leaves', reasons }
  }
  if (!is_external && (chances_in_level === null || in_level < chances_in_level)) return { outcome: 'repeats', reasons }
  if (chances_in_level !== null)
    reasons.push({ code: 'level_chances_in_level', data: { used: in_level, allowed: chances_in_level } })
  if (left === null) return { outcome: 'leaves', reasons }
  reasons.push({ code: 'level_external_left', data: { left } })
  return { outcome: 'external', reasons }
}

/**
 * The level in which somebody begins who comes with passed courses: level by level, as far as one may go on with what is
 * open. A level of which the plan names no course is not passed by that.
 *
 * @param levels the lowest first, each with the courses that everybody of it sits
 */
export function entryLevel(
  levels: readonly { readonly level: number; readonly courses: readonly YearCourse[] }[],
  rules: CarryRules,
): { level: number; carried: readonly YearCourse[] } {
  let carried: readonly YearCourse[] = []
  for (const { level, courses } of levels) {
    const open = [...carried, ...courses.filter((course) => course.state !== 'passed')]
    if (level >= rules.final_level || !courses.length || obstacles(open, level, rules).length) return { level, carried }
    carried = open
  }
  return { level: levels.at(-1)?.level ?? 0, carried }
}
