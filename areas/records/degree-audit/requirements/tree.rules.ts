/**
 * A requirement as a tree: what has to be there for a degree. A tree is data: it is stored, edited, checked
 * (`check.rules.ts`) and audited (`../audits/`) by pure functions.
 *
 * Credit hours and points are decimals with at most two places here, as they are stored and travel; the evaluator
 * calculates with hundredths.
 */

/** Which courses. A course is meant by what the catalogue and the program's study plan say of it. */
export type Selector =
  | { by: 'course'; course_id: number }
  /** A code with `*` for what follows, at least one character: `CS 3*`, `MATH*`. Spaces and capitals do not matter. */
  | { by: 'code'; pattern: string }
  /** Where the study plan places the course; else the first digit of the number in its code (`CS 301` is of level 3). */
  | { by: 'level'; from: number; to: number }
  | { by: 'tag'; tag_id: number }
  | { by: 'department'; department_id: number }
  | { by: 'faculty'; faculty_id: number }
  /** An elective pool of the program's study plan. */
  | { by: 'pool'; pool_id: number }
  /** A part of the program's study plan. */
  | { by: 'list'; list: PlanList }
  /** Whatever another requirement of the same tree takes its courses from. */
  | { by: 'requirement'; key: string }
  | { by: 'any' }
  /** Courses that satisfy every one of these. */
  | { by: 'both'; of: Selector[] }

export type PlanList = 'mandatory' | 'university' | 'faculty'

/** What an amount is counted in. */
export type RequirementUnit = 'courses' | 'hours'

interface Named {
  /** Stays the same as long as the requirement does: exceptions of students and courses settled by hand point to it. */
  key: string
  name: string
  name_local: string
  /** Explained to who reads the audit. */
  note?: string
  note_local?: string
  /** The most of it that counts in the requirement above, in the unit of that one. Without: all of it. */
  max_counted?: number
  /** Semester of the program by which it should be met; shown, and said when it is late. */
  by_semester?: number
}

/** Every one of the parts. */
export interface AllOf extends Named {
  kind: 'all'
  /** A course may count once in each of the parts: they do not compete for it. */
  apart?: boolean
  parts: Requirement[]
}
/** At least so many of the parts: 1 is "any of". */
export interface SomeOf extends Named {
  kind: 'some'
  min: number
  /** `amounts`: a part that is met adds what it counts (up to its `max_counted`), instead of one. Usually `parts`. */
  count?: 'parts' | 'amounts'
  parts: Requirement[]
}
/** At least so much from the parts together, each of which may have a minimum and a cap of its own. */
export interface SumOf extends Named {
  kind: 'sum'
  unit: RequirementUnit
  min: number
  parts: Requirement[]
}
/** Courses: so many, so many hours, or each one that is listed. */
export interface CoursesOf extends Named {
  kind: 'courses'
  unit: RequirementUnit
  /** `all`: every listed course; then `from` lists single courses. */
  min: number | 'all'
  from: Selector[]
  except?: Selector[]
  /** Lowest grade that counts, in points. */
  min_points?: number
  /** Its courses may count elsewhere at the same time. Without: a course counts once. */
  sharing?: boolean
}
/**
 * So much in all, wherever in the tree it counts; `passed`: also courses that count nowhere. With `by_semester` only what
 * was taken up to that semester: "17 courses by the end of semester 4".
 */
export interface TotalOf extends Named {
  kind: 'total'
  unit: RequirementUnit
  min: number
  of: 'counted' | 'passed'
}
/** A GPA: of everything, as the record says, or of the courses selected. */
export interface GpaOf extends Named {
  kind: 'gpa'
  min: number
  from?: Selector[]
}
/** Weeks of training. */
export interface TrainingOf extends Named {
  kind: 'training'
  min: number
}
/** What no record tells (a thesis, a portfolio): somebody confirms it for the student. */
export interface ByHand extends Named {
  kind: 'hand'
  /** Only told, not asked for. */
  optional?: boolean
}

export type Requirement = AllOf | SomeOf | SumOf | CoursesOf | TotalOf | GpaOf | TrainingOf | ByHand
export type RequirementKind = Requirement['kind']

/** How a tree of its own stands to the study plan of the program. */
export type TreeMode = 'adds' | 'replaces'

/** Parts of a requirement; none of what has none. */
export const requirementPartsOf = (one: Requirement): readonly Requirement[] => ('parts' in one ? one.parts : [])

/** A requirement and everything in it, each with where it stands (`parts.0.parts.2`; the tree itself: ''). */
export function* walk(one: Requirement, at = ''): Generator<[place: string, Requirement]> {
  yield [at, one]
  for (const [i, part] of requirementPartsOf(one).entries()) yield* walk(part, `${at ? `${at}.` : ''}parts.${i}`)
}

/** The requirement with that key. */
export function requirementOf(tree: Requirement, key: string): Requirement | undefined {
  for (const [, one] of walk(tree)) if (one.key === key) return one
  return undefined
}

/** Selectors of a requirement, those within `both` included; `except` too. */
export function* selectorsOf(one: Requirement): Generator<[place: string, Selector]> {
  const inside = function* (list: readonly Selector[], at: string): Generator<[string, Selector]> {
    for (const [i, selector] of list.entries()) {
      yield [`${at}.${i}`, selector]
      if (selector.by === 'both') yield* inside(selector.of, `${at}.${i}.of`)
    }
  }
  if (one.kind === 'courses' || one.kind === 'gpa') yield* inside(one.from ?? [], 'from')
  if (one.kind === 'courses') yield* inside(one.except ?? [], 'except')
}

const pattern = /^[\p{L}\p{N}][\p{L}\p{N}.-]*\**$/u
/** A code or pattern as it is compared: without spaces, in capitals; null: this is no pattern. */
export function readPattern(text: string): { start: string; open: boolean } | null {
  const bare = text.replace(/\s+/g, '').toUpperCase()
  if (bare === '*' || !pattern.test(bare)) return bare === '*' ? { start: '', open: true } : null
  const start = bare.replace(/\*+$/, '')
  return { start, open: start !== bare }
}
