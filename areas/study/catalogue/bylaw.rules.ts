/**
 * What a bylaw says about grades, levels, loads, warnings and repeated courses: the checks made when it is saved, and
 * the questions registration and grading ask of it.
 *
 * Every percentage, GPA, number of points and of credit hours of a student is in hundredths. The limits of a load range
 * are whole credit hours, as they are entered.
 *
 * A range holds its `from` and everything below its `to`; the topmost range holds its `to` as well. So neighbours share
 * a boundary (60 to 65, 65 to 70) and no mark can fall between two ranges, however many places it has.
 */
import { statusReached, visibleParts, type GradesVisibility } from '#areas/common/academics/control.rules.ts'
import { trimHundredths, type Hundredths } from './decimal.rules.ts'
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'

/** `success: false` marks a failing grade; the range that begins at 0 is the failing grade of last resort. */
export type GradeRange = { letter: string; from: Hundredths; to: Hundredths; points: Hundredths; success: boolean }

/** A classification of the cumulative GPA (“Very good”). */
export type GpaRange = { name: string; name_local: string; from: Hundredths; to: Hundredths }

/** Limits for students whose GPA lies in the range; `max_courses: null` = no limit on the number of courses. */
export type LoadRange = {
  from: Hundredths
  to: Hundredths
  max_ch_value: number
  max_summer_ch_value: number
  max_courses: number | null
}

/** The passed hours that open a level. */
export type Level = { level: number; passed_hours: Hundredths }

/** `maximum: 0` switches warnings off; otherwise the student who reaches it is up for dismissal. */
export type WarningRule = {
  type: 'term' | 'cumulative'
  /** A GPA below this one earns a warning. */
  gpa: Hundredths
  count: 'consecutive' | 'total'
  maximum: number
  /** Whether a summer term can earn a warning. */
  summer: boolean
  /** The load of a student under warning, in whole credit hours; null = the load of the GPA range alone. */
  max_ch_value: number | null
}

export type RepeatRule = {
  /** Which attempt counts in the cumulative GPA; `average` lets the course count once, with the mean of its points. */
  counts: 'last' | 'best' | 'average'
  /** The highest letter a course repeated after failing can earn; null = any. */
  max_grade: string | null
  /** The highest letter an improved course can earn; null = any. */
  max_improve_grade: string | null
  /** How many improvements a student may take in all; null = any number. */
  max_improvements: number | null
  /** The letters that may be improved; empty = all. */
  improvable: string[]
}

/** What may go beyond the load for a student who can complete the degree with it, in whole hours and courses. */
export type GraduatingRule = { extra_hours: number; extra_courses: number }

export const specialKinds = [
  'Absent',
  'Banned',
  'Punished',
  'Withdrawn',
  'ForcedWithdrawn',
  'Excused',
  'Incomplete',
  'Audit',
  'Exempted',
  'Pass',
  'Fail',
] as const

/** Grades that come from something other than a percentage; Pass and Fail are those of pass/fail courses. */
export type SpecialKind = (typeof specialKinds)[number]

export type SpecialGrade = {
  letter: string
  /** null where the grade has no points; such a grade cannot count in the GPA. */
  points: Hundredths | null
  success: boolean
  counts_in_gpa: boolean
  counts_in_attempted_hours: boolean
}

/** A kind the bylaw says nothing about takes its entry here: failing presence counts as zero, leaving as nothing. */
export const usualSpecialGrades: Readonly<Record<SpecialKind, SpecialGrade>> = {
  Absent: { letter: 'ABS', points: 0, success: false, counts_in_gpa: true, counts_in_attempted_hours: true },
  Banned: { letter: 'BAN', points: 0, success: false, counts_in_gpa: true, counts_in_attempted_hours: true },
  Punished: { letter: 'PUN', points: 0, success: false, counts_in_gpa: true, counts_in_attempted_hours: true },
  Withdrawn: { letter: 'W', points: null, success: false, counts_in_gpa: false, counts_in_attempted_hours: false },
  ForcedWithdrawn: {
    letter: 'FW',
    points: null,
    success: false,
    counts_in_gpa: false,
    counts_in_attempted_hours: false,
  },
  Excused: { letter: 'EX', points: null, success: false, counts_in_gpa: false, counts_in_attempted_hours: false },
  Incomplete: { letter: 'I', points: null, success: false, counts_in_gpa: false, counts_in_attempted_hours: true },
  Audit: { letter: 'AU', points: null, success: false, counts_in_gpa: false, counts_in_attempted_hours: false },
  Exempted: { letter: 'T', points: null, success: true, counts_in_gpa: false, counts_in_attempted_hours: false },
  Pass: { letter: 'P', points: null, success: true, counts_in_gpa: false, counts_in_attempted_hours: true },
  Fail: { letter: 'NP', points: null, success: false, counts_in_gpa: false, counts_in_attempted_hours: true },
}

/** The rules of a bylaw that grading and registration read. */
export type Bylaw = {
  grade_ranges: GradeRange[]
  gpa_ranges: GpaRange[]
  load_ranges: LoadRange[]
  levels: Level[]
  warning: WarningRule
  repeat: RepeatRule
  /** How often a failed course may be taken again; null = any number of times. */
  max_repeats: number | null
  graduating: GraduatingRule
  /** Percent of the final exam below which the course is failed, 0 to 30 percent, in hundredths. */
  min_percentage_final_exam: Hundredths
  special_grades: Partial<Record<SpecialKind, SpecialGrade>>
  grades_visibility: GradesVisibility
}

export type TermType = 'fall' | 'spring' | 'summer'

export type BylawCode =
  | 'range_bounds'
  | 'range_empty'
  | 'range_hole'
  | 'range_overlap'
  | 'ranges_missing'
  | 'grade_letter'
  | 'grade_letter_twice'
  | 'grade_points'
  | 'grade_points_order'
  | 'grade_success_order'
  | 'grade_failing_missing'
  | 'grade_success_missing'
  | 'gpa_name'
  | 'load_hours'
  | 'load_courses'
  | 'level_number'
  | 'level_twice'
  | 'level_hours'
  | 'level_hours_order'
  | 'level_start'
  | 'warning_gpa'
  | 'warning_maximum'
  | 'repeat_grade'
  | 'repeat_improvements'
  | 'final_exam_percentage'
  | 'special_letter'
  | 'special_points'
  | 'visibility_early'
  | 'conversion_order'

/** Texts of everything a bylaw can get wrong. */
export const bylawTexts: Record<BylawCode, Bilingual> = {
  range_bounds: {
    en: 'A range lies between {minimum} and {maximum}, with at most two decimal places',
    ar: 'يقع المدى بين {minimum} و{maximum} بمنزلتين عشريتين على الأكثر',
  },
  range_empty: { en: '“From” must be less than “to”', ar: 'يجب أن تكون قيمة «من» أقل من قيمة «إلى»' },
  range_hole: { en: 'No range covers {from} to {to}', ar: 'لا يوجد مدى يغطي من {from} إلى {to}' },
  range_overlap: {
    en: '{from} to {to} is covered by more than one range',
    ar: 'من {from} إلى {to} يغطيه أكثر من مدى',
  },
  ranges_missing: { en: 'At least one range is needed', ar: 'يلزم مدى واحد على الأقل' },
  grade_letter: { en: 'A grade needs a letter', ar: 'يلزم رمز للتقدير' },
  grade_letter_twice: { en: 'The letter {letter} is used twice', ar: 'الرمز {letter} مستخدم مرتين' },
  grade_points: { en: 'Points lie between 0 and 4', ar: 'تقع النقاط بين 0 و4' },
  grade_points_order: {
    en: '{letter} has fewer points than the lower grade {lower}',
    ar: 'نقاط {letter} أقل من نقاط التقدير الأدنى {lower}',
  },
  grade_success_order: {
    en: '{letter} fails although the lower grade {lower} passes',
    ar: 'التقدير {letter} رسوب مع أن التقدير الأدنى {lower} نجاح',
  },
  grade_failing_missing: { en: 'The lowest range must be a failing grade', ar: 'يجب أن يكون أدنى مدى تقدير رسوب' },
  grade_success_missing: { en: 'At least one grade must be a success grade', ar: 'يلزم تقدير نجاح واحد على الأقل' },
  gpa_name: { en: 'A classification needs a name in both languages', ar: 'يلزم اسم التقدير العام باللغتين' },
  load_hours: {
    en: 'Maximum credit hours are a whole number between 0 and 300',
    ar: 'الحد الأقصى للساعات المعتمدة عدد صحيح بين 0 و300',
  },
  load_courses: {
    en: 'Maximum courses are a whole number between 0 and 30',
    ar: 'الحد الأقصى للمقررات عدد صحيح بين 0 و30',
  },
  level_number: { en: 'A level is a whole number between 0 and 7', ar: 'المستوى عدد صحيح بين 0 و7' },
  level_twice: { en: 'Level {level} is given twice', ar: 'المستوى {level} مذكور مرتين' },
  level_hours: { en: 'Passed hours lie between 0 and 300', ar: 'تقع الساعات المجتازة بين 0 و300' },
  level_hours_order: {
    en: 'Level {level} must open after more passed hours than level {lower}',
    ar: 'يجب أن يبدأ المستوى {level} بعد ساعات مجتازة أكثر من المستوى {lower}',
  },
  level_start: { en: 'The lowest level must open at 0 passed hours', ar: 'يجب أن يبدأ أدنى مستوى عند 0 ساعة مجتازة' },
  warning_gpa: { en: 'GPA between 0 and 4', ar: 'المعدل بين 0 و4' },
  warning_maximum: {
    en: 'The maximum of warnings is a whole number between 0 and 20; 0 switches warnings off',
    ar: 'الحد الأقصى للإنذارات عدد صحيح بين 0 و20، والصفر يوقف الإنذارات',
  },
  repeat_grade: { en: 'The bylaw has no grade {letter}', ar: 'لا يوجد في اللائحة تقدير {letter}' },
  repeat_improvements: {
    en: 'The number of improvements is a whole number between 0 and 30',
    ar: 'عدد مرات التحسين عدد صحيح بين 0 و30',
  },
  final_exam_percentage: {
    en: 'The minimum percentage of the final exam lies between 0 and {maximum}',
    ar: 'تقع النسبة الدنيا للاختبار النهائي بين 0 و{maximum}',
  },
  special_letter: { en: 'The grade {kind} needs a letter', ar: 'يلزم رمز للتقدير {kind}' },
  special_points: {
    en: '{letter} counts in the GPA and so needs points between 0 and 4',
    ar: 'يدخل {letter} في المعدل، فتلزم له نقاط بين 0 و4',
  },
  visibility_early: {
    en: 'Students can see letters, points and GPA only once grades are published',
    ar: 'لا يرى الطلاب الرموز والنقاط والمعدل إلا بعد إعلان الدرجات',
  },
  conversion_order: {
    en: 'A higher share of the maximum has fewer points than a lower one',
    ar: 'نسبة أعلى من النهاية العظمى تقابلها نقاط أقل من نسبة أدنى',
  },
}

type BylawProblem = Problem<BylawCode>

const whole = (value: number, minimum: number, maximum: number): boolean =>
  Number.isInteger(value) && value >= minimum && value <= maximum

const problem = (code: BylawCode, field: string | null, data: Problem['data'] = {}): BylawProblem => ({
  code,
  field,
  data,
})

/** How ranges have to fill their scale: without any hole, or only without holes between the first and the top. */
type Tiling = { maximum: Hundredths; start: 'zero' | 'any' }

/** Every bad bound, empty range, hole and overlap; the two ends of holes and overlaps are in `data`. */
export function checkTiling(
  ranges: readonly { from: Hundredths; to: Hundredths }[],
  name: string,
  tiling: Tiling,
): BylawProblem[] {
  if (ranges.length === 0) return [problem('ranges_missing', name)]
  const problems: BylawProblem[] = []
  const limits = { minimum: '0', maximum: trimHundredths(tiling.maximum) }
  const sound: { from: Hundredths; to: Hundredths; index: number }[] = []
  ranges.forEach(({ from, to }, index) => {
    const badFrom = !whole(from, 0, tiling.maximum)
    const badTo = !whole(to, 0, tiling.maximum)
    if (badFrom) problems.push(problem('range_bounds', `${name}.${index}.from`, limits))
    if (badTo) problems.push(problem('range_bounds', `${name}.${index}.to`, limits))
    if (badFrom || badTo) return
    if (from >= to) problems.push(problem('range_empty', `${name}.${index}.to`))
    else sound.push({ from, to, index })
  })
  sound.sort((one, other) => one.from - other.from || one.to - other.to)
  const gap = (code: 'range_hole' | 'range_overlap', field: string, from: Hundredths, to: Hundredths) =>
    problems.push(problem(code, field, { from: trimHundredths(from), to: trimHundredths(to) }))
  let end = tiling.start === 'zero' ? 0 : (sound[0]?.from ?? 0)
  for (const { from, to, index } of sound) {
    if (from > end) gap('range_hole', `${name}.${index}.from`, end, from)
    if (from < end) gap('range_overlap', `${name}.${index}.from`, from, Math.min(end, to))
    end = Math.max(end, to)
  }
  if (sound.length > 0 && end < tiling.maximum) gap('range_hole', name, end, tiling.maximum)
  return problems
}

/** Grade ranges tile 0 to 100 percent, letters are unique, points and success never fall as the percentage rises. */
export function checkGradeRanges(ranges: readonly GradeRange[]): BylawProblem[] {
  const problems = checkTiling(ranges, 'grade_ranges', { maximum: 10000, start: 'zero' })
  const letters = new Set<string>()
  ranges.forEach(({ letter, points }, index) => {
    const field = `grade_ranges.${index}`
    if (letter.trim() === '') problems.push(problem('grade_letter', `${field}.letter`))
    else if (letters.has(letter)) problems.push(problem('grade_letter_twice', `${field}.letter`, { letter }))
    letters.add(letter)
    if (!whole(points, 0, 400)) problems.push(problem('grade_points', `${field}.points`))
  })
  const ascending = ranges.map((range, index) => ({ ...range, index })).sort((one, other) => one.from - other.from)
  ascending.forEach((range, position) => {
    const lower = ascending[position - 1]
    if (lower === undefined) return
    const data = { letter: range.letter, lower: lower.letter }
    const field = `grade_ranges.${range.index}`
    if (range.points < lower.points) problems.push(problem('grade_points_order', `${field}.points`, data))
    if (lower.success && !range.success) problems.push(problem('grade_success_order', `${field}.success`, data))
  })
  const lowest = ascending[0]
  if (lowest?.success) problems.push(problem('grade_failing_missing', `grade_ranges.${lowest.index}.success`))
  if (ranges.length > 0 && !ranges.some((range) => range.success)) {
    problems.push(problem('grade_success_missing', 'grade_ranges'))
  }
  return problems
}

/** Classifications reach up to 4 without hole or overlap; below the first one there is no classification. */
export function checkGpaRanges(ranges: readonly GpaRange[]): BylawProblem[] {
  const problems = checkTiling(ranges, 'gpa_ranges', { maximum: 400, start: 'any' })
  ranges.forEach(({ name, name_local }, index) => {
    if (name.trim() === '' || name_local.trim() === '') problems.push(problem('gpa_name', `gpa_ranges.${index}.name`))
  })
  return problems
}

/** Load ranges tile the GPA from 0 to 4, so that every student has a limit. */
export function checkLoadRanges(ranges: readonly LoadRange[]): BylawProblem[] {
  const problems = checkTiling(ranges, 'load_ranges', { maximum: 400, start: 'zero' })
  ranges.forEach((range, index) => {
    const field = `load_ranges.${index}`
    for (const key of ['max_ch_value', 'max_summer_ch_value'] as const) {
      if (!whole(range[key], 0, 300)) problems.push(problem('load_hours', `${field}.${key}`))
    }
    if (range.max_courses !== null && !whole(range.max_courses, 0, 30)) {
      problems.push(problem('load_courses', `${field}.max_courses`))
    }
  })
  return problems
}

/** Levels are numbers from 0 to 7, opened by strictly increasing passed hours, the lowest by none. */
export function checkBylawLevels(levels: readonly Level[]): BylawProblem[] {
  const problems: BylawProblem[] = []
  const numbers = new Set<number>()
  levels.forEach(({ level, passed_hours }, index) => {
    if (!whole(level, 0, 7)) problems.push(problem('level_number', `levels.${index}.level`))
    if (numbers.has(level)) problems.push(problem('level_twice', `levels.${index}.level`, { level }))
    numbers.add(level)
    if (!whole(passed_hours, 0, 30000)) problems.push(problem('level_hours', `levels.${index}.passed_hours`))
  })
  const ascending = levels.map((one, index) => ({ ...one, index })).sort((one, other) => one.level - other.level)
  ascending.forEach(({ level, passed_hours, index }, position) => {
    const lower = ascending[position - 1]
    const field = `levels.${index}.passed_hours`
    if (lower === undefined) {
      if (passed_hours !== 0) problems.push(problem('level_start', field))
    } else if (level !== lower.level && passed_hours <= lower.passed_hours) {
      problems.push(problem('level_hours_order', field, { level, lower: lower.level }))
    }
  })
  return problems
}

export function checkWarningRule(rule: WarningRule): BylawProblem[] {
  const problems: BylawProblem[] = []
  if (!whole(rule.gpa, 0, 400)) problems.push(problem('warning_gpa', 'warning.gpa'))
  if (!whole(rule.maximum, 0, 20)) problems.push(problem('warning_maximum', 'warning.maximum'))
  if (rule.max_ch_value !== null && !whole(rule.max_ch_value, 0, 300)) {
    problems.push(problem('load_hours', 'warning.max_ch_value'))
  }
  return problems
}

export function checkRepeatRule(rule: RepeatRule, ranges: readonly GradeRange[]): BylawProblem[] {
  const letters = new Set(ranges.map((range) => range.letter))
  const problems: BylawProblem[] = []
  const known = (letter: string | null, field: string) => {
    if (letter !== null && !letters.has(letter)) problems.push(problem('repeat_grade', field, { letter }))
  }
  known(rule.max_grade, 'repeat.max_grade')
  known(rule.max_improve_grade, 'repeat.max_improve_grade')
  rule.improvable.forEach((letter, index) => known(letter, `repeat.improvable.${index}`))
  if (rule.max_improvements !== null && !whole(rule.max_improvements, 0, 30)) {
    problems.push(problem('repeat_improvements', 'repeat.max_improvements'))
  }
  return problems
}

/** The minimum of the final exam: 0 to 30 percent, in hundredths; a regulation by marks may ask for more. */
export const checkMinFinalExam = (percentage: Hundredths, maximum: Hundredths = 3000): BylawProblem[] =>
  whole(percentage, 0, maximum)
    ? []
    : [problem('final_exam_percentage', 'min_percentage_final_exam', { maximum: trimHundredths(maximum) })]

export function checkSpecialGrades(grades: Bylaw['special_grades']): BylawProblem[] {
  return specialKinds.flatMap((kind) => {
    const grade = grades[kind]
    if (grade === undefined) return []
    const field = `special_grades.${kind}`
    const problems: BylawProblem[] = []
    if (grade.letter.trim() === '') problems.push(problem('special_letter', `${field}.letter`, { kind }))
    const bad = grade.points === null ? grade.counts_in_gpa : !whole(grade.points, 0, 400)
    if (bad) problems.push(problem('special_points', `${field}.points`, { letter: grade.letter }))
    return problems
  })
}

/** Marks of the year's work may be shown early; letters, points and GPA are settled only by publishing. */
export function checkGradesVisibility(visibility: GradesVisibility): BylawProblem[] {
  return visibleParts.flatMap((part) => {
    const from = visibility[part]
    return part === 'marks' || from === null || statusReached(from, 'Published')
      ? []
      : [problem('visibility_early', `grades_visibility.${part}`)]
  })
}

/** Everything that is wrong with a bylaw. */
export const checkBylaw = (bylaw: Bylaw): BylawProblem[] => [
  ...checkGradeRanges(bylaw.grade_ranges),
  ...checkGpaRanges(bylaw.gpa_ranges),
  ...checkLoadRanges(bylaw.load_ranges),
  ...checkBylawLevels(bylaw.levels),
  ...checkWarningRule(bylaw.warning),
  ...checkRepeatRule(bylaw.repeat, bylaw.grade_ranges),
  ...checkMinFinalExam(bylaw.min_percentage_final_exam),
  ...checkSpecialGrades(bylaw.special_grades),
  ...checkGradesVisibility(bylaw.grades_visibility),
]

/** The range a value lies in: `from` included, `to` excluded except at the top of the scale. */
export function rangeOf<Range extends { from: Hundredths; to: Hundredths }>(
  ranges: readonly Range[],
  value: Hundredths,
  top: Hundredths,
): Range | null {
  return ranges.find(({ from, to }) => value >= from && (value < to || (value === to && to === top))) ?? null
}

/** The grade of a percentage. */
export const gradeFor = (ranges: readonly GradeRange[], percent: Hundredths): GradeRange | null =>
  rangeOf(ranges, percent, 10000)

/** The classification of a cumulative GPA, null below the lowest one. */
export const classificationFor = (ranges: readonly GpaRange[], gpa: Hundredths): GpaRange | null =>
  rangeOf(ranges, gpa, 400)

/** The highest level that so many passed hours open; 0 where the bylaw has no levels. */
export const levelFor = (levels: readonly Level[], passedHours: Hundredths): number =>
  levels.reduce((best, { level, passed_hours }) => (passed_hours <= passedHours && level > best ? level : best), 0)

/** The letters of a bylaw with their points, for minimum grades of prerequisites. */
export const letterPoints = (ranges: readonly GradeRange[]): Record<string, Hundredths> =>
  Object.fromEntries(ranges.map((range) => [range.letter, range.points]))

/** What a student may register in a term: whole credit hours, and courses (null = any number). */
export type Load = { max_ch: number; max_courses: number | null }

/** The GPA by which a student without one (in the first term) finds a load range: good standing, not the overload. */
export const newStudentGpa: Hundredths = 200

/**
 * The load of a student: the range of the cumulative GPA, the summer maximum in summer, and the lower limit of the
 * warning rule for a student under warning. Who can complete the degree with what the bylaw allows beyond it has that too.
 * Null where no range covers the GPA: the bylaw then sets no limit.
 *
 * @param student.hours_to_degree hours that the degree still asks for; null: not known
 */
export function loadFor(
  bylaw: Pick<Bylaw, 'load_ranges' | 'warning' | 'graduating'>,
  student: { gpa: Hundredths | null; warnings: number; hours_to_degree: Hundredths | null },
  termType: TermType,
): Load | null {
  const range = rangeOf(bylaw.load_ranges, student.gpa ?? newStudentGpa, 400)
  if (range === null) return null
  const hours = termType === 'summer' ? range.max_summer_ch_value : range.max_ch_value
  const warned = bylaw.warning.maximum > 0 && student.warnings > 0 && bylaw.warning.max_ch_value !== null
  const max_ch = warned ? Math.min(hours, bylaw.warning.max_ch_value ?? hours) : hours
  const { extra_hours, extra_courses } = bylaw.graduating
  const left = student.hours_to_degree
  if (left === null || left <= 0 || left > (max_ch + extra_hours) * 100)
    return { max_ch, max_courses: range.max_courses }
  return {
    max_ch: max_ch + extra_hours,
    max_courses: range.max_courses === null ? null : range.max_courses + extra_courses,
  }
}
