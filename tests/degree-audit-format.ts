/** The format of TigerPath: a programme as a tree of requirements of ours, and our audit as theirs. */
import { Evaluator } from '#areas/records/degree-audit/audits/evaluate.rules.ts'
import { compileTree } from '#areas/records/degree-audit/audits/compile.rules.ts'
import type { Exception, RequirementAudit, TakenCourse } from '#areas/records/degree-audit/audits/audit.rules.ts'
import { checkRequirements, type RequirementCode } from '#areas/records/degree-audit/requirements/check.rules.ts'
import { requirement } from '#areas/records/degree-audit/requirements/tree.contract.ts'
import { readPattern, type Requirement, type Selector } from '#areas/records/degree-audit/requirements/tree.rules.ts'

export interface TheirRequirement {
  name?: string | null
  max_counted?: number | null
  min_needed?: number | 'ALL' | null
  explanation?: string | null
  double_counting_allowed?: boolean
  pdfs_allowed?: boolean | number
  completed_by_semester?: number
  req_list?: TheirRequirement[]
  course_list?: string[]
  excluded_course_list?: string[]
  dist_req?: string | string[]
  num_courses?: number
  no_req?: unknown
  /** What is asked of students of some years instead: the first whose code matches replaces what it names. */
  year_switch?: (TheirRequirement & { year_code?: string | number | null })[]
}
export interface TheirProgramme extends TheirRequirement {
  type: string
  name: string
  code?: string
  degree?: string | null
  year: number
  description?: string | null
  urls?: string[]
  contacts?: { type: string; name: string; email: string }[]
}
export interface TheirCourse {
  name: string
  dist_area?: string | string[] | null
  settled?: string[] | null
}

/** Departments that teach languages, of which `LANG 2**` stands for each. */
const LANGUAGES =
  'ARA BCS SLA CHI CZE FRE GER MOG CLG HEB HIN ITA JPN KOR LAT PER PLS POR RUS SPA SWA TUR TWI URD'.split(' ')

/** Whether a year is meant by `2021`, `">=2022"`, `"2018-2020"`, `"!=2019"`, or by nothing, which means every other one. */
function isYear(year: number, code: string | number | null | undefined): boolean {
  const bare = String(code ?? '').replace(/\s+/g, '')
  if (bare === '' || bare.toLowerCase() === 'default') return true
  const [, sign, from = '', to] = /^([<>=!]=|[<>])?(\d+)(?:-(\d+))?/.exec(bare) ?? []
  const first = Number(from)
  if (to !== undefined) return year >= first && year <= Number(to)
  switch (sign) {
    case '<':
      return year < first
    case '<=':
      return year <= first
    case '>':
      return year > first
    case '>=':
      return year >= first
    case '!=':
      return year !== first
    default:
      return year === first
  }
}
/** A requirement as students of a year have it. */
function ofYear<T extends TheirRequirement>(their: T, year: number): T {
  const { year_switch, ...rest } = their
  const { year_code: _code, ...instead } = year_switch?.find((one) => isYear(year, one.year_code)) ?? {}
  const one = { ...rest, ...instead } as T
  return one.req_list ? { ...one, req_list: one.req_list.map((part) => ofYear(part, year)) } : one
}

/** A requirement of theirs with all that it inherits and leaves unsaid. */
interface Read {
  their: TheirRequirement
  /** Null: it is not shown by itself. */
  name: string | null
  path: string
  key: string
  min: number
  max: number | null
  /** Courses may count for several requirements at once. */
  double: boolean
  parts: Read[] | null
}

const isNothing = (value: unknown): value is null | undefined | '' =>
  value === null || value === undefined || value === ''
const prefixOf = (their: TheirProgramme): string =>
  `${their.type.slice(0, 12)}//${their.year}//${((their.type === 'Certificate' ? their.name : their.code) ?? '').slice(0, 100)}`

function readTree(
  their: TheirRequirement,
  at: { path: string; key: string; double: boolean; root: boolean },
): { read: Read; below: number } {
  const named =
    isNothing(their.name) &&
    their.num_courses !== undefined &&
    their.completed_by_semester !== undefined &&
    !their.req_list
      ? `Complete ${their.num_courses} courses by Semester ${their.completed_by_semester}`
      : their.name
  const double = their.double_counting_allowed ?? at.double
  const max = their.max_counted ?? null
  let below = 0
  const parts =
    their.req_list?.map((part, i) => {
      const counts = part.num_courses !== undefined && part.completed_by_semester !== undefined && !part.req_list
      const step = !isNothing(part.name)
        ? part.name
        : counts
          ? `Complete ${part.num_courses} courses by Semester ${part.completed_by_semester}`
          : String(i).padStart(3, '0')
      const inside = readTree(part, { path: `${at.path}//${step}`, key: `${at.key}.${i}`, double, root: false })
      below += inside.below
      return inside.read
    }) ?? null
  if (!parts) {
    if (their.course_list) below = their.course_list.length
    else if (their.dist_req !== undefined || their.num_courses !== undefined) below = max ?? 0
  }
  const needed = their.min_needed ?? (at.root ? 'ALL' : 0)
  return {
    read: {
      their,
      name: isNothing(named) ? null : named,
      path: at.path,
      key: at.key,
      min: needed === 'ALL' ? below : needed,
      max,
      double,
      parts,
    },
    below: max === null ? below : Math.min(max, below),
  }
}

/** Codes of a course, or of a line in a list: several where it is listed by several departments; without its title. */
const codesOf = (text: string): string[] =>
  text
    .split(':')[0]!
    .split('/')
    .map((code) => code.replace(/\s+/g, '').toUpperCase())

/** A line of a list as patterns. A star stands after the department and up to three figures. */
function patternsOf(text: string): string[] {
  return codesOf(text).flatMap((code) => {
    const star = code.indexOf('*')
    const own = star < 0 ? [code] : star >= 3 && star <= 6 ? [`${code.slice(0, star)}*`] : []
    const rest = code.slice(4)
    const languages =
      code.startsWith('LANG') && (star < 0 || star <= 7)
        ? LANGUAGES.map((department) => department + (star < 0 ? rest : `${code.slice(4, star)}*`))
        : []
    return [...own, ...languages].filter((pattern) => readPattern(pattern) !== null)
  })
}
const selectorsOf = (list: readonly string[]): Selector[] =>
  [...new Set(list.flatMap(patternsOf))].map((pattern) => ({ by: 'code', pattern }))

/** Areas of distribution are tags of courses. */
class Tags {
  private readonly ids = new Map<string, number>()
  of(area: string): number {
    if (!this.ids.has(area)) this.ids.set(area, this.ids.size + 1)
    return this.ids.get(area)!
  }
}
const listed = (value: string | readonly string[] | null | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? [])

function toTree(read: Read, tags: Tags): Requirement {
  const name = read.name ?? read.path.split('//').at(-1)!
  const { their } = read
  const base = {
    key: read.key,
    name,
    name_local: name,
    ...(read.max !== null && { max_counted: read.max }),
    ...(their.completed_by_semester !== undefined && { by_semester: their.completed_by_semester }),
  }
  if (read.parts?.length)
    return {
      kind: 'some',
      ...base,
      min: read.min,
      count: 'amounts',
      parts: read.parts.map((part) => toTree(part, tags)),
    }
  const courses = (from: Selector[]): Requirement => ({
    kind: 'courses',
    ...base,
    unit: 'courses',
    min: read.min,
    from,
    ...(their.excluded_course_list?.length && { except: selectorsOf(their.excluded_course_list) }),
    ...(read.double && { sharing: true }),
  })
  if (their.course_list || their.dist_req !== undefined)
    return courses([
      ...selectorsOf(their.course_list ?? []),
      ...listed(their.dist_req).map((area): Selector => ({ by: 'tag', tag_id: tags.of(area) })),
    ])
  // A number of courses that was reached is worth one, whatever the number.
  if (their.num_courses !== undefined && !read.double) {
    const { by_semester, ...frame } = base
    const name = `${their.num_courses} courses`
    const total: Requirement = {
      kind: 'total',
      key: `${read.key}.n`,
      name,
      name_local: name,
      max_counted: 1,
      unit: 'courses',
      of: 'passed',
      min: their.num_courses,
      ...(by_semester !== undefined && { by_semester }),
    }
    return { kind: 'some', ...frame, min: read.min, count: 'amounts', parts: [total] }
  }
  return { kind: 'hand', ...base, ...(read.min === 0 && { optional: true }) }
}

/** What their format allows and our editor refuses: a tree that nobody can ever meet. */
const UNREACHABLE: ReadonlySet<RequirementCode> = new Set([
  'requirement_min_beyond',
  'requirement_cap_under_min',
  'requirement_all_excluded',
])

/** A programme of theirs as a tree of ours, what of it cannot be expressed, and what of it nobody can ever meet. */
export function readProgramme(programme: TheirProgramme): {
  read: Read
  tree: Requirement
  tags: Tags
  problems: string[]
  unreachable: string[]
} {
  const their = ofYear(programme, programme.year)
  const { read } = readTree(their, { path: prefixOf(their), key: 'r', double: false, root: true })
  const tags = new Tags()
  const tree = toTree(read, tags)
  const parsed = requirement.safeParse(tree)
  const known = {
    courses: new Map(),
    departments: new Set<number>(),
    faculties: new Set<number>(),
    pools: new Set<number>(),
  }
  const tagIds = new Set(Array.from({ length: 100 }, (_, i) => i + 1))
  const found = checkRequirements(tree, { ...known, tags: tagIds })
  const say = (list: typeof found): string[] =>
    list.map(({ field, code, data }) => `${field}: ${code} ${JSON.stringify(data)}`)
  return {
    read,
    tree,
    tags,
    problems: [
      ...(parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)),
      ...say(found.filter(({ code }) => !UNREACHABLE.has(code))),
    ],
    unreachable: say(found.filter(({ code }) => UNREACHABLE.has(code))),
  }
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
}

/** Audits courses, semester by semester, and answers in their format. */
export function auditOf(
  programme: TheirProgramme,
  semesters: TheirCourse[][],
): { courses: unknown; programme: unknown } {
  const { read, tree, tags } = readProgramme(programme)
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
        codes: codesOf(course.name),
        credit_hours: 300,
        tag_ids: listed(course.dist_area).map((area) => tags.of(area)),
        state: 'passed',
        equal_ids: [],
        points: null,
        counts_in_gpa: false,
        semester: i + 1,
      })
      // For each requirement it is settled for, or something inside; for nothing here where there is none.
      const within = leaves.filter((leaf) => settled.some((at) => leaf.path.includes(at)))
      for (const key of within.length || settled.length === 0 ? within.map((leaf) => leaf.key) : [''])
        exceptions.push({ id: exceptions.length + 1, kind: 'settle', key, course_id })
      shown[i]!.push({ name: course.name.split(':')[0]!, possible_reqs: [], reqs_satisfied: [], settled, shared: [] })
    }
  }
  const answer = new Evaluator(compileTree(tree, [])).audit({ courses: taken, exceptions, assign: 'certain' })
  const order = new Map(leaves.map((leaf, i) => [leaf.key, i]))
  const flat = shown.flat()
  for (const one of answer.courses) {
    const course = flat[one.course_id - 1]!
    const possible = [...one.counts_in, ...one.could_count_in].toSorted((a, b) => order.get(a)! - order.get(b)!)
    course.possible_reqs = [...new Set(possible.map((key) => byKey.get(key)!.path))]
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
  }
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
