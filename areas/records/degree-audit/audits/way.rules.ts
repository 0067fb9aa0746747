/**
 * The shortest way to the degree: the courses still needed, term by term, within the load and after their prerequisites.
 * Which of several courses would do is chosen so that few others are needed; whether fewer terms are possible is told.
 */
import type { Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Requisite } from '#areas/study/catalogue/requisites.rules.ts'
import type { RequirementAudit } from './audit.rules.ts'

/** A course as the way needs it; `order` is its place in the study plan. */
export interface WayCourse {
  credit_hours: Hundredths
  prerequisites: Requisite | null
  order: number
}

interface Way {
  /** Courses of each term, the next one first. */
  terms: number[][]
  /** Requirements of which no course can be named: their courses are not listed one by one. */
  open: string[]
  /** No way has fewer terms: so many hours, and so long a chain of prerequisites, are left. */
  at_least: number
  /** There is no shorter one with these courses. */
  proved: boolean
}

/** Courses that would meet what is missing: every listed one, or of a list the first in the plan that are not had. */
export function neededCourses(
  root: RequirementAudit,
  courses: ReadonlyMap<number, WayCourse>,
): { needed: number[]; open: string[] } {
  const needed = new Set<number>()
  const open: string[] = []
  const order = (id: number): number => courses.get(id)?.order ?? Number.MAX_SAFE_INTEGER
  const visit = (one: RequirementAudit): void => {
    if (one.state !== 'missing') return
    if (one.kind === 'some') {
      // The alternatives that are nearest: those of which fewest hours are missing.
      const left = one.parts
        .filter((part) => part.state === 'missing')
        .map((part) => ({ part, hours: lacking(part) }))
        .toSorted((a, b) => a.hours - b.hours)
      const met = one.parts.length - left.length
      for (const { part } of left.slice(0, Math.max(0, one.required / 100 - met))) visit(part)
      return
    }
    one.parts.forEach(visit)
    if (one.kind !== 'courses') return
    const free = one.listed
      .filter(({ state, course_id }) => state === 'missing' && !needed.has(course_id))
      .map(({ course_id }) => course_id)
      .toSorted((a, b) => order(a) - order(b) || a - b)
    let left = one.missing.some(({ code }) => code === 'missing_listed')
      ? Infinity
      : one.required - one.earned - one.in_progress
    for (const id of free) {
      if (left <= 0) break
      needed.add(id)
      left -= one.unit === 'hours' ? (courses.get(id)?.credit_hours ?? 0) : 100
    }
    if (left > 0 && left !== Infinity) open.push(one.key)
  }
  visit(root)
  return { needed: [...needed], open }
}
const lacking = (one: RequirementAudit): number =>
  one.parts.length
    ? one.parts.reduce((sum, part) => sum + lacking(part), 0)
    : Math.max(0, one.required - one.earned - one.in_progress) * (one.unit === 'courses' ? 3 : 1)

/**
 * Puts courses into terms.
 * @param had courses that are passed or being taken, equal ones included
 * @param max_hours the most hours of a term
 */
export function shortestWay(
  needed: readonly number[],
  open: readonly string[],
  courses: ReadonlyMap<number, WayCourse>,
  had: ReadonlySet<number>,
  max_hours: Hundredths,
): Way {
  const chosen = new Map<number, number[]>()
  /** What else must be taken for a condition: of alternatives the one that needs fewest further courses. */
  const more = (requisite: Requisite | null, within: ReadonlySet<number>): number[] => {
    if (requisite === null) return []
    if ('course' in requisite) {
      const id = requisite.course
      if (had.has(id) || chosen.has(id) || within.has(id) || !courses.has(id)) return []
      return [id, ...more(courses.get(id)!.prerequisites, new Set([...within, id]))]
    }
    if ('all' in requisite) return [...new Set(requisite.all.flatMap((part) => more(part, within)))]
    const ways = requisite.any.map((part) => more(part, within))
    return ways.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  const queue = needed.filter((id) => courses.has(id) && !had.has(id))
  while (queue.length) {
    const id = queue.shift()!
    if (chosen.has(id)) continue
    chosen.set(id, [])
    queue.push(...more(courses.get(id)!.prerequisites, new Set([id])))
  }
  // What each waits for, of the courses that are to be taken.
  const waits = (requisite: Requisite | null): number[] => {
    if (requisite === null) return []
    if ('course' in requisite) return chosen.has(requisite.course) ? [requisite.course] : []
    if ('all' in requisite) return requisite.all.flatMap(waits)
    if (requisite.any.some((part) => satisfied(part, had))) return []
    const ways = requisite.any.filter((part) => satisfied(part, new Set([...had, ...chosen.keys()]))).map(waits)
    return ways.toSorted((a, b) => a.length - b.length)[0] ?? []
  }
  for (const id of chosen.keys())
    chosen.set(
      id,
      [...new Set(waits(courses.get(id)!.prerequisites))].filter((on) => on !== id),
    )
  const tails = new Map<number, number>()
  const followers = new Map<number, number[]>()
  for (const [id, on] of chosen) for (const other of on) followers.set(other, [...(followers.get(other) ?? []), id])
  const tail = (id: number, seen: ReadonlySet<number>): number => {
    if (seen.has(id)) return 0
    const known = tails.get(id)
    if (known !== undefined) return known
    const inside = new Set([...seen, id])
    const length = 1 + Math.max(0, ...(followers.get(id) ?? []).map((other) => tail(other, inside)))
    tails.set(id, length)
    return length
  }
  const ids = [...chosen.keys()]
  const hours = (id: number): number => courses.get(id)!.credit_hours
  const left = new Set(
    ids.toSorted(
      (a, b) => tail(b, new Set()) - tail(a, new Set()) || courses.get(a)!.order - courses.get(b)!.order || a - b,
    ),
  )
  const at_least = Math.max(
    Math.ceil(ids.reduce((sum, id) => sum + hours(id), 0) / Math.max(max_hours, 1)),
    ...ids.map((id) => tail(id, new Set())),
    0,
  )
  const placed = new Set<number>()
  const terms: number[][] = []
  while (left.size) {
    const ready = [...left].filter((id) => chosen.get(id)!.every((on) => placed.has(on)))
    // Prerequisites in a circle stop nobody: what is left is told in the order of the plan.
    const candidates = ready.length ? ready : [...left].slice(0, 1)
    const term: number[] = []
    let load = 0
    for (const id of candidates) {
      if (term.length && load + hours(id) > max_hours) continue
      term.push(id)
      load += hours(id)
    }
    for (const id of term) {
      placed.add(id)
      left.delete(id)
    }
    terms.push(term)
  }
  return { terms, open: [...open], at_least, proved: terms.length === at_least }
}

function satisfied(requisite: Requisite, had: ReadonlySet<number>): boolean {
  if ('course' in requisite) return had.has(requisite.course)
  return 'all' in requisite
    ? requisite.all.every((part) => satisfied(part, had))
    : requisite.any.some((part) => satisfied(part, had))
}
