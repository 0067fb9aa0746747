/**
 * From marks to grades, and from grades to the rows of a term: GPA, hours, points, standing, level, graduation.
 *
 * Marks, percentages, points, GPAs and credit hours are whole hundredths, so no figure passes through a binary fraction.
 * Everything here depends on its arguments alone: computing a finished term again gives the same rows.
 */
import {
  gradeFor,
  levelFor,
  usualSpecialGrades,
  type Bylaw,
  type SpecialKind,
  type TermType,
} from '#areas/study/catalogue/bylaw.rules.ts'
import {
  divideRounded,
  parseHundredths,
  trimHundredths,
  type Hundredths,
} from '#areas/study/catalogue/decimal.rules.ts'
import { marksFor, ratingOf, reachesShare, type MarkRules } from '#areas/study/catalogue/mark-regulation.rules.ts'
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'
import type { DegreeAudit } from '#areas/records/degree-audit/audits/plan.rules.ts'
import type { AttemptKind, AttemptOutcome, MainFlag } from '#areas/common/academics/status.rules.ts'

/** A part of the mark scheme of an offering. */
export type MarkCategory = { id: number; maximum: Hundredths; final_exam: boolean }

export type MarkScheme = {
  categories: MarkCategory[]
  /** Decimal places the total is rounded to. */
  places: 0 | 1 | 2
  grade_type: 'letter' | 'pass_fail'
}

/** A mark, or absent. */
export type Mark = Hundredths | 'A'

export type GradingCode =
  | 'scheme_total'
  | 'scheme_maximum'
  | 'scheme_final_exam'
  | 'scheme_category_twice'
  | 'mark_shape'
  | 'mark_maximum'

/** Texts of what can be wrong with a scheme or a mark. */
export const gradingTexts: Record<GradingCode, Bilingual> = {
  scheme_total: {
    en: 'The maximum marks sum to {total}, they must sum to exactly {maximum}',
    ar: 'مجموع النهايات العظمى {total}، ويجب أن يكون {maximum} تمامًا',
  },
  scheme_maximum: {
    en: 'A maximum mark is more than 0 and at most {maximum}, with at most two decimal places',
    ar: 'النهاية العظمى أكبر من 0 ولا تزيد على {maximum}، بمنزلتين عشريتين على الأكثر',
  },
  scheme_final_exam: {
    en: 'Exactly one category is the final exam',
    ar: 'يجب أن تكون فئة واحدة فقط هي الاختبار النهائي',
  },
  scheme_category_twice: { en: 'A mark category stands twice', ar: 'فئة الدرجات مكررة' },
  mark_shape: {
    en: 'A mark is a number with at most two decimal places, or A for absent',
    ar: 'الدرجة عدد بمنزلتين عشريتين على الأكثر، أو A للغائب',
  },
  mark_maximum: { en: 'The mark lies between 0 and {maximum}', ar: 'تقع الدرجة بين 0 و{maximum}' },
}

/**
 * What is wrong with a mark scheme; it must be sound before the first mark is entered.
 *
 * @param whole out of how many marks the course is
 */
export function checkScheme(scheme: Pick<MarkScheme, 'categories'>, whole: Hundredths = 10000): Problem<GradingCode>[] {
  const maximumOf = { maximum: trimHundredths(whole) }
  const problems: Problem<GradingCode>[] = []
  const ids = new Set<number>()
  let total = 0
  scheme.categories.forEach(({ id, maximum }, index) => {
    const field = `categories.${index}`
    if (ids.has(id)) problems.push({ code: 'scheme_category_twice', field, data: {} })
    ids.add(id)
    if (!Number.isInteger(maximum) || maximum <= 0 || maximum > whole) {
      problems.push({ code: 'scheme_maximum', field: `${field}.maximum`, data: maximumOf })
    }
    total += maximum
  })
  if (total !== whole) {
    const data = { total: trimHundredths(Math.round(total)), ...maximumOf }
    problems.push({ code: 'scheme_total', field: 'categories', data })
  }
  if (scheme.categories.filter((category) => category.final_exam).length !== 1) {
    problems.push({ code: 'scheme_final_exam', field: 'categories', data: {} })
  }
  return problems
}

const latinDigits = (text: string): string =>
  text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660)).replace('٫', '.')

/** Reads what was typed or imported for one mark; empty is null (no mark yet). Arabic-Indic digits are read as well. */
export function readMark(text: string, maximum: Hundredths): { mark: Mark | null } | { problem: Problem<GradingCode> } {
  const plain = latinDigits(text.trim())
  if (plain === '') return { mark: null }
  if (plain === 'A' || plain === 'a') return { mark: 'A' }
  const mark = parseHundredths(plain)
  if (mark === null) return { problem: { code: 'mark_shape', field: null, data: {} } }
  if (mark >= 0 && mark <= maximum) return { mark }
  return { problem: { code: 'mark_maximum', field: null, data: { maximum: trimHundredths(maximum) } } }
}

export type GradeInput = {
  scheme: MarkScheme
  /** By category id; a category without an entry, or null, has no mark yet. */
  marks: Readonly<Record<number, Mark | null>>
  main: MainFlag
  audit: boolean
  attempt: AttemptKind | null
  bylaw: Pick<Bylaw, 'grade_ranges' | 'repeat' | 'min_percentage_final_exam' | 'special_grades'> & {
    /** The regulation by marks; null or absent: by credit hours. */
    marks?: Pick<MarkRules, 'pass_share' | 'ratings' | 'later_sitting_capped'> | null
  }
}

export type Grade = {
  /** `none`: a state without grade (a request, dropped); `missing`: marks are still to come. */
  state: 'graded' | 'special' | 'missing' | 'none'
  special: SpecialKind | null
  /** Rounded once to the places of the scheme: the percentage; under a regulation by marks the marks out of `maximum`. */
  total: Hundredths | null
  /** What the scheme sums to, under a regulation by marks; null: `total` is a percentage. */
  maximum: Hundredths | null
  /** Under a regulation by marks the symbol of the rating. */
  letter: string | null
  points: Hundredths | null
  outcome: AttemptOutcome
  counts_in_gpa: boolean
  counts_in_attempted_hours: boolean
  /** Failed for the final exam alone, whatever the total. */
  failed_final: boolean
  /** Ids of the categories that have no mark. */
  missing: number[]
}

const noGrade: Grade = {
  state: 'none',
  special: null,
  total: null,
  maximum: null,
  letter: null,
  points: null,
  outcome: 'none',
  counts_in_gpa: false,
  counts_in_attempted_hours: false,
  failed_final: false,
  missing: [],
}

const specialOfMain: Partial<Record<MainFlag, SpecialKind>> = {
  Absent: 'Absent',
  Banned: 'Banned',
  Punished: 'Punished',
  Withdrawn: 'Withdrawn',
  ForcedWithdrawn: 'ForcedWithdrawn',
  Excused: 'Excused',
  Incomplete: 'Incomplete',
}

const failing: ReadonlySet<SpecialKind> = new Set<SpecialKind>(['Absent', 'Banned', 'Punished', 'Fail'])

function specialGrade(
  kind: SpecialKind,
  { bylaw, scheme }: Pick<GradeInput, 'bylaw' | 'scheme'>,
  total: Hundredths | null,
): Grade {
  const { letter, points, success, counts_in_gpa, counts_in_attempted_hours } =
    bylaw.special_grades[kind] ?? usualSpecialGrades[kind]
  const outcome = success ? 'passed' : counts_in_gpa || failing.has(kind) ? 'failed' : 'none'
  return {
    ...noGrade,
    state: 'special',
    special: kind,
    total,
    maximum: bylaw.marks ? wholeOf(scheme) : null,
    letter,
    points: bylaw.marks ? null : points,
    outcome,
    counts_in_gpa,
    counts_in_attempted_hours,
  }
}

const wholeOf = ({ categories }: Pick<MarkScheme, 'categories'>): Hundredths =>
  categories.reduce((sum, { maximum }) => sum + maximum, 0)

/** `sum` out of `whole` as marks out of `maximum`, rounded once to the places, halves away from zero. */
function rounded(sum: Hundredths, whole: Hundredths, maximum: Hundredths, places: 0 | 1 | 2): Hundredths {
  const unit = places === 0 ? 100 : places === 1 ? 10 : 1
  return divideRounded(sum * maximum, whole * unit) * unit
}

/**
 * The result of marks under a regulation by marks: passed by the share of the maximum and the minimum of the written
 * exam; what fails by the exam alone has the best rating that fails. A course passed at a later sitting counts with the
 * marks that pass, where the regulation says so.
 */
function ratedGrade(
  input: GradeInput,
  rules: NonNullable<GradeInput['bylaw']['marks']>,
  sum: Hundredths,
  weakFinal: boolean,
): Grade {
  const { scheme } = input
  const maximum = wholeOf(scheme)
  const earned = rounded(sum, maximum, maximum, scheme.places)
  const passed = !weakFinal && reachesShare(earned, maximum, rules.pass_share)
  const capped = passed && input.attempt === 'Repeat' && rules.later_sitting_capped
  const total = capped ? Math.min(earned, marksFor(rules.pass_share, maximum)) : earned
  if (scheme.grade_type === 'pass_fail')
    return { ...specialGrade(passed ? 'Pass' : 'Fail', input, total), state: 'graded', failed_final: weakFinal }
  const failing = rules.ratings.filter(({ from }) => from < rules.pass_share)
  const rating = ratingOf(passed ? rules.ratings : failing, total, maximum)
  if (rating === null) throw new RangeError(`No rating holds ${trimHundredths(total)} of ${trimHundredths(maximum)}`)
  return {
    ...noGrade,
    state: 'graded',
    total,
    maximum,
    letter: rating.code,
    outcome: passed ? 'passed' : 'failed',
    counts_in_gpa: true,
    counts_in_attempted_hours: true,
    failed_final: weakFinal,
  }
}

/**
 * The grade of one registration. Absent in the final exam is the special grade Absent, absent elsewhere is no marks.
 * A repeated or improved course earns at most the letter the bylaw names. The scheme must have passed `checkScheme`,
 * and the grade ranges `checkGradeRanges`, or the regulation by marks `checkMarkRules`.
 */
export function gradeOf(input: GradeInput): Grade {
  const { scheme, marks, main, bylaw } = input
  if (main === 'RegisterRequest' || main === 'AddRequest' || main === 'Dropped') return noGrade
  if (input.audit) return specialGrade('Audit', input, null)
  const kind = specialOfMain[main]
  if (kind !== undefined) return specialGrade(kind, input, null)

  const missing: number[] = []
  let sum = 0
  let weakFinal = false
  let absent = false
  for (const { id, maximum, final_exam } of scheme.categories) {
    const mark = marks[id] ?? null
    if (mark === null) missing.push(id)
    else if (mark !== 'A') sum += mark
    if (final_exam) {
      absent = mark === 'A'
      weakFinal = typeof mark === 'number' && mark * 10000 < bylaw.min_percentage_final_exam * maximum
    }
  }
  if (absent) return specialGrade('Absent', input, null)
  if (missing.length > 0) return { ...noGrade, state: 'missing', missing }

  if (bylaw.marks) return ratedGrade(input, bylaw.marks, sum, weakFinal)
  const total = rounded(sum, wholeOf(scheme), 10000, scheme.places)
  const reached = gradeFor(bylaw.grade_ranges, weakFinal ? 0 : total)
  if (reached === null) throw new RangeError(`No grade range holds ${trimHundredths(total)} percent`)
  if (scheme.grade_type === 'pass_fail') {
    return {
      ...specialGrade(reached.success ? 'Pass' : 'Fail', input, total),
      state: 'graded',
      failed_final: weakFinal,
    }
  }
  const { max_grade, max_improve_grade } = bylaw.repeat
  const cap = input.attempt === 'Repeat' ? max_grade : input.attempt === 'Improve' ? max_improve_grade : null
  const highest = cap === null ? undefined : bylaw.grade_ranges.find((range) => range.letter === cap)
  const { letter, points, success } = highest !== undefined && reached.points > highest.points ? highest : reached
  return {
    ...noGrade,
    state: 'graded',
    total,
    letter,
    points,
    outcome: success ? 'passed' : 'failed',
    counts_in_gpa: true,
    counts_in_attempted_hours: true,
    failed_final: weakFinal,
  }
}

/** One registration with its settled grade; equal courses carry the same `course_id`, that of the plan. */
export type TermRegistration = {
  course_id: number
  credit_hours: Hundredths
  points: Hundredths | null
  outcome: AttemptOutcome
  counts_in_gpa: boolean
  counts_in_attempted_hours: boolean
}

export type StudentTerm = {
  term_id: number
  term_type: TermType
  registrations: readonly TermRegistration[]
  /** Courses that were credited, not taken: they earn no warning. */
  credited?: boolean
  /** What the bylaw said in this term, where that has changed since. */
  rules?: TermBylaw
}

/** What of a bylaw the rows of a term depend on; see `termBylaw`. */
export type TermBylaw = {
  levels: Bylaw['levels']
  warning: Bylaw['warning']
  counts: Bylaw['repeat']['counts']
  /** Most points of a course repeated after failing, and of an improved one; null = any. */
  max_repeat_points: Hundredths | null
  max_improve_points: Hundredths | null
}

/** Prepares a bylaw once for all its students. */
export function termBylaw(bylaw: Pick<Bylaw, 'grade_ranges' | 'levels' | 'warning' | 'repeat'>): TermBylaw {
  const points = (letter: string | null): Hundredths | null =>
    bylaw.grade_ranges.find((range) => range.letter === letter)?.points ?? null
  return {
    levels: bylaw.levels,
    warning: bylaw.warning,
    counts: bylaw.repeat.counts,
    max_repeat_points: points(bylaw.repeat.max_grade),
    max_improve_points: points(bylaw.repeat.max_improve_grade),
  }
}

/** The terms of one student, oldest first. */
export type StudentRecord = { bylaw: TermBylaw; terms: readonly StudentTerm[] }

export type Standing = 'good' | 'warning' | 'dismissal'

/** The row kept per student and term. */
export type TermResult = {
  term_id: number
  /** null where nothing of the term counts. */
  gpa: Hundredths | null
  registered_hours: Hundredths
  passed_hours: Hundredths
  points: Hundredths
  cumulative_gpa: Hundredths | null
  /** Hours of all attempts. */
  cumulative_registered_hours: Hundredths
  /** Each passed course once, with the most hours it was passed with. */
  cumulative_passed_hours: Hundredths
  /** Points of the attempts that count. */
  cumulative_points: Hundredths
  /** Whether this term earned a warning, and the warnings as the bylaw counts them after it. */
  warned: boolean
  warnings: number
  standing: Standing
  level: number
}

/** Divisible by every number up to 16, so that the mean of up to 16 attempts stays a whole number. */
const meanScale = 720720

type CourseState = {
  failed: boolean
  passed_hours: Hundredths
  passed: boolean
  attempts: number
  points_sum: number
  best: Hundredths
  /** What the course now adds to the cumulative sums. */
  weight: number
  hours: Hundredths
}

/**
 * The rows of all terms of one student, in one pass.
 *
 * Term GPA = Σ(points × credit hours) / Σ(credit hours) over what counts; the cumulative GPA lets each course count once
 * by the repeat rule (`best`: of equal attempts the later, with its hours; `average`: the mean of points with the hours
 * of the last attempt). Both are rounded once to two places, half up, and warnings compare the rounded figure. A term in
 * which nothing counts, and a summer term the bylaw leaves out, neither earns a warning nor ends a row of them.
 */
export function computeTerms({ bylaw, terms }: StudentRecord): TermResult[] {
  const scale = terms.some((term) => (term.rules ?? bylaw).counts === 'average') ? meanScale : 1
  const courses = new Map<number, CourseState>()
  const results: TermResult[] = []
  let weight = 0
  let hours = 0
  let registered = 0
  let passed = 0
  let warnings = 0
  let below = false

  for (const term of terms) {
    const { levels, warning, counts, max_repeat_points, max_improve_points } = term.rules ?? bylaw
    let termWeight = 0
    let termHours = 0
    let termRegistered = 0
    let termPassed = 0
    for (const one of term.registrations) {
      let course = courses.get(one.course_id)
      if (course === undefined) {
        course = {
          failed: false,
          passed_hours: 0,
          passed: false,
          attempts: 0,
          points_sum: 0,
          best: -1,
          weight: 0,
          hours: 0,
        }
        courses.set(one.course_id, course)
      }
      if (one.counts_in_attempted_hours) termRegistered += one.credit_hours
      if (one.counts_in_gpa && one.points !== null) {
        const cap = course.passed ? max_improve_points : course.failed ? max_repeat_points : null
        const points = cap !== null && one.points > cap ? cap : one.points
        termWeight += points * one.credit_hours
        termHours += one.credit_hours
        course.attempts += 1
        course.points_sum += points
        if (counts !== 'best' || points >= course.best) {
          course.best = points
          weight -= course.weight
          hours -= course.hours
          course.hours = one.credit_hours
          course.weight =
            counts === 'average'
              ? divideRounded(course.points_sum * one.credit_hours * meanScale, course.attempts)
              : points * one.credit_hours * scale
          weight += course.weight
          hours += course.hours
        }
      }
      if (one.outcome === 'passed') {
        termPassed += one.credit_hours
        const gained = Math.max(0, one.credit_hours - course.passed_hours)
        passed += gained
        course.passed_hours += gained
        course.passed = true
      } else if (one.outcome === 'failed') course.failed = true
    }
    registered += termRegistered

    const gpa = termHours === 0 ? null : divideRounded(termWeight, termHours)
    const cumulative = hours === 0 ? null : divideRounded(weight, hours * scale)
    let warned = false
    if (!term.credited && warning.maximum > 0 && gpa !== null && (warning.summer || term.term_type !== 'summer')) {
      warned = (warning.type === 'term' ? gpa : (cumulative ?? gpa)) < warning.gpa
      below = warned
      if (warned) warnings += 1
      else if (warning.count === 'consecutive') warnings = 0
    }
    results.push({
      term_id: term.term_id,
      gpa,
      registered_hours: termRegistered,
      passed_hours: termPassed,
      points: divideRounded(termWeight, 100),
      cumulative_gpa: cumulative,
      cumulative_registered_hours: registered,
      cumulative_passed_hours: passed,
      cumulative_points: divideRounded(weight, 100 * scale),
      warned,
      warnings,
      standing: warning.maximum > 0 && warnings >= warning.maximum ? 'dismissal' : below ? 'warning' : 'good',
      level: levelFor(levels, passed),
    })
  }
  return results
}

/** A figure of a stored row that computing again does not give; null on one side = the row is only on the other. */
export type TermDifference = {
  term_id: number
  field: keyof TermResult
  stored: TermResult[keyof TermResult]
  computed: TermResult[keyof TermResult]
}

/** Every difference between the rows kept and the rows computed again. */
export function diffTerms(stored: readonly TermResult[], computed: readonly TermResult[]): TermDifference[] {
  const before = new Map(stored.map((row) => [row.term_id, row]))
  const after = new Map(computed.map((row) => [row.term_id, row]))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((term_id) => {
    const old = before.get(term_id)
    const now = after.get(term_id)
    if (old === undefined || now === undefined) {
      return [{ term_id, field: 'term_id' as const, stored: old?.term_id ?? null, computed: now?.term_id ?? null }]
    }
    return (Object.keys(now) as (keyof TermResult)[]).flatMap((field) =>
      old[field] === now[field] ? [] : [{ term_id, field, stored: old[field], computed: now[field] }],
    )
  })
}

export type GraduationCode =
  | 'graduation_hours'
  | 'graduation_gpa'
  | 'graduation_training'
  | 'graduation_requirements'
  | 'graduation_unfinished'
  | 'graduation_standing'

/** Texts of why a student cannot graduate yet. */
export const graduationTexts: Record<GraduationCode, Bilingual> = {
  graduation_hours: {
    en: '{earned} of {required} credit hours are passed',
    ar: 'الساعات المجتازة {earned} من {required}',
  },
  graduation_gpa: { en: 'The GPA is {actual}, {required} is needed', ar: 'المعدل {actual}، والمطلوب {required}' },
  graduation_training: {
    en: '{earned} of {required} training weeks are done',
    ar: 'أسابيع التدريب المنجزة {earned} من {required}',
  },
  graduation_requirements: {
    en: '{count} groups of the study plan are not complete',
    ar: 'عدد مجموعات الخطة غير المستوفاة: {count}',
  },
  graduation_unfinished: {
    en: '{count} registrations are incomplete or without a result',
    ar: 'عدد المقررات غير المكتملة أو بلا نتيجة: {count}',
  },
  graduation_standing: {
    en: 'The maximum of academic warnings is reached',
    ar: 'بلغ الطالب الحد الأقصى للإنذارات الأكاديمية',
  },
}

/** Whether a student may graduate, with every reason against it. `unfinished` = registrations still without a result. */
export function graduation(
  audit: DegreeAudit,
  standing: Standing,
  unfinished: number,
): { eligible: boolean; reasons: Problem<GraduationCode>[] } {
  const reasons: Problem<GraduationCode>[] = []
  const add = (code: GraduationCode, data: Problem['data'] = {}) => reasons.push({ code, field: null, data })
  const { hours, gpa, training } = audit
  // Whom an exception declares complete lacks nothing of it.
  if (!audit.complete) {
    if (hours.state !== 'met') {
      add('graduation_hours', { earned: trimHundredths(hours.earned), required: trimHundredths(hours.required) })
    }
    if (gpa.state !== 'met') {
      add('graduation_gpa', {
        actual: gpa.actual === null ? '–' : trimHundredths(gpa.actual),
        required: trimHundredths(gpa.required),
      })
    }
    if (training.state !== 'met') add('graduation_training', { earned: training.earned, required: training.required })
    const open = audit.groups.filter((group) => group.state !== 'met').length + audit.open
    if (open > 0) add('graduation_requirements', { count: open })
  }
  if (unfinished > 0) add('graduation_unfinished', { count: unfinished })
  if (standing === 'dismissal') add('graduation_standing')
  return { eligible: reasons.length === 0, reasons }
}
