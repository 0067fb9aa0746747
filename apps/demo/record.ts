/**
 * A simulated student: what he or she has passed, may take next, and earns. The figures only decide what the demo's
 * students do; the results the program shows are computed by its own grading rules from the marks.
 */
import type { BylawEntry } from './bylaws.ts'
import { levelOf, type Catalogue, type ProgramPlan } from './catalogue.ts'
import type { AttemptKind, CourseRequisite } from './model.ts'
import type { Random } from './random.ts'

/** Bylaw figures as numbers, read once. */
type Scale = { ranges: { letter: string; from: number; points: number; success: boolean }[]; maxRepeatPoints: number }

const scales = new Map<string, Scale>()
const scaleOf = (bylaw: BylawEntry): Scale => {
  let scale = scales.get(bylaw.code)
  if (!scale) {
    const ranges = bylaw.grade_ranges
      .map((range) => ({
        letter: range.letter,
        from: Number(range.from_percent),
        points: Number(range.points),
        success: range.success,
      }))
      .toSorted((a, b) => b.from - a.from)
    scale = { ranges, maxRepeatPoints: Number(bylaw.repeat_max_points) }
    scales.set(bylaw.code, scale)
  }
  return scale
}

/** Grade of a percentage, held at what a repeated course can earn. */
export function gradeOf(bylaw: BylawEntry, percent: number, finalTooLow: boolean, attempt: AttemptKind) {
  const { ranges, maxRepeatPoints } = scaleOf(bylaw)
  const grade = finalTooLow ? ranges.at(-1)! : ranges.find((range) => percent >= range.from)!
  if (attempt === 'Fresh' || grade.points <= maxRepeatPoints) return grade
  return ranges.find((range) => range.points <= maxRepeatPoints)!
}

export type Learner = {
  student_id: number
  plan: ProgramPlan
  ability: number
  /** Semester of the plan the student is in. */
  semester: number
  /** By marks: the level of each academic year. */
  years: { year_id: number; level: number; enrolment: 'new' | 'carried' | 'repeating' }[]
  /** Best points of each passed course. */
  passed: Map<number, number>
  /** Courses attempted at least once, with a result. */
  attempted: Map<number, number>
  passedHours: number
  gpa: number | null
}

export const newLearner = (student_id: number, plan: ProgramPlan, ability: number): Learner => ({
  student_id,
  plan,
  ability,
  semester: 0,
  years: [],
  passed: new Map(),
  attempted: new Map(),
  passedHours: 0,
  gpa: null,
})

const satisfied = (tree: CourseRequisite | null, learner: Learner): boolean => {
  if (tree === null) return true
  if ('all' in tree) return tree.all.every((part) => satisfied(part, learner))
  if ('any' in tree) return tree.any.some((part) => satisfied(part, learner))
  const points = learner.passed.get(tree.course)
  if (points === undefined) return false
  if (tree.min_grade === undefined) return true
  const minimum = scaleOf(learner.plan.bylaw).ranges.find((range) => range.letter === tree.min_grade)
  return minimum !== undefined && points >= minimum.points
}

export const levelByHours = (learner: Learner): number =>
  learner.plan.bylaw.levels.findLast((level) => learner.passedHours >= level.passed_hours)?.level ?? 1

/** Prerequisites, minimum passed hours and minimum level; co-requisites are left to the caller. */
export function mayTake(course: Catalogue['courses'][number], learner: Learner): boolean {
  return (
    satisfied(course.prerequisites, learner) &&
    learner.passedHours >= course.min_passed_hours &&
    levelByHours(learner) >= course.min_level
  )
}

/** Highest credit hours and number of courses of a student in a term. */
export function loadLimit(learner: Learner, summer: boolean): { hours: number; courses: number } {
  const ranges = learner.plan.bylaw.load_ranges
  // A student without a GPA yet has the ordinary load, which is that of the middle range.
  const gpa = learner.gpa ?? 2
  const range = ranges.findLast((entry) => gpa >= Number(entry.from_gpa)) ?? ranges[0]!
  return { hours: summer ? range.max_summer_ch_value : range.max_ch_value, courses: range.max_courses }
}

/** Courses of the plan still missing from the semesters up to `semester`. */
export const missing = (learner: Learner, semester: number): number[] =>
  learner.plan.mandatory
    .filter((entry) => entry.semester <= semester && !learner.passed.has(entry.course_id))
    .map((entry) => entry.course_id)

/**
 * Moves a learner to the next semester of the plan. Under term marks a student who carries more than two courses
 * repeats the year.
 */
export function advance(learner: Learner): void {
  const next = learner.semester + 1
  const repeatsYear =
    learner.plan.bylaw.program_type === 'term' &&
    next % 2 === 1 &&
    learner.semester > 0 &&
    missing(learner, learner.semester).length > 2
  learner.semester = repeatsYear ? next - 2 : next
}

/** Notes the level in which a learner begins an academic year; the year before decided on it. */
export function enterYear(learner: Learner, year_id: number): void {
  if (learner.plan.bylaw.program_type === 'credit_hours') return
  const level = levelOf(learner.semester)
  const before = learner.years.at(-1)
  const carries = missing(learner, (level - 1) * 2).length > 0
  learner.years.push({
    year_id,
    level,
    enrolment: before?.level === level ? 'repeating' : carries ? 'carried' : 'new',
  })
}

export type Choice = {
  courses: Catalogue['courses']
  /** Courses taught in the term. */
  offered: Set<number>
  parity: 'odd' | 'even'
  /** Electives opened for a pool in this term, so that their groups are worth teaching. */
  opened: (pool_id: number) => number[]
  random: Random
}

/**
 * What a student takes in a regular term: missing courses first, then the plan, within the load. By marks what the plan
 * asks for is a block: all of it, whatever was passed before.
 */
export function choose(learner: Learner, { courses, offered, parity, opened, random }: Choice): number[] {
  const chosen: number[] = []
  const limit = loadLimit(learner, false)
  let hours = 0
  const block = learner.plan.bylaw.program_type !== 'credit_hours'
  const take = (course_id: number, needed = false): boolean => {
    const course = courses[course_id - 1]!
    if (chosen.includes(course_id)) return false
    if (block && needed) return chosen.push(course_id) > 0
    if (!mayTake(course, learner)) return false
    if (course.corequisites.some((other) => !learner.passed.has(other) && !chosen.includes(other))) return false
    if (hours + course.credit_hours > limit.hours || chosen.length >= limit.courses) return false
    chosen.push(course_id)
    hours += course.credit_hours
    return true
  }
  for (const course_id of missing(learner, learner.semester)) if (offered.has(course_id)) take(course_id, true)
  for (const pool of learner.plan.pools) {
    const done = [...pool.odd, ...pool.even].filter((course_id) => learner.passed.has(course_id)).length
    // Never more of a pool than its places up to this semester.
    const here = pool.places.filter((place) => place.semester % 2 === (parity === 'odd' ? 1 : 0))
    let open = Math.min(
      pool.places.filter((place) => place.semester <= learner.semester).length - done,
      here.filter((place) => place.semester <= learner.semester).length,
    )
    for (const course_id of random.shuffle(opened(pool.id)))
      if (open > 0 && !learner.passed.has(course_id) && take(course_id)) open--
  }
  return chosen
}

/** Books a result: `points` is null for grades that do not count. Returns nothing; the learner changes. */
export function book(learner: Learner, course: Catalogue['courses'][number], points: number, success: boolean): void {
  const before = learner.attempted.get(course.id)
  learner.attempted.set(course.id, Math.max(before ?? 0, points))
  if (!success) return
  if (!learner.passed.has(course.id)) learner.passedHours += course.credit_hours
  learner.passed.set(course.id, Math.max(learner.passed.get(course.id) ?? 0, points))
}

/** Recomputes the cumulative GPA from the best attempt of each course. */
export function updateGpa(learner: Learner, courses: Catalogue['courses']): void {
  let hours = 0
  let sum = 0
  for (const [course_id, points] of learner.attempted) {
    const { credit_hours } = courses[course_id - 1]!
    hours += credit_hours
    sum += credit_hours * points
  }
  learner.gpa = hours === 0 ? learner.gpa : sum / hours
}
