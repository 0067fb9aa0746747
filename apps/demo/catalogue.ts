/** Turns the data files of the catalogue into rows, and keeps what the simulation needs at hand. */
import { BYLAWS, MARK_CATEGORIES, MARKS, type BylawEntry } from './bylaws.ts'
import { COURSES, type Requisite } from './courses.ts'
import type { CourseRequisite, DemoUniversity } from './model.ts'
import { DEPARTMENTS, FACULTIES, PROGRAMS } from './programs.ts'

export type Pool = { id: number; places: { semester: number }[]; odd: number[]; even: number[]; credit_hours: number }

export type ProgramPlan = {
  id: number
  faculty_id: number
  bylaw: BylawEntry
  share: number
  /** Mandatory courses in the order of the plan. */
  mandatory: { course_id: number; semester: number }[]
  pools: Pool[]
}

export type Catalogue = Pick<
  DemoUniversity,
  | 'faculties'
  | 'departments'
  | 'bylaws'
  | 'mark_categories'
  | 'marks'
  | 'courses'
  | 'programs'
  | 'program_pools'
  | 'pool_places'
  | 'program_courses'
>

const SEMESTERS_PER_LEVEL = 2
export const levelOf = (semester: number): number => Math.ceil(semester / SEMESTERS_PER_LEVEL)

const indexed = <T extends { code: string }>(list: readonly T[]) => new Map(list.map((entry, i) => [entry.code, i + 1]))

const required = (map: Map<string, number>, code: string): number => {
  const id = map.get(code)
  if (id === undefined) throw new Error(`The demo names ${code}, which does not exist`)
  return id
}

export function buildCatalogue(): { rows: Catalogue; plans: ProgramPlan[] } {
  const facultyIds = indexed(FACULTIES)
  const departmentIds = indexed(DEPARTMENTS)
  const bylawIds = indexed(BYLAWS)
  const categoryIds = indexed(MARK_CATEGORIES)
  const courseIds = indexed(COURSES)
  const courseId = (code: string) => required(courseIds, code)
  const expression = (tree: Requisite): CourseRequisite => {
    if ('all' in tree) return { all: tree.all.map(expression) }
    if ('any' in tree) return { any: tree.any.map(expression) }
    return { ...tree, course: courseId(tree.course) }
  }
  const facultyRequirements = new Set(PROGRAMS.flatMap((program) => program.faculty_requirements))

  const rows: Catalogue = {
    faculties: FACULTIES.map(({ bylaw, ...faculty }, i) => ({
      id: i + 1,
      ...faculty,
      bylaw_id: required(bylawIds, bylaw),
    })),
    departments: DEPARTMENTS.map(({ code, faculty, name, name_local }, i) => ({
      id: i + 1,
      code,
      name,
      name_local,
      faculty_id: required(facultyIds, faculty),
    })),
    bylaws: BYLAWS.map((bylaw, i) => ({
      id: i + 1,
      ...bylaw,
      faculty_id: FACULTIES.findIndex((faculty) => faculty.bylaw === bylaw.code) + 1,
    })),
    mark_categories: MARK_CATEGORIES.map((category, i) => ({ id: i + 1, ...category })),
    marks: MARKS.map(({ bylaw, items, ...scheme }, i) => ({
      id: i + 1,
      ...scheme,
      bylaw_id: required(bylawIds, bylaw),
      items: Object.entries(items).map(([category, max], position) => ({
        mark_category_id: required(categoryIds, category),
        max: `${max}`,
        position,
      })),
    })),
    courses: COURSES.map(({ department, prerequisites, corequisites, ...course }, i) => {
      const faculty = DEPARTMENTS.find((entry) => entry.code === department)!.faculty
      const university = course.code.startsWith('UNV')
      return {
        id: i + 1,
        ...course,
        faculty_id: university ? null : required(facultyIds, faculty),
        department_id: required(departmentIds, department),
        prerequisites: prerequisites && expression(prerequisites),
        corequisites: corequisites.map(courseId),
        requirement: university ? 'university' : facultyRequirements.has(course.code) ? 'faculty' : 'none',
      }
    }),
    programs: [],
    program_pools: [],
    pool_places: [],
    program_courses: [],
  }

  const plans = PROGRAMS.map((entry, i): ProgramPlan => {
    const id = i + 1
    const plan: ProgramPlan = {
      id,
      faculty_id: required(facultyIds, entry.faculty),
      bylaw: BYLAWS.find((bylaw) => bylaw.code === entry.bylaw)!,
      share: entry.share,
      mandatory: [],
      pools: [],
    }
    const pools = new Map<string, Pool>()
    for (const pool of entry.pools) {
      const made: Pool = {
        id: rows.program_pools.length + plan.pools.length + 1,
        places: [],
        odd: pool.odd.map(courseId),
        even: pool.even.map(courseId),
        credit_hours: COURSES[courseId((pool.odd[0] ?? pool.even[0])!) - 1]!.credit_hours,
      }
      pools.set(pool.code, made)
      plan.pools.push(made)
    }
    let hours = 0
    for (const [s, line] of entry.plan.entries())
      for (const word of line.split(' ')) {
        const semester = s + 1
        if (word.startsWith('@')) {
          const pool = pools.get(word.slice(1))
          if (!pool) throw new Error(`The plan of ${entry.code} names ${word}, which does not exist`)
          pool.places.push({ semester })
          hours += pool.credit_hours
          rows.pool_places.push({
            pool_id: pool.id,
            semester,
            level: levelOf(semester),
            credit_hours: pool.credit_hours,
          })
          continue
        }
        const course = rows.courses[courseId(word) - 1]!
        hours += course.credit_hours
        plan.mandatory.push({ course_id: course.id, semester })
        rows.program_courses.push({
          program_id: id,
          course_id: course.id,
          level: levelOf(semester),
          semester,
          kind: course.requirement === 'none' ? 'mandatory' : course.requirement,
          pool_id: null,
        })
      }
    const metBefore = (tree: CourseRequisite, semester: number): boolean => {
      if ('all' in tree) return tree.all.every((part) => metBefore(part, semester))
      if ('any' in tree) return tree.any.some((part) => metBefore(part, semester))
      return plan.mandatory.some((taken) => taken.course_id === tree.course && taken.semester < semester)
    }
    for (const pool of entry.pools) {
      const made = pools.get(pool.code)!
      rows.program_pools.push({
        id: made.id,
        code: pool.code,
        name: pool.name,
        name_local: pool.name_local,
        program_id: id,
        min_credit_hours: made.places.length * made.credit_hours,
      })
      for (const [parity, courses] of [
        [1, made.odd],
        [0, made.even],
      ] as const)
        for (const course_id of courses) {
          // An elective stands in the plan at the first place of its pool in a semester in which it is offered and may
          // be taken by somebody who follows the plan.
          const course = rows.courses[course_id - 1]!
          const places = made.places.filter((place) => place.semester % 2 === parity)
          const semester = places.find(
            (place) =>
              levelOf(place.semester) >= course.min_level &&
              (course.prerequisites === null || metBefore(course.prerequisites, place.semester)),
          )?.semester
          if (semester === undefined) throw new Error(`Pool ${pool.code} of ${entry.code} has no place for a course`)
          const kind = 'elective'
          rows.program_courses.push({
            program_id: id,
            course_id,
            level: levelOf(semester),
            semester,
            kind,
            pool_id: made.id,
          })
        }
    }
    rows.programs.push({
      id,
      code: entry.code,
      name: entry.name,
      name_local: entry.name_local,
      degree: entry.degree,
      degree_local: entry.degree_local,
      faculty_id: plan.faculty_id,
      department_id: required(departmentIds, entry.department),
      bylaw_id: required(bylawIds, entry.bylaw),
      program_type: entry.program_type,
      admission_capacity: entry.capacity,
      min_credit_hours: hours,
      min_training_weeks: entry.min_training_weeks,
      university_requirements: plan.mandatory
        .map(({ course_id }) => course_id)
        .filter((course_id) => rows.courses[course_id - 1]!.requirement === 'university'),
      faculty_requirements: entry.faculty_requirements.map(courseId),
    })
    return plan
  })
  return { rows, plans }
}
