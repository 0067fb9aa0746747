/**
 * The study plan of a program and its check. Where a student stands in it is found by `areas/records/degree-audit`.
 *
 * Credit hours are in hundredths.
 */
import { trimHundredths, type Hundredths } from './decimal.rules.ts'
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'
import { evaluateRequisites, type Requisite } from './requisites.rules.ts'

/**
 * A part of the plan with its own condition: the mandatory courses, an elective pool, the university or the faculty
 * requirements. `min_credit_hours: null` asks for every course of the group, a number for so many hours from it.
 */
export type PlanGroup = {
  id: number
  kind: 'mandatory' | 'elective' | 'university' | 'faculty'
  min_credit_hours: Hundredths | null
}

/** Groups of a plan that are no pools, by the kind of their courses. Pools have ids of their own, above. */
export const PLAN_GROUPS = { mandatory: 0, university: -1, faculty: -2 } as const
/** Kinds of such groups in their order. */
export const planKinds = Object.keys(PLAN_GROUPS) as (keyof typeof PLAN_GROUPS)[]

export type PlanCourse = {
  course_id: number
  group_id: number
  credit_hours: Hundredths
  level: number
  /** Counted through the program, 1 to 16; or within the level, where a bylaw counts so. Both order the plan the same. */
  semester: number
  prerequisites: Requisite | null
  corequisite_ids: number[]
}

export type StudyPlan = {
  /** Hours the degree needs. */
  min_credit_hours: Hundredths
  groups: PlanGroup[]
  courses: PlanCourse[]
}

export type PlanCode =
  | 'plan_course_twice'
  | 'plan_group_unknown'
  | 'plan_place'
  | 'plan_prerequisite'
  | 'plan_corequisite'
  | 'plan_hours'
  | 'plan_group_hours'
  | 'plan_elective_hours_missing'
  | 'plan_group_short'

/** Texts of plan problems; `course` and the ids in `courses` are put into words by who knows the names. */
export const planTexts: Record<PlanCode, Bilingual> = {
  plan_course_twice: { en: 'Course {course} stands in the plan twice', ar: 'المقرر {course} مكرر في الخطة' },
  plan_group_unknown: {
    en: 'Course {course} belongs to no group of the plan',
    ar: 'المقرر {course} لا ينتمي إلى أي مجموعة في الخطة',
  },
  plan_place: {
    en: 'Course {course} needs a level from 0 to 7 and a semester from 1 to 16',
    ar: 'يلزم للمقرر {course} مستوى من 0 إلى 7 وفصل من 1 إلى 16',
  },
  plan_prerequisite: {
    en: 'Prerequisites of course {course} do not lie earlier in the plan: {courses}',
    ar: 'متطلبات المقرر {course} لا تسبقه في الخطة: {courses}',
  },
  plan_corequisite: {
    en: 'Co-requisites of course {course} do not lie in the same semester or earlier: {courses}',
    ar: 'المقررات المصاحبة للمقرر {course} ليست في الفصل نفسه أو قبله: {courses}',
  },
  plan_hours: {
    en: 'The plan has {hours} credit hours, the program needs {minimum}',
    ar: 'ساعات الخطة {hours}، والبرنامج يتطلب {minimum}',
  },
  plan_group_hours: {
    en: 'Minimum credit hours of a group lie between 0 and 1000',
    ar: 'يقع الحد الأدنى لساعات المجموعة بين 0 و1000',
  },
  plan_elective_hours_missing: {
    en: 'An elective pool needs minimum credit hours',
    ar: 'يلزم حد أدنى للساعات المعتمدة في مجموعة المقررات الاختيارية',
  },
  plan_group_short: {
    en: 'The courses of the group have {hours} credit hours, it asks for {minimum}',
    ar: 'ساعات مقررات المجموعة {hours}، والمطلوب منها {minimum}',
  },
}

/** An error forbids saving; a warning is shown and may stand. */
export type PlanProblem = Problem<PlanCode> & { severity: 'error' | 'warning' }

const sum = (courses: readonly { credit_hours: Hundredths }[]): Hundredths =>
  courses.reduce((hours, course) => hours + course.credit_hours, 0)

const byGroup = (plan: StudyPlan): Map<number, PlanCourse[]> => {
  const groups = new Map<number, PlanCourse[]>(plan.groups.map((group) => [group.id, []]))
  for (const course of plan.courses) groups.get(course.group_id)?.push(course)
  return groups
}

/** The hours a student who follows the plan earns: all of a group without minimum, and each minimum. */
export function planHours(plan: StudyPlan): Hundredths {
  const groups = byGroup(plan)
  return plan.groups.reduce((hours, group) => hours + (group.min_credit_hours ?? sum(groups.get(group.id) ?? [])), 0)
}

/**
 * Everything wrong with a plan. Errors: a course twice, no group, an impossible place, hours out of bounds or short of
 * the program's minimum, a group that cannot reach its own. Warnings: prerequisites and co-requisites that somebody who
 * follows the plan would not have by then, because they may be known from elsewhere (a foundation year, a test).
 */
export function checkPlan(plan: StudyPlan): PlanProblem[] {
  const problems: PlanProblem[] = []
  const add = (severity: PlanProblem['severity'], code: PlanCode, field: string, data: Problem['data'] = {}) =>
    problems.push({ severity, code, field, data })
  const groups = byGroup(plan)

  plan.groups.forEach((group, index) => {
    const field = `groups.${index}.min_credit_hours`
    const minimum = group.min_credit_hours
    if (minimum === null) {
      if (group.kind === 'elective') add('error', 'plan_elective_hours_missing', field)
      return
    }
    if (!Number.isInteger(minimum) || minimum < 0 || minimum > 100000)
      return void add('error', 'plan_group_hours', field)
    const hours = sum(groups.get(group.id) ?? [])
    if (hours < minimum) {
      add('error', 'plan_group_short', field, { hours: trimHundredths(hours), minimum: trimHundredths(minimum) })
    }
  })

  const place = (course: PlanCourse): number => course.level * 100 + course.semester
  const seen = new Set<number>()
  plan.courses.forEach((course, index) => {
    const field = `courses.${index}`
    const { course_id, level, semester } = course
    if (seen.has(course_id)) add('error', 'plan_course_twice', field, { course: course_id })
    seen.add(course_id)
    if (!groups.has(course.group_id)) add('error', 'plan_group_unknown', field, { course: course_id })
    const placed =
      Number.isInteger(level) &&
      level >= 0 &&
      level <= 7 &&
      Number.isInteger(semester) &&
      semester >= 1 &&
      semester <= 16
    if (!placed) add('error', 'plan_place', field, { course: course_id })
  })

  plan.courses.forEach((course, index) => {
    const field = `courses.${index}`
    const before = plan.courses.filter((other) => place(other) < place(course))
    // Whoever follows the plan passes with whatever grade is asked for.
    const passed = before.map((other) => ({ course_id: other.course_id, letter: null, points: 400 }))
    const { met, missing } = evaluateRequisites(withoutLetters(course.prerequisites), passed)
    if (!met) {
      const courses = missing.map((one) => one.course).join(', ')
      add('warning', 'plan_prerequisite', field, { course: course.course_id, courses })
    }
    const known = new Set(plan.courses.filter((other) => place(other) <= place(course)).map((other) => other.course_id))
    const apart = course.corequisite_ids.filter((id) => !known.has(id))
    if (apart.length > 0) {
      add('warning', 'plan_corequisite', field, { course: course.course_id, courses: apart.join(', ') })
    }
  })

  const hours = planHours(plan)
  if (hours < plan.min_credit_hours) {
    const minimum = trimHundredths(plan.min_credit_hours)
    add('error', 'plan_hours', 'min_credit_hours', { hours: trimHundredths(hours), minimum })
  }
  return problems
}

function withoutLetters(requisite: Requisite | null): Requisite | null {
  if (requisite === null) return null
  if ('course' in requisite) return { course: requisite.course }
  const children = (nodes: Requisite[]): Requisite[] => nodes.flatMap((node) => withoutLetters(node) ?? [])
  return 'all' in requisite ? { all: children(requisite.all) } : { any: children(requisite.any) }
}
