/** Whether a tree of requirements can be met at all, and names what exists. */
import type { Problem } from '#areas/common/academics/problem.rules.ts'
import { readPattern, selectorsOf, walk, type CoursesOf, type Requirement, type Selector } from './tree.rules.ts'

export type RequirementCode =
  | 'requirement_empty'
  | 'requirement_no_courses'
  | 'requirement_key_twice'
  | 'requirement_too_deep'
  | 'requirement_too_many'
  | 'requirement_min_beyond'
  | 'requirement_cap_under_min'
  | 'requirement_whole_number'
  | 'requirement_unit'
  | 'requirement_all_open'
  | 'requirement_course_twice'
  | 'requirement_all_excluded'
  | 'requirement_pattern'
  | 'requirement_level'
  | 'requirement_cycle'
  | 'requirement_unknown'
  | 'requirement_course_unknown'
  | 'requirement_tag_unknown'
  | 'requirement_department_unknown'
  | 'requirement_faculty_unknown'
  | 'requirement_pool_unknown'

/** Everything wrong with a tree; `field` says where (`parts.0.from.3`), `data.place` the requirement's name. */
export type RequirementProblem = Problem<RequirementCode>

/** What exists: a course with its credit hours, and ids of the rest. A `Map` and `Set`s, so that a check is quick. */
export interface Known {
  courses: ReadonlyMap<number, { code: string; credit_hours: number }>
  tags: ReadonlySet<number>
  departments: ReadonlySet<number>
  faculties: ReadonlySet<number>
  pools: ReadonlySet<number>
}

export const LIMITS = { depth: 8, requirements: 300 } as const

const cents = (amount: number): number => Math.round(amount * 100)
const single = (list: readonly Selector[]) => list.every((one) => one.by === 'course')

/**
 * Everything wrong with a tree, all at once: what is empty, a key twice, a minimum that its courses or parts cannot
 * give, a cap under the minimum, a reference that leads back to itself, and what names something that does not exist.
 */
export function checkRequirements(tree: Requirement, known: Known): RequirementProblem[] {
  const problems: RequirementProblem[] = []
  const keys = new Map<string, Requirement>()
  const above = new Map<Requirement, Requirement>()
  const all = [...walk(tree)]
  if (all.length > LIMITS.requirements)
    return [
      {
        field: '',
        code: 'requirement_too_many',
        data: { count: all.length, max: LIMITS.requirements, place: tree.name },
      },
    ]
  for (const [at, one] of all) {
    const add = (code: RequirementCode, field: string, data: RequirementProblem['data'] = {}) =>
      problems.push({ field: at && field ? `${at}.${field}` : at || field, code, data: { place: one.name, ...data } })
    if (keys.has(one.key)) add('requirement_key_twice', 'key', { key: one.key })
    keys.set(one.key, one)
    if (at.split('.').length / 2 > LIMITS.depth) add('requirement_too_deep', '', { max: LIMITS.depth })
    for (const part of 'parts' in one ? one.parts : []) above.set(part, one)
    // Where met parts add amounts, the cap is what a part is worth: two points for four courses.
    const over = above.get(one)
    const worth = over?.kind === 'some' && over.count === 'amounts'
    if (one.max_counted !== undefined && !worth && minimum(one) !== null && one.max_counted < minimum(one)!)
      add('requirement_cap_under_min', 'max_counted', { max: one.max_counted, min: minimum(one)! })
    for (const [place, selector] of selectorsOf(one)) named(selector, known, (code, data) => add(code, place, data))
    if ('parts' in one) {
      if (one.parts.length === 0) add('requirement_empty', 'parts')
      else if (one.kind === 'some') {
        const most = one.count === 'amounts' ? given(one.parts, known) : one.parts.length
        if (!Number.isInteger(one.min)) add('requirement_whole_number', 'min')
        if (most !== null && one.min > most) add('requirement_min_beyond', 'min', { min: one.min, max: most })
      } else if (one.kind === 'sum') {
        for (const [i, part] of one.parts.entries())
          if (!('unit' in part) || part.kind === 'total' || part.unit !== one.unit)
            add('requirement_unit', `parts.${i}`, { part: part.name })
        const most = given(one.parts, known)
        if (most !== null && one.min > most) add('requirement_min_beyond', 'min', { min: one.min, max: most })
      }
    }
    if (one.kind === 'courses') checkCourses(one, known, add)
    if ('unit' in one && one.unit === 'courses' && typeof one.min === 'number' && !Number.isInteger(one.min))
      add('requirement_whole_number', 'min')
  }
  for (const [at, one] of all)
    for (const [place, selector] of selectorsOf(one)) {
      if (selector.by !== 'requirement') continue
      const field = at ? `${at}.${place}` : place
      if (!keys.has(selector.key))
        problems.push({ field, code: 'requirement_unknown', data: { place: one.name, key: selector.key } })
      else {
        const round = circle(one.key, selector.key, keys)
        if (round)
          problems.push({
            field,
            code: 'requirement_cycle',
            data: { place: one.name, cycle: round.map((key) => keys.get(key)?.name ?? key).join(' → ') },
          })
      }
    }
  return problems
}

/** The amount a requirement asks for, in the unit in which it counts above; null: it is no amount. */
function minimum(one: Requirement): number | null {
  if (one.kind === 'sum' || one.kind === 'total') return one.min
  if (one.kind !== 'courses') return null
  return one.min === 'all' ? (one.unit === 'courses' ? one.from.length : null) : one.min
}

function checkCourses(
  one: CoursesOf,
  known: Known,
  add: (code: RequirementCode, field: string, data?: RequirementProblem['data']) => void,
): void {
  if (one.from.length === 0) return add('requirement_no_courses', 'from')
  if (one.min === 'all' && !single(one.from)) add('requirement_all_open', 'min')
  const seen = new Set<number>()
  for (const [i, selector] of one.from.entries()) {
    if (selector.by !== 'course') continue
    if (seen.has(selector.course_id))
      add('requirement_course_twice', `from.${i}`, { course: known.courses.get(selector.course_id)?.code ?? '' })
    seen.add(selector.course_id)
  }
  const most = mostOf(one, known, Infinity)
  if (most === null) return
  if (most === 0 && one.min !== 0) add('requirement_all_excluded', 'except')
  else if (one.min !== 'all' && one.min > most) add('requirement_min_beyond', 'min', { min: one.min, max: most })
}

/** The most that a list of single courses can give; null: it is open, or names what does not exist. */
function mostOf(one: CoursesOf, known: Known, cap: number): number | null {
  if (!single(one.from)) return null
  const out = new Set((one.except ?? []).flatMap((selector) => (selector.by === 'course' ? [selector.course_id] : [])))
  const ids = new Set(one.from.flatMap((selector) => (selector.by === 'course' ? [selector.course_id] : [])))
  let sum = 0
  for (const id of ids) {
    if (out.has(id)) continue
    const course = known.courses.get(id)
    if (!course) return null
    sum += one.unit === 'hours' ? cents(course.credit_hours) : 100
  }
  return Math.min(cap, sum / 100)
}

/** The most that parts can give together, each up to what it may count; null: somewhere there is no limit. */
function given(parts: readonly Requirement[], known: Known): number | null {
  let sum = 0
  for (const part of parts) {
    const cap = part.max_counted ?? Infinity
    const most =
      part.kind === 'courses'
        ? mostOf(part, known, cap)
        : part.kind === 'sum' || (part.kind === 'some' && part.count === 'amounts') || part.kind === 'all'
          ? given(part.parts, known)
          : part.kind === 'some'
            ? part.parts.length
            : part.kind === 'total'
              ? null
              : 1
    const limited = most === null ? cap : Math.min(cap, most)
    if (limited === Infinity) return null
    sum += cents(limited)
  }
  return sum / 100
}

function named(
  selector: Selector,
  known: Known,
  add: (code: RequirementCode, data?: RequirementProblem['data']) => void,
): void {
  if (selector.by === 'course' && !known.courses.has(selector.course_id))
    add('requirement_course_unknown', { course: selector.course_id })
  else if (selector.by === 'tag' && !known.tags.has(selector.tag_id))
    add('requirement_tag_unknown', { tag: selector.tag_id })
  else if (selector.by === 'department' && !known.departments.has(selector.department_id))
    add('requirement_department_unknown', { department: selector.department_id })
  else if (selector.by === 'faculty' && !known.faculties.has(selector.faculty_id))
    add('requirement_faculty_unknown', { faculty: selector.faculty_id })
  else if (selector.by === 'pool' && !known.pools.has(selector.pool_id))
    add('requirement_pool_unknown', { pool: selector.pool_id })
  else if (selector.by === 'code' && readPattern(selector.pattern) === null)
    add('requirement_pattern', { pattern: selector.pattern })
  else if (selector.by === 'level' && selector.from > selector.to)
    add('requirement_level', { from: selector.from, to: selector.to })
  else if (selector.by === 'both' && selector.of.length === 0) add('requirement_no_courses')
}

/** The keys of a way from `key` over `next` back to itself, following what refers to what, parts included. */
function circle(key: string, next: string, keys: ReadonlyMap<string, Requirement>): string[] | null {
  const way: string[] = [key]
  const seen = new Set<string>()
  const go = (at: string): boolean => {
    way.push(at)
    if (at === key) return true
    if (!seen.has(at)) {
      seen.add(at)
      const one = keys.get(at)
      if (one) {
        for (const part of walk(one)) {
          if (part[1].key === key && part[1] !== one) {
            way.push(key)
            return true
          }
          for (const [, selector] of selectorsOf(part[1]))
            if (selector.by === 'requirement' && keys.has(selector.key) && go(selector.key)) return true
        }
      }
    }
    way.pop()
    return false
  }
  return go(next) ? way : null
}
