/**
 * From marks to grades, and from grades to the rows of a term: GPA, hours, points, standing, level, graduation.
 *
 * Marks, percentages, points, GPAs and credit hours are whole hundredths, so no figure passes through a binary fraction.
 * Everything here depends on its arguments alone: computing a finished term again gives the same rows.
 */
import { gradeFor, usualSpecialGrades, type Bylaw, type SpecialKind } from '#areas/study/catalogue/bylaw.rules.ts'
import {
  divideRounded,
  parseHundredths,
  trimHundredths,
  type Hundredths,
} from '#areas/study/catalogue/decimal.rules.ts'
import {
  marksFor,
  regulationRatingOf,
  reachesShare,
  type MarkRules,
} from '#areas/study/catalogue/mark-regulation.rules.ts'
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'
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
  const rating = regulationRatingOf(passed ? rules.ratings : failing, total, maximum)
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
