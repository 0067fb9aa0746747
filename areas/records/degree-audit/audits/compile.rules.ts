/** A tree of requirements made ready for many students: its nodes in order, and for which of them a course can count. */
import type { Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import {
  requirementPartsOf,
  readPattern,
  requirementOf,
  walk,
  type CoursesOf,
  type GpaOf,
  type Requirement,
  type Selector,
} from '../requirements/tree.rules.ts'
import type { CourseFacts } from './audit.rules.ts'

/** A missing course is weighed like so many credit hours, so that all that is missing is one amount. */
export const COURSE_WEIGHT: Hundredths = 300

/** A node of the tree. Amounts are weights: hundredths of hours, 300 for a course or part. */
export interface Node {
  index: number
  parent: number
  /** Index after the last one inside: what is inside lies between. */
  end: number
  one: Requirement
  parts: number[]
  /** Weight of one course or part; 0: a course weighs its hours. */
  each: number
  /** What it asks for by itself, and the most of it that counts above. */
  need: number
  cap: number
  /** Where courses count once: the node of which this is a part, of those whose parts do not compete; one that shares. */
  domain: number
  /** Nothing below it counts. */
  shut: boolean
  leaf: Leaf | null
}

/** The courses that a requirement takes: single ones in places of their own, and whatever else is matched. */
export interface Leaf {
  node: number
  one: CoursesOf
  /** Listed courses: the weight that each has where every one is asked for. */
  listed: ReadonlyMap<number, number>
  matches: (course: CourseFacts) => boolean
  excluded: (course: CourseFacts) => boolean
  sharing: boolean
  all: boolean
}

/** A place where a course can count (`domain`: once in each). `slot` is the listed course whose place it takes; null: a place of its own. */
export interface TreePlace {
  leaf: number
  domain: number
  slot: number | null
  /** It takes the place of an equal course. */
  equal: boolean
}

export interface CompiledTree {
  tree: Requirement
  nodes: readonly Node[]
  leaves: readonly Leaf[]
  byKey: ReadonlyMap<string, number>
  /** Where a course can count, minimum grades apart; kept by course. */
  places: (course: CourseFacts & { equal_ids: readonly number[] }) => readonly TreePlace[]
  /** Whether a course belongs to the courses of a GPA. */
  inGpa: (one: GpaOf, course: CourseFacts & { equal_ids: readonly number[] }) => boolean
  facts: ReadonlyMap<number, CourseFacts>
}

const apart = (one: Requirement): boolean => one.kind === 'all' && (one.apart ?? false)
const shares = (one: Requirement): boolean => one.kind === 'courses' && (one.sharing ?? false)
const cents = (amount: number): Hundredths => Math.round(amount * 100)
const bare = (code: string): string => code.replace(/\s+/g, '').toUpperCase()
/** The first digit of the number in a code; null where there is none. */
const levelOf = (course: CourseFacts): number | null => {
  if (course.level !== undefined && course.level !== null) return course.level
  const digit = /\d/.exec(course.codes[0] ?? '')
  return digit ? Number(digit[0]) : null
}

type Test = (course: CourseFacts) => boolean
/** Selectors as one test: patterns and ids are looked up, so that long lists cost nothing. */
function testOf(list: readonly Selector[], tree: Requirement): Test {
  const ids = new Set<number>()
  const exact = new Set<string>()
  const starts: string[] = []
  const tests: Test[] = []
  for (const selector of list) {
    if (selector.by === 'course') ids.add(selector.course_id)
    else if (selector.by === 'code') {
      const read = readPattern(selector.pattern)
      if (read === null) continue
      if (read.open) starts.push(read.start)
      else exact.add(read.start)
    } else tests.push(oneTest(selector, tree))
  }
  if (exact.size || starts.length)
    tests.push((course) =>
      course.codes.some((code) => {
        const plain = bare(code)
        return exact.has(plain) || starts.some((start) => plain.length > start.length && plain.startsWith(start))
      }),
    )
  if (ids.size) tests.push((course) => ids.has(course.course_id))
  return (course) => tests.some((test) => test(course))
}

function oneTest(selector: Selector, tree: Requirement): Test {
  switch (selector.by) {
    case 'level':
      return (course) => {
        const level = levelOf(course)
        return level !== null && level >= selector.from && level <= selector.to
      }
    case 'tag':
      return (course) => course.tag_ids?.includes(selector.tag_id) ?? false
    case 'department':
      return (course) => course.department_ids?.includes(selector.department_id) ?? false
    case 'faculty':
      return (course) => course.faculty_id === selector.faculty_id
    case 'pool':
      return (course) => course.pool_id === selector.pool_id
    case 'list':
      return (course) => course.list === selector.list
    case 'any':
      return () => true
    case 'both': {
      const each = selector.of.map((one) => testOf([one], tree))
      return (course) => each.every((test) => test(course))
    }
    case 'requirement': {
      const named = requirementOf(tree, selector.key)
      if (!named) return () => false
      const each = [...walk(named)].flatMap(([, one]) => {
        if (one.kind !== 'courses' && one.kind !== 'gpa') return []
        const from = testOf(one.from ?? [], tree)
        const except = one.kind === 'courses' && one.except?.length ? testOf(one.except, tree) : () => false
        return [(course: CourseFacts) => from(course) && !except(course)]
      })
      return (course) => each.some((test) => test(course))
    }
    default:
      return testOf([selector], tree)
  }
}

/**
 * Prepares a tree. `catalogue` are the courses of the study plan, in its order, and those that the tree names: what a
 * course is must be the same for every student who is audited with the answer.
 */
export function compileTree(tree: Requirement, catalogue: Iterable<CourseFacts>): CompiledTree {
  const facts = new Map([...catalogue].map((course) => [course.course_id, course]))
  const nodes: Node[] = []
  const leaves: Leaf[] = []
  const byKey = new Map<string, number>()

  /** Courses that have places of their own: named by themselves, or by a part of the study plan. */
  const listedBy = (from: readonly Selector[]): number[] => [
    ...new Set(
      from.flatMap((selector) => {
        if (selector.by === 'course') return [selector.course_id]
        if (selector.by !== 'pool' && selector.by !== 'list') return []
        const test = oneTest(selector, tree)
        return [...facts.values()].filter(test).map((course) => course.course_id)
      }),
    ),
  ]
  const leafOf = (one: CoursesOf, node: number): Leaf => {
    const excluded = one.except?.length ? testOf(one.except, tree) : () => false
    const listed = new Map(
      listedBy(one.from)
        .filter((id) => !excluded(facts.get(id) ?? { course_id: id, codes: [], credit_hours: 0 }))
        .map((id) => [id, Math.max(facts.get(id)?.credit_hours ?? COURSE_WEIGHT, 1)]),
    )
    const open = one.from.filter(({ by }) => by !== 'course' && by !== 'pool' && by !== 'list')
    return {
      node,
      one,
      listed,
      matches: open.length ? testOf(open, tree) : () => false,
      excluded,
      sharing: one.sharing ?? false,
      all: one.min === 'all',
    }
  }
  const add = (one: Requirement, parent: number): number => {
    const index = nodes.length
    const hours = 'unit' in one && one.unit === 'hours'
    const node: Node = {
      index,
      parent,
      end: 0,
      one,
      parts: [],
      each: hours ? 0 : COURSE_WEIGHT,
      need: 0,
      cap: one.max_counted === undefined ? Infinity : hours ? cents(one.max_counted) : one.max_counted * COURSE_WEIGHT,
      domain: parent < 0 ? 0 : apart(nodes[parent]!.one) || shares(one) ? index : nodes[parent]!.domain,
      shut: one.max_counted === 0 || (parent >= 0 && nodes[parent]!.shut),
      leaf: null,
    }
    nodes.push(node)
    byKey.set(one.key, index)
    if (one.kind === 'courses') {
      node.leaf = leafOf(one, index)
      leaves.push(node.leaf)
    }
    if (node.leaf?.all) node.need = [...node.leaf.listed.values()].reduce((sum, weight) => sum + weight, 0)
    else if ('min' in one && typeof one.min === 'number') node.need = hours ? cents(one.min) : one.min * COURSE_WEIGHT
    for (const part of requirementPartsOf(one)) node.parts.push(add(part, index))
    node.end = nodes.length
    return index
  }
  add(tree, -1)

  const kept = new Map<number, readonly TreePlace[]>()
  const places: CompiledTree['places'] = (course) => {
    const known = kept.get(course.course_id)
    if (known) return known
    const found = leaves.flatMap((leaf, i): TreePlace[] => {
      if (leaf.excluded(course)) return []
      const at: TreePlace[] = []
      const { domain } = nodes[leaf.node]!
      if (leaf.listed.has(course.course_id)) at.push({ leaf: i, domain, slot: course.course_id, equal: false })
      else if (!leaf.all && leaf.matches(course)) at.push({ leaf: i, domain, slot: null, equal: false })
      if (course.equal_ids.length)
        for (const id of leaf.listed.keys())
          if (id !== course.course_id && course.equal_ids.includes(id))
            at.push({ leaf: i, domain, slot: id, equal: true })
      return at
    })
    kept.set(course.course_id, found)
    return found
  }
  const gpas = new Map<GpaOf, Test>()
  return {
    tree,
    nodes,
    leaves,
    byKey,
    places,
    facts,
    inGpa: (one, course) => {
      let test = gpas.get(one)
      if (!test) {
        const own = testOf(one.from ?? [], tree)
        const listed = new Set(listedBy(one.from ?? []))
        test = (taken) => own(taken) || listed.has(taken.course_id)
        gpas.set(one, test)
      }
      return test(course) || course.equal_ids.some((id) => facts.has(id) && test(facts.get(id)!))
    },
  }
}
