/** Audits courses by a programme in the format of TigerPath, and answers in theirs. */
import type { Exception, RequirementAudit, TakenCourse } from '#areas/records/degree-audit/audits/audit.rules.ts'
import { compileTree } from '#areas/records/degree-audit/audits/compile.rules.ts'
import { Evaluator } from '#areas/records/degree-audit/audits/evaluate.rules.ts'
import { readPattern } from '#areas/records/degree-audit/requirements/tree.rules.ts'
import {
  codesOf,
  listed,
  patternsOf,
  prefixOf,
  readProgramme,
  type Read,
  type TheirProgramme,
} from './degree-audit-format.ts'

export interface TheirCourse {
  name: string
  dist_area?: string | string[] | null
  settled?: string[] | null
  /** Taken elsewhere: it matches nothing, and counts where it is settled. */
  external?: boolean
  /** Taken for pass, D or fail, without a grade. */
  pdf?: boolean
  /** Grade in points; graded and not known unless told. */
  grade?: number | null
}
/** What else is known of a student. */
export interface TheirStudent {
  /** Other programmes, by code. */
  programmes?: readonly string[]
  /** Names of courses that count in another programme. */
  elsewhere?: readonly string[]
}

/** Of what a course was settled for, the paths that concern this programme. One is left out after each that is not. */
function settledHere(course: TheirCourse, prefix: string): string[] {
  const paths = [...(course.settled ?? [])]
  for (let i = 0; i < paths.length; i++) if (!paths[i]!.includes(prefix)) paths.splice(paths.indexOf(paths[i]!), 1)
  return paths
}

interface Shown {
  name: string
  possible_reqs: string[]
  reqs_satisfied: string[]
  settled: string[]
  /** Requirements that share their courses, in which it counts. */
  shared: string[]
  external: boolean
}

/** Audits courses, semester by semester, and answers in their format. */
export function auditOf(
  programme: TheirProgramme,
  semesters: TheirCourse[][],
  student: TheirStudent = {},
): { courses: unknown; programme: unknown; excluded: string[] } {
  const { read, tree, tags } = readProgramme(programme, exceptedBy(programme, semesters, student))
  const leaves: Read[] = []
  const collect = (one: Read): void => {
    if (one.parts) one.parts.forEach(collect)
    else leaves.push(one)
  }
  collect(read)
  const byKey = new Map(leaves.map((leaf) => [leaf.key, leaf]))
  const exceptions: Exception[] = []
  const shown: Shown[][] = []
  const taken: TakenCourse[] = []
  for (const [i, semester] of semesters.entries()) {
    shown.push([])
    for (const course of semester) {
      const course_id = taken.length + 1
      const settled = settledHere(course, prefixOf(programme))
      taken.push({
        course_id,
        codes: course.external ? [] : codesOf(course.name),
        credit_hours: 300,
        tag_ids: course.external ? [] : listed(course.dist_area).map((area) => tags.of(area)),
        state: 'passed',
        equal_ids: [],
        points: course.pdf ? null : Math.round((course.grade ?? 4) * 100),
        counts_in_gpa: false,
        semester: i + 1,
      })
      // For each requirement it is settled for, or something inside; for nothing here where there is none.
      const within = leaves.filter((leaf) => settled.some((at) => leaf.path.includes(at)))
      const outside = course.external ? within.slice(0, 1) : []
      for (const { key } of outside)
        exceptions.push({ id: exceptions.length + 1, kind: 'substitute', key, course_id, for_course_id: null })
      for (const key of course.external
        ? []
        : within.length || settled.length === 0
          ? within.map((leaf) => leaf.key)
          : [''])
        exceptions.push({ id: exceptions.length + 1, kind: 'settle', key, course_id })
      shown[i]!.push({
        name: course.name.split(':')[0]!,
        possible_reqs: [],
        reqs_satisfied: [],
        settled,
        shared: [],
        external: course.external ?? false,
      })
    }
  }
  const answer = new Evaluator(compileTree(tree, [])).audit({ courses: taken, exceptions, assign: 'certain' })
  const order = new Map(leaves.map((leaf, i) => [leaf.key, i]))
  const flat = shown.flat()
  for (const one of answer.courses) {
    const course = flat[one.course_id - 1]!
    const possible = [...one.counts_in, ...one.could_count_in].toSorted((a, b) => order.get(a)! - order.get(b)!)
    if (!course.external) course.possible_reqs = [...new Set(possible.map((key) => byKey.get(key)!.path))]
    for (const key of one.counts_in.toSorted((a, b) => order.get(a)! - order.get(b)!)) {
      const leaf = byKey.get(key)!
      if (leaf.double) course.shared.push(leaf.path)
      else {
        course.reqs_satisfied.push(leaf.path)
        if (course.settled.length === 0) course.settled.push(leaf.path)
      }
    }
  }

  /** Courses of a requirement whose parts are not shown, or that has none. */
  const lists = new Map<Read, { settled: string[]; unsettled: string[] }>()
  const addLists = (one: Read): void => {
    let own = one.parts === null
    for (const part of one.parts ?? []) {
      if (part.name === null) own = true
      else addLists(part)
    }
    if (!own) return
    const found = { settled: [] as string[], unsettled: [] as string[] }
    lists.set(one, found)
    for (const course of flat) {
      if (one.double) {
        for (const at of course.shared) {
          if (!at.includes(one.path)) continue
          found.settled.push(course.name)
          course.reqs_satisfied.push(one.path)
        }
      } else if (course.settled.length > 0) {
        for (const at of course.settled) if (at.includes(one.path)) found.settled.push(course.name)
      } else if (course.possible_reqs.some((at) => at.includes(one.path))) found.unsettled.push(course.name)
    }
  }
  addLists(read)

  const write = (one: Read, audit: RequirementAudit, above = false): object => {
    const { their } = one
    // Of what counts nothing above, nothing is counted.
    const shut = above || one.max === 0
    const parts = (one.parts ?? []).flatMap((part, i) =>
      part.name === null ? [] : [write(part, audit.parts[i]!, shut)],
    )
    const count = shut ? 0 : audit.earned / 100
    const root = one === read ? programme : null
    return {
      name: one.name,
      ...(root?.code !== undefined && { code: root.code }),
      ...(root?.degree !== undefined && { degree: root.degree }),
      path_to: one.path,
      ...(root?.urls && { urls: root.urls }),
      ...(root?.code !== undefined && root.description !== undefined && { description: root.description }),
      ...(root?.contacts && { contacts: root.contacts.map(({ type, name, email }) => ({ type, name, email })) }),
      ...(their.explanation !== undefined && { explanation: their.explanation }),
      ...(their.pdfs_allowed !== undefined && { pdfs_allowed: their.pdfs_allowed }),
      ...(their.completed_by_semester !== undefined && { completed_by_semester: their.completed_by_semester }),
      satisfied: one.min - count <= 0,
      count,
      min_needed: one.min,
      max_counted: one.max,
      ...(parts.length && { req_list: parts }),
      ...lists.get(one),
    }
  }
  return {
    courses: shown.map((semester) =>
      semester.map(({ name, possible_reqs, reqs_satisfied, settled }) => ({
        name,
        possible_reqs,
        reqs_satisfied,
        ...(settled.length && { settled }),
      })),
    ),
    programme: write(read, answer.root),
    excluded: excludedBy(programme, student),
  }
}

/** Programmes of a student beside which nobody studies this one. */
export function excludedBy(programme: TheirProgramme, { programmes = [] }: TheirStudent): string[] {
  const never = new Set(
    [programme.excluded_major, programme.excluded_majors, programme.excluded_minors].flatMap(listed),
  )
  const only = programme.allowed_majors
  return programmes.filter((code) => never.has(code) || (only !== undefined && !only.includes(code)))
}

/**
 * Courses that a requirement may not count: those of which it allows so many and no more, beyond the first ones (taken for pass, D or
 * fail; counting elsewhere), and those that are known to it by another code than their first.
 */
function exceptedBy(
  programme: TheirProgramme,
  semesters: TheirCourse[][],
  { elsewhere = [] }: TheirStudent,
): Map<string, number[]> {
  const { read } = readProgramme(programme)
  const courses = semesters.flat().map((course, i) => ({ ...course, id: i + 1, codes: codesOf(course.name) }))
  const common = new Set(elsewhere.flatMap(codesOf))
  const excepted = new Map<string, number[]>()
  const keepOut = (leaf: Read, id: number): void => {
    excepted.set(leaf.key, [...(excepted.get(leaf.key) ?? []), id])
  }
  const leavesIn = (one: Read): Read[] => (one.parts ? one.parts.flatMap(leavesIn) : [one])
  const takes = (leaf: Read, codes: readonly string[]): boolean =>
    [...(leaf.their.course_list ?? []), ...listed(leaf.their.dept_list).map((of) => `${of} *`)]
      .flatMap(patternsOf)
      .some((pattern) => {
        const { start, open } = readPattern(pattern)!
        return codes.some((code) => (open ? code.length > start.length && code.startsWith(start) : code === start))
      })
  const limit = (one: Read, most: number, meant: (course: (typeof courses)[number]) => boolean): void => {
    const inside = leavesIn(one)
    const some = courses.filter(
      (course) => meant(course) && inside.some((leaf) => takes(leaf, course.codes) || leaf.their.dist_req),
    )
    for (const course of some.slice(most)) for (const leaf of inside) keepOut(leaf, course.id)
  }
  const visit = (one: Read): void => {
    const { pdfs_allowed, max_common_with_major } = one.their
    if (typeof pdfs_allowed === 'number' && pdfs_allowed > 0) limit(one, pdfs_allowed, (course) => course.pdf === true)
    if (typeof max_common_with_major === 'number')
      limit(one, max_common_with_major, (course) => course.codes.some((code) => common.has(code)))
    if (!one.parts && one.firstCode)
      for (const course of courses)
        if (takes(one, course.codes) && !takes(one, course.codes.slice(0, 1))) keepOut(one, course.id)
    one.parts?.forEach(visit)
  }
  visit(read)
  return excepted
}

/** Where two answers differ, each place in a line. */
export function differences(at: string, ours: unknown, theirs: unknown): string[] {
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const lines = ours.length === theirs.length ? [] : [`${at}: ${ours.length} instead of ${theirs.length}`]
    return [
      ...lines,
      ...ours.flatMap((one, i) => (i < theirs.length ? differences(`${at}[${i}]`, one, theirs[i]) : [])),
    ]
  }
  if (ours && theirs && typeof ours === 'object' && typeof theirs === 'object') {
    const [one, other] = [ours as Record<string, unknown>, theirs as Record<string, unknown>]
    const name = typeof other.name === 'string' ? `${at} “${other.name}”` : at
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
      differences(`${name}.${key}`, one[key], other[key]),
    )
  }
  return ours === theirs ? [] : [`${at}: ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`]
}
