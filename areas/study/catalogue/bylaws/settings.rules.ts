/**
 * The settings of a bylaw as they travel, turned into what the rules of a bylaw read; the check of a whole set of
 * settings; and how a range that is added, moved or removed takes its neighbours with it. Runs on both sides: the
 * screen checks while somebody types, the server before it saves.
 */
import type { Edition } from './editions.rules.ts'
import {
  bylawTexts,
  checkBylaw,
  checkGradeRanges,
  checkGradesVisibility,
  checkBylawLevels,
  checkMinFinalExam,
  checkSpecialGrades,
  usualSpecialGrades,
  type Bylaw,
  type BylawCode,
  type GradeRange,
  type SpecialGrade,
  type SpecialKind,
} from '../bylaw.rules.ts'
import {
  checkMarkRules,
  markRulesTexts,
  worksByMarks,
  type MarkRules,
  type MarkRulesCode,
} from '../mark-regulation.rules.ts'
import { checkWithdrawalSteps, withdrawalTexts, type WithdrawalCode } from '../withdrawal.rules.ts'
import { checkConversions, type ConversionLine } from '../conversion.rules.ts'
import { parseHundredths, printHundredths, type Hundredths } from '../decimal.rules.ts'
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'
import type { Settings } from './settings.contract.ts'

/** A text that is no decimal becomes a number no check accepts. */
const hundredths = (text: string): Hundredths => parseHundredths(text) ?? Number.NaN

const gradeRanges = (settings: Pick<Settings, 'grade_types'>, kind: 'letter' | 'pass_fail'): GradeRange[] =>
  (settings.grade_types.find((type) => type.kind === kind)?.ranges ?? []).map((range) => ({
    letter: range.letter,
    from: hundredths(range.from_percent),
    to: hundredths(range.to_percent),
    points: hundredths(range.points),
    success: range.success,
  }))

/** The best letter that earns at most so many points; null: no limit. */
const letterUpTo = (points: string | null, ranges: readonly GradeRange[]): string | null => {
  if (points === null) return null
  const limit = hundredths(points)
  const under = ranges.filter((range) => range.points <= limit).sort((a, b) => b.from - a.from)
  return under[0]?.letter ?? null
}

/** What registration and grading read of a bylaw, beyond its checked rules. */
export interface BylawSettings extends Bylaw {
  readonly id: number
  readonly version: number
  readonly program_type: 'credit_hours' | 'term' | 'annual' | null
  /** Places to which a total is rounded, once, half away from zero. */
  readonly total_places: 0 | 1 | 2
  /** Ranges of pass/fail courses; empty: the bylaw has no such courses. */
  readonly pass_fail_ranges: GradeRange[]
  /** What a degree needs: whole hours, GPA in hundredths, whole weeks. */
  readonly graduation: { readonly hours: number; readonly gpa: Hundredths; readonly training_weeks: number }
  /** Under term and annual bylaws: what stands in place of GPA, loads and warnings. null: by credit hours. */
  readonly marks: MarkRules | null
  /** How results by credit hours and by marks are told in each other; empty: the bylaw does not say. */
  readonly conversions: readonly ConversionLine[]
  /** What held until a term, the oldest first: `settingsIn` says what holds in a term. Empty: it never changed under results. */
  readonly earlier: readonly Edition[]
}

/** What the settings say about marks and levels, whatever the type of the bylaw. */
function markRules(settings: Settings): MarkRules {
  const courses = (kind: Settings['carried_courses'][number]['kind']) =>
    settings.carried_courses
      .filter((carriedCourse) => carriedCourse.kind === kind)
      .map((carriedCourse) => carriedCourse.course_id)
  const limit = (value: string | null) => (value === null ? null : hundredths(value))
  return {
    pass_share: hundredths(settings.pass_share),
    min_final_share: hundredths(settings.min_percentage_final_exam),
    ratings: settings.ratings
      .map(({ code, name, name_local, from_share }) => ({ code, name, name_local, from: hundredths(from_share) }))
      .sort((a, b) => b.from - a.from),
    max_carried: settings.max_carried,
    carried_from_final_level: settings.carried_from_final_level,
    required_courses: courses('required'),
    uncounted_courses: courses('uncounted'),
    second_session: settings.second_session,
    later_sitting_capped: settings.later_sitting_capped,
    max_chances: settings.max_chances,
    levels: settings.levels
      .map(({ level, chances = 2, counts_for_graduation = true }) => ({ level, chances, counts_for_graduation }))
      .sort((a, b) => a.level - b.level),
    honours_rating: settings.honours_rating,
    grace: {
      order: settings.grace_order,
      per_course: hundredths(settings.grace_per_course),
      in_all: limit(settings.grace_in_all),
      share: limit(settings.grace_share),
      on_transcript: settings.grace_on_transcript,
    },
  }
}

/** The settings as the pure rules read them. */
export function toBylaw(settings: Settings): Omit<BylawSettings, 'id' | 'version' | 'earlier'> {
  const ranges = gradeRanges(settings, 'letter')
  const passFail = gradeRanges(settings, 'pass_fail').sort((a, b) => a.from - b.from)
  const special: Partial<Record<SpecialKind, SpecialGrade>> = {}
  for (const grade of settings.special_grades) {
    const kind: SpecialKind = grade.status === 'Exempt' ? 'Exempted' : grade.status
    special[kind] = {
      letter: grade.letter,
      points: grade.counts_in_gpa ? hundredths(grade.points) : null,
      success: usualSpecialGrades[kind].success,
      counts_in_gpa: grade.counts_in_gpa,
      counts_in_attempted_hours: grade.counts_in_attempted_hours,
    }
  }
  const pass = passFail.at(-1)
  const fail = passFail[0]
  if (pass) special.Pass = { ...usualSpecialGrades.Pass, letter: pass.letter }
  if (fail) special.Fail = { ...usualSpecialGrades.Fail, letter: fail.letter }
  return {
    program_type: settings.program_type,
    total_places: settings.total_places as 0 | 1 | 2,
    pass_fail_ranges: passFail,
    graduation: {
      hours: settings.graduation_hours,
      gpa: hundredths(settings.graduation_gpa),
      training_weeks: settings.min_training_weeks,
    },
    grade_ranges: ranges,
    gpa_ranges: settings.gpa_ranges.map(({ name, name_local, from_gpa, to_gpa }) => ({
      name,
      name_local,
      from: hundredths(from_gpa),
      to: hundredths(to_gpa),
    })),
    load_ranges: settings.load_ranges.map(({ from_gpa, to_gpa, max_ch_value, max_summer_ch_value, max_courses }) => ({
      from: hundredths(from_gpa),
      to: hundredths(to_gpa),
      max_ch_value,
      max_summer_ch_value,
      max_courses,
    })),
    levels: settings.levels.map(({ level, passed_hours }) => ({ level, passed_hours: passed_hours * 100 })),
    warning: {
      type: settings.warning_type,
      gpa: hundredths(settings.warning_gpa),
      count: settings.warning_count,
      maximum: settings.max_warnings,
      summer: settings.warning_in_summer,
      max_ch_value: settings.warning_max_ch_value,
    },
    repeat: {
      counts: settings.repeat_rule,
      max_grade: letterUpTo(settings.repeat_max_points, ranges),
      max_improve_grade: letterUpTo(settings.improve_max_points, ranges),
      max_improvements: settings.max_improvements,
      improvable: settings.improve_letters,
    },
    max_repeats: settings.max_repeats,
    graduating: { extra_hours: settings.graduating_extra_hours, extra_courses: settings.graduating_extra_courses },
    min_percentage_final_exam: hundredths(settings.min_percentage_final_exam),
    special_grades: special,
    grades_visibility: settings.grades_visibility,
    marks: worksByMarks(settings.program_type) ? markRules(settings) : null,
    conversions: settings.conversions.map((line) => ({
      from_share: hundredths(line.from_share),
      to_share: hundredths(line.to_share),
      from_points: hundredths(line.from_points),
      to_points: hundredths(line.to_points),
    })),
  }
}

/** Parts of the settings that are checked together and saved together. */
export type SettingsPart =
  | 'grade_types'
  | 'gpa_ranges'
  | 'load_ranges'
  | 'levels'
  | 'special_grades'
  | 'warning'
  | 'repeat'
  | 'min_percentage_final_exam'
  | 'grades_visibility'
  | 'marks'
  | 'conversions'
  | 'withdrawal'

const REPEAT_FIELDS: Record<string, string> = {
  max_grade: 'repeat_max_points',
  max_improve_grade: 'improve_max_points',
  max_improvements: 'max_improvements',
  improvable: 'improve_letters',
}
const WARNING_FIELDS: Record<string, string> = {
  gpa: 'warning_gpa',
  maximum: 'max_warnings',
  max_ch_value: 'warning_max_ch_value',
}

/** The field of a finding as it is called on the wire. */
function wireField(field: string | null, settings: Settings): string | null {
  if (field === null) return null
  const [part, ...rest] = field.split('.')
  const tail = (names: Record<string, string>) => rest.map((name) => names[name] ?? name).join('.')
  const at = (prefix: string, end: string) => (end ? `${prefix}.${end}` : prefix)
  switch (part) {
    case 'grade_ranges':
    case 'pass_fail_ranges': {
      const kind = part === 'grade_ranges' ? 'letter' : 'pass_fail'
      const index = settings.grade_types.findIndex((type) => type.kind === kind)
      if (index < 0) return 'grade_types'
      return at(`grade_types.${index}.ranges`, tail({ from: 'from_percent', to: 'to_percent' }))
    }
    case 'gpa_ranges':
    case 'load_ranges':
      return at(part, tail({ from: 'from_gpa', to: 'to_gpa' }))
    case 'warning':
      return WARNING_FIELDS[rest[0]!] ?? field
    case 'repeat':
      return at(REPEAT_FIELDS[rest[0]!] ?? field, rest.slice(1).join('.'))
    case 'special_grades': {
      const status = rest[0] === 'Exempted' ? 'Exempt' : rest[0]
      const index = settings.special_grades.findIndex((grade) => grade.status === status)
      return at(`special_grades.${index}`, rest.slice(1).join('.'))
    }
    default:
      return field
  }
}

const MARK_FIELDS = ['pass_share', 'ratings', 'honours_rating', 'carried_courses', 'grace_order', 'grace_in_all']

/** The part of the settings a field on the wire belongs to; problems of parts a change does not touch do not stop it. */
export function settingsPartOf(field: string | null): SettingsPart | null {
  const name = field?.split('.')[0] ?? ''
  if (name.startsWith('warning_') || name === 'max_warnings') return 'warning'
  if (
    name.startsWith('repeat_') ||
    name.startsWith('improve_') ||
    name === 'max_improvements' ||
    name === 'max_repeats'
  )
    return 'repeat'
  if (name.startsWith('withdrawal_')) return 'withdrawal'
  if (MARK_FIELDS.includes(name)) return 'marks'
  return (name || null) as SettingsPart | null
}

export type SettingsCode = BylawCode | MarkRulesCode | WithdrawalCode | 'grade_type_twice'

/** Texts of everything settings can get wrong. */
export const settingsTexts: Record<SettingsCode, Bilingual> = {
  ...bylawTexts,
  ...markRulesTexts,
  ...withdrawalTexts,
  grade_type_twice: { en: 'The bylaw has this kind of grades already', ar: 'يوجد في اللائحة نظام تقديرات من هذا النوع' },
}

const sentRatings = (settings: Settings) =>
  settings.ratings.map(({ from_share, ...rest }) => ({ ...rest, from: hundredths(from_share) }))

/** Everything that is wrong with settings, all reasons at once, with the fields as they are called on the wire. */
export function checkBylawSettings(settings: Settings): Problem<SettingsCode>[] {
  const bylaw = toBylaw(settings)
  const problems: Problem<SettingsCode>[] = bylaw.marks
    ? [
        ...checkBylawLevels(bylaw.levels).filter(
          ({ code }) => !code.startsWith('level_hours') && code !== 'level_start',
        ),
        ...checkMinFinalExam(bylaw.min_percentage_final_exam, 9900),
        ...checkSpecialGrades(bylaw.special_grades).filter(({ code }) => code === 'special_letter'),
        ...checkGradesVisibility(bylaw.grades_visibility),
        ...checkMarkRules(
          // In the order in which they were sent, so that a finding names the right one.
          { ...bylaw.marks, ratings: sentRatings(settings) },
          settings.carried_courses.map((carriedCourse) => carriedCourse.course_id),
        ),
      ]
    : checkBylaw(bylaw)
  problems.push(
    ...checkConversions(bylaw.conversions),
    ...checkWithdrawalSteps(
      settings.withdrawal_steps.map((step) => ({ ...step, percent: hundredths(step.percent) })),
      hundredths(settings.withdrawal_charge),
    ),
  )
  const passFail = settings.grade_types.find((type) => type.kind === 'pass_fail')
  if (passFail) {
    problems.push(
      ...checkGradeRanges(gradeRanges(settings, 'pass_fail')).map((problem) => ({
        ...problem,
        field: problem.field?.replace(/^grade_ranges/, 'pass_fail_ranges') ?? null,
      })),
    )
  }
  const kinds = settings.grade_types.map((type) => type.kind)
  kinds.forEach((kind, index) => {
    if (kinds.indexOf(kind) < index)
      problems.push({ code: 'grade_type_twice', field: `grade_types.${index}.kind`, data: {} })
  })
  return problems.map((problem) => ({ ...problem, field: wireField(problem.field, settings) }))
}

/** A change of settings, with which the rating that began at the share that passes goes along. */
export function movePass<T extends Partial<Pick<Settings, 'pass_share' | 'ratings'>>>(
  before: Pick<Settings, 'pass_share' | 'ratings'>,
  patch: T,
): T {
  const { pass_share } = patch
  if (pass_share === undefined || patch.ratings !== undefined) return patch
  const old = hundredths(before.pass_share)
  const ratings = before.ratings.map((rating) =>
    hundredths(rating.from_share) === old ? { ...rating, from_share: pass_share } : rating,
  )
  return { ...patch, ratings }
}

type Bounds<From extends string, To extends string> = Record<From | To, string>

/** Ranges by the names of their two bounds, with moves that keep the scale tiled. */
export const rangesBy = <From extends string, To extends string>(from: From, to: To) => {
  type Bound = Bounds<From, To>
  const start = (range: Bound) => hundredths(range[from])
  const end = (range: Bound) => hundredths(range[to])
  const bounded = <R extends Bound>(range: R, low: Hundredths, high: Hundredths): R =>
    start(range) === low && end(range) === high
      ? range
      : { ...range, [from]: printHundredths(low), [to]: printHundredths(high) }
  return {
    /** With a further range, for which the ranges it overlaps make room. */
    add: <R extends Bound>(ranges: readonly R[], added: R): R[] => [
      ...ranges.map((range) => {
        const [low, high, newLow, newHigh] = [start(range), end(range), start(added), end(added)]
        if (low >= newHigh || high <= newLow) return range
        if (low < newLow) return bounded(range, low, Math.min(high, newLow))
        return high > newHigh ? bounded(range, Math.max(low, newHigh), high) : range
      }),
      added,
    ],
    /** With one range changed: the ranges that shared a boundary with it still do. */
    move: <R extends Bound>(ranges: readonly R[], index: number, moved: R): R[] => {
      const old = ranges[index]
      if (old === undefined) return [...ranges]
      return ranges.map((range, i) => {
        if (i === index) return moved
        if (end(range) === start(old)) return bounded(range, start(range), start(moved))
        if (start(range) === end(old)) return bounded(range, end(moved), end(range))
        return range
      })
    },
    /** Without one range: the one below it, else the one above, takes its place. */
    remove: <R extends Bound>(ranges: readonly R[], index: number): R[] => {
      const old = ranges[index]
      if (old === undefined) return [...ranges]
      const below = ranges.findIndex((range) => end(range) === start(old))
      const above = ranges.findIndex((range) => start(range) === end(old))
      return ranges
        .map((range, i) =>
          i === below
            ? bounded(range, start(range), end(old))
            : below < 0 && i === above
              ? bounded(range, start(old), end(range))
              : range,
        )
        .filter((_, i) => i !== index)
    },
  }
}

export const percentRanges = rangesBy('from_percent', 'to_percent')
export const gpaRanges = rangesBy('from_gpa', 'to_gpa')
export const shareRanges = rangesBy('from_share', 'to_share')
export const pointRanges = rangesBy('from_points', 'to_points')

/** A stretch of a scale in units of the scale: what it is, and which ranges lie there. */
export interface Stretch {
  readonly from: number
  readonly to: number
  /** Indexes of the ranges that cover it: none is a hole, several an overlap. */
  readonly covered: readonly number[]
}

/** A scale from 0 to `top` cut where a range begins or ends; ranges without sense cover nothing. */
export function stretches(ranges: readonly { readonly from: string; readonly to: string }[], top: number): Stretch[] {
  const bounds = ranges.map((range) => ({ from: hundredths(range.from) / 100, to: hundredths(range.to) / 100 }))
  const cuts = [...new Set([0, top, ...bounds.flatMap((b) => [b.from, b.to])])]
    .filter((n) => n >= 0 && n <= top)
    .sort((a, b) => a - b)
  return cuts.slice(1).map((to, i) => {
    const from = cuts[i]!
    return { from, to, covered: bounds.flatMap((b, index) => (b.from <= from && b.to >= to ? [index] : [])) }
  })
}

/** A grade of a bylaw, of whichever scale: letters of a grade type, or ratings of a regulation by marks. */
export interface GradeOfBylaw {
  readonly kind: 'letter' | 'pass_fail' | 'rating'
  readonly letter: string
}

/** Grades that a bylaw has now and would have no more. Ranges that move and are named otherwise beside it are none of it. */
export function gradesGone(
  now: Pick<Settings, 'grade_types' | 'ratings'>,
  next: Pick<Settings, 'grade_types' | 'ratings'>,
): GradeOfBylaw[] {
  const grades = (of: typeof now): GradeOfBylaw[] => [
    ...of.grade_types.flatMap(({ kind, ranges }) => ranges.map(({ letter }) => ({ kind, letter }))),
    ...of.ratings.map(({ code }) => ({ kind: 'rating' as const, letter: code })),
  ]
  const key = ({ kind, letter }: GradeOfBylaw) => `${kind} ${letter}`
  const kept = new Set(grades(next).map(key))
  return grades(now).filter((one) => !kept.has(key(one)))
}

/** Levels that a bylaw has now and would have no more. */
export const levelsGone = (now: Pick<Settings, 'levels'>, next: Pick<Settings, 'levels'>): number[] => {
  const kept = new Set(next.levels.map(({ level }) => level))
  return now.levels.flatMap(({ level }) => (kept.has(level) ? [] : [level]))
}
