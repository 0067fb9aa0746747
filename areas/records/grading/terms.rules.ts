import { levelFor, type Bylaw, type TermType } from '#areas/study/catalogue/bylaw.rules.ts'
import { divideRounded, trimHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'
import type { DegreeAudit } from '#areas/records/degree-audit/audits/plan.rules.ts'
import type { AttemptOutcome } from '#areas/common/academics/status.rules.ts'

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

export type AcademicStanding = 'good' | 'warning' | 'dismissal'

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
  standing: AcademicStanding
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
    for (const registration of term.registrations) {
      let course = courses.get(registration.course_id)
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
        courses.set(registration.course_id, course)
      }
      if (registration.counts_in_attempted_hours) termRegistered += registration.credit_hours
      if (registration.counts_in_gpa && registration.points !== null) {
        const cap = course.passed ? max_improve_points : course.failed ? max_repeat_points : null
        const points = cap !== null && registration.points > cap ? cap : registration.points
        termWeight += points * registration.credit_hours
        termHours += registration.credit_hours
        course.attempts += 1
        course.points_sum += points
        if (counts !== 'best' || points >= course.best) {
          course.best = points
          weight -= course.weight
          hours -= course.hours
          course.hours = registration.credit_hours
          course.weight =
            counts === 'average'
              ? divideRounded(course.points_sum * registration.credit_hours * meanScale, course.attempts)
              : points * registration.credit_hours * scale
          weight += course.weight
          hours += course.hours
        }
      }
      if (registration.outcome === 'passed') {
        termPassed += registration.credit_hours
        const gained = Math.max(0, registration.credit_hours - course.passed_hours)
        passed += gained
        course.passed_hours += gained
        course.passed = true
      } else if (registration.outcome === 'failed') course.failed = true
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
  standing: AcademicStanding,
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
