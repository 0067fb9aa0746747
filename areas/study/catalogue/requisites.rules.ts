/**
 * Prerequisites: a boolean expression over courses, nested "all of" and "any of", each leaf with an optional minimum
 * grade. Kept as JSON with the course, evaluated against what a student has passed, printed in the reader's language.
 */
import { parseHundredths, type Hundredths } from './decimal.rules.ts'
import type { Language } from '#kit/contract/words.ts'
import { fill, type Bilingual, type Problem } from '#areas/common/academics/problem.rules.ts'

/** One course, optionally with a minimum in points ('2.00') or as a letter of the student's bylaw ('C+'), not both. */
export type CourseRequisite = { course: number; min_points?: string; min_grade?: string }

/** `{all: []}` is the expression that asks for nothing. */
export type Requisite = CourseRequisite | { all: Requisite[] } | { any: Requisite[] }

/** A passed course; `letter` and `points` are null where it was recorded without grade (transfer, exemption). */
export type PassedCourse = { course_id: number; letter: string | null; points: Hundredths | null }

/** The points of each letter, so that a minimum letter can be compared with another letter. */
export type LetterPoints = Readonly<Record<string, Hundredths>>

export type RequisiteCode =
  | 'requisite_shape'
  | 'requisite_depth'
  | 'requisite_size'
  | 'requisite_any_empty'
  | 'requisite_minimum'
  | 'requisite_cycle'

/** Texts of what can be wrong with an expression. */
export const requisiteTexts: Record<RequisiteCode, Bilingual> = {
  requisite_shape: {
    en: 'A prerequisite is a course, “all of” or “any of”',
    ar: 'المتطلب السابق مقرر، أو «كل ما يلي»، أو «أحد ما يلي»',
  },
  requisite_depth: {
    en: 'Prerequisites may be nested at most {maximum} deep',
    ar: 'لا يزيد تداخل المتطلبات السابقة على {maximum} مستويات',
  },
  requisite_size: {
    en: 'Prerequisites may name at most {maximum} courses',
    ar: 'لا يزيد عدد مقررات المتطلبات السابقة على {maximum}',
  },
  requisite_any_empty: {
    en: '“Any of” needs at least one course, or it can never be satisfied',
    ar: 'يلزم مقرر واحد على الأقل في «أحد ما يلي»، وإلا فلن يتحقق الشرط أبدًا',
  },
  requisite_minimum: {
    en: 'A minimum grade is either points between 0 and 4 or a letter, not both',
    ar: 'الحد الأدنى للتقدير إما نقاط بين 0 و4 وإما رمز تقدير، لا كلاهما',
  },
  requisite_cycle: {
    en: 'These courses require each other: {courses}',
    ar: 'هذه المقررات يتطلب بعضها بعضًا: {courses}',
  },
}

const maximumDepth = 8
const maximumLeaves = 100

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Checks that stored or received JSON is an expression; `field` is the path inside it (`all.1.any.0`). */
export function checkRequisite(value: unknown): Problem<RequisiteCode>[] {
  const problems: Problem<RequisiteCode>[] = []
  let leaves = 0
  const add = (code: RequisiteCode, path: readonly (string | number)[], data: Record<string, number> = {}) =>
    problems.push({ code, field: path.length === 0 ? null : path.join('.'), data })

  const visit = (node: unknown, path: readonly (string | number)[], depth: number): void => {
    if (depth > maximumDepth) return void add('requisite_depth', path, { maximum: maximumDepth })
    if (!isRecord(node)) return void add('requisite_shape', path)
    const keys = Object.keys(node)
    if ('course' in node) {
      leaves += 1
      const { course, min_points, min_grade } = node
      const known = keys.every((key) => key === 'course' || key === 'min_points' || key === 'min_grade')
      if (!known || typeof course !== 'number' || !Number.isSafeInteger(course) || course < 1)
        add('requisite_shape', path)
      const points = typeof min_points === 'string' ? parseHundredths(min_points) : null
      const badPoints = min_points !== undefined && (points === null || points < 0 || points > 400)
      const badGrade = min_grade !== undefined && (typeof min_grade !== 'string' || min_grade.trim() === '')
      if (badPoints || badGrade || (min_points !== undefined && min_grade !== undefined)) add('requisite_minimum', path)
      return
    }
    const kind = keys[0]
    const children = kind === 'all' || kind === 'any' ? node[kind] : undefined
    if (keys.length !== 1 || kind === undefined || !Array.isArray(children)) return void add('requisite_shape', path)
    if (kind === 'any' && children.length === 0) add('requisite_any_empty', path)
    children.forEach((child: unknown, index) => visit(child, [...path, kind, index], depth + 1))
  }

  visit(value, [], 1)
  if (leaves > maximumLeaves) add('requisite_size', [], { maximum: maximumLeaves })
  return problems
}

/** Every course an expression names, once each, in the order of first mention. */
export function coursesIn(requisite: Requisite | null): number[] {
  const found = new Set<number>()
  const visit = (node: Requisite): void => {
    if ('course' in node) found.add(node.course)
    else for (const child of 'all' in node ? node.all : node.any) visit(child)
  }
  if (requisite !== null) visit(requisite)
  return [...found]
}

/** Why a leaf is not met. `grade_unknown`: passed, but without a grade that could be compared. */
export type MissingReason = 'not_passed' | 'grade_below' | 'grade_unknown'

export type MissingCourse = CourseRequisite & { reason: MissingReason }

/** `rest` is the part of the expression still to be met, null when it is met; `missing` are the leaves of `rest`. */
export type Evaluation = { met: boolean; rest: Requisite | null; missing: MissingCourse[] }

function reasonMissing(
  leaf: CourseRequisite,
  attempts: readonly PassedCourse[],
  letters: LetterPoints,
): MissingReason | null {
  if (attempts.length === 0) return 'not_passed'
  if (leaf.min_points === undefined && leaf.min_grade === undefined) return null
  const minimum = leaf.min_points === undefined ? letters[leaf.min_grade ?? ''] : parseHundredths(leaf.min_points)
  let comparable = false
  for (const attempt of attempts) {
    if (leaf.min_grade !== undefined && attempt.letter === leaf.min_grade) return null
    const points = attempt.points ?? (attempt.letter === null ? undefined : letters[attempt.letter])
    if (points === undefined || minimum === undefined || minimum === null) continue
    if (points >= minimum) return null
    comparable = true
  }
  return comparable ? 'grade_below' : 'grade_unknown'
}

/**
 * What of an expression is met by the courses passed; a course passed several times counts with its best grade.
 * `letters` gives the order of letters; without it a minimum letter is met only by that very letter.
 */
export function evaluateRequisites(
  requisite: Requisite | null,
  passed: readonly PassedCourse[],
  letters: LetterPoints = {},
): Evaluation {
  const byCourse = new Map<number, PassedCourse[]>()
  for (const course of passed) {
    const attempts = byCourse.get(course.course_id)
    if (attempts === undefined) byCourse.set(course.course_id, [course])
    else attempts.push(course)
  }
  const missing: MissingCourse[] = []
  const seen = new Set<string>()

  const remaining = (node: Requisite, report: MissingCourse[]): Requisite | null => {
    if ('course' in node) {
      const reason = reasonMissing(node, byCourse.get(node.course) ?? [], letters)
      if (reason !== null) report.push({ ...node, reason })
      return reason === null ? null : node
    }
    if ('all' in node) {
      const rest = node.all.flatMap((child) => remaining(child, report) ?? [])
      const only = rest[0]
      return only === undefined ? null : rest.length === 1 ? only : { all: rest }
    }
    // An alternative that is met makes what its neighbours miss irrelevant.
    const inner: MissingCourse[] = []
    const rest: Requisite[] = []
    for (const child of node.any) {
      const left = remaining(child, inner)
      if (left === null) return null
      rest.push(left)
    }
    report.push(...inner)
    const only = rest[0]
    return only !== undefined && rest.length === 1 ? only : { any: rest }
  }

  const leaves: MissingCourse[] = []
  const rest = requisite === null ? null : remaining(requisite, leaves)
  for (const leaf of leaves) {
    const key = `${leaf.course}/${leaf.min_points ?? ''}/${leaf.min_grade ?? ''}`
    if (seen.has(key)) continue
    seen.add(key)
    missing.push(leaf)
  }
  return { met: rest === null, rest, missing }
}

/**
 * A cycle in the graph "course → the courses its prerequisites name", as the courses in order with the first repeated
 * at the end ([1, 2, 1]), or null. A course that names itself is a cycle. Linear, and without recursion.
 */
export function findCycle(graph: ReadonlyMap<number, readonly number[]>): number[] | null {
  const done = new Set<number>()
  const onPath = new Map<number, number>()
  for (const start of graph.keys()) {
    if (done.has(start)) continue
    const path: { course: number; next: number }[] = [{ course: start, next: 0 }]
    onPath.set(start, 0)
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const child = graph.get(top.course)?.[top.next]
      top.next += 1
      if (child === undefined) {
        done.add(top.course)
        onPath.delete(top.course)
        path.pop()
        continue
      }
      const position = onPath.get(child)
      if (position !== undefined) return [...path.slice(position).map((entry) => entry.course), child]
      if (done.has(child)) continue
      onPath.set(child, path.length)
      path.push({ course: child, next: 0 })
    }
  }
  return null
}

/** The cycle that saving `requisite` for `course` would close in the graph of all other courses, or null. */
export function cycleThrough(
  course: number,
  requisite: Requisite | null,
  graph: ReadonlyMap<number, readonly number[]>,
): number[] | null {
  return findCycle(new Map([[course, coursesIn(requisite)] as const, ...[...graph].filter(([id]) => id !== course)]))
}

const printTexts = {
  en: { all: ' and ', any: ' or ', leaf: '{name}', minimum: '{name} (at least {minimum})', none: 'none' },
  de: { all: ' und ', any: ' oder ', leaf: '{name}', minimum: '{name} (mindestens {minimum})', none: 'keine' },
  fr: { all: ' et ', any: ' ou ', leaf: '{name}', minimum: '{name} (au moins {minimum})', none: 'aucun' },
  pt: { all: ' e ', any: ' ou ', leaf: '{name}', minimum: '{name} (no mínimo {minimum})', none: 'nenhum' },
  ar: { all: ' و', any: ' أو ', leaf: '{name}', minimum: '{name} (بحد أدنى {minimum})', none: 'لا يوجد' },
} as const

// Codes and grades keep their own direction inside an Arabic sentence: first strong isolate … pop.
const isolate = (text: string, language: Language): string => (language === 'ar' ? `\u2068${text}\u2069` : text)

/** The expression as a reader sees it: “MA101 and (CS1 or CS2 (at least C+))”. `name` gives the name or code of a course. */
export function printRequisite(
  requisite: Requisite | null,
  language: Language,
  name: (course: number) => string,
): string {
  const texts = printTexts[language]
  const print = (node: Requisite, inside: boolean): string => {
    if ('course' in node) {
      const minimum = node.min_grade ?? node.min_points
      return fill(minimum === undefined ? texts.leaf : texts.minimum, {
        name: isolate(name(node.course), language),
        minimum: minimum === undefined ? '' : isolate(minimum, language),
      })
    }
    const [children, joint] = 'all' in node ? [node.all, texts.all] : [node.any, texts.any]
    if (children.length === 0) return texts.none
    if (children.length === 1 && children[0] !== undefined) return print(children[0], inside)
    const text = children.map((child) => print(child, true)).join(joint)
    return inside ? `(${text})` : text
  }
  return requisite === null ? texts.none : print(requisite, false)
}
