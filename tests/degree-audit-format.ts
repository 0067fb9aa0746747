/** The format of TigerPath: a programme as a tree of requirements of ours. */
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
  /** Of what may count in another programme of the student as well: at most so many courses. */
  max_common_with_major?: number | null
  /** Lowest grade, in points or as a letter. */
  min_grade?: number | string | null
  /** A course counts by its first code alone. */
  no_crosslist?: boolean
  /** Any course of these departments. */
  dept_list?: string | string[]
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
  /** Programmes beside which nobody studies this one. */
  excluded_major?: string | string[]
  excluded_majors?: string | string[]
  excluded_minors?: string | string[]
  allowed_majors?: string[]
}
/** What is read and judged, or says nothing that is asked for. */
const JUDGED = new Set(
  `name max_counted min_needed double_counting_allowed pdfs_allowed completed_by_semester req_list course_list excluded_course_list
   dist_req num_courses no_req year_switch year_code max_common_with_major min_grade no_crosslist dept_list
   type code degree year excluded_major excluded_majors excluded_minors allowed_majors`.split(/\s+/),
)
const WORDS = new Set('explanation description urls contacts note iw_relationship'.split(' '))
const LETTERS: Readonly<Record<string, number>> = {
  'A+': 4,
  A: 4,
  'A-': 3.7,
  'B+': 3.3,
  B: 3,
  'B-': 2.7,
  'C+': 2.3,
  C: 2,
  'C-': 1.7,
  D: 1,
}
/** A lowest grade in points; null: it says something else. */
const pointsOf = (grade: number | string): number | null =>
  typeof grade === 'number' ? (grade >= 0 && grade <= 4 ? grade : null) : (LETTERS[grade.trim().toUpperCase()] ?? null)

/** Rules of a programme that are not judged, each by its name and where it stands: deadlines, and whatever is not known. */
export function rulesTold(one: TheirRequirement, at = ''): string[] {
  const place = `${at}${isNothing(one.name) ? '' : `//${one.name}`}`
  const own = Object.entries(one).flatMap(([name, value]) =>
    isNothing(value) ||
    WORDS.has(name) ||
    (JUDGED.has(name) && !(name === 'min_grade' && pointsOf(one.min_grade!) === null))
      ? []
      : [`${place}: ${name} ${JSON.stringify(value)}`],
  )
  return [...own, ...[...(one.req_list ?? []), ...(one.year_switch ?? [])].flatMap((part) => rulesTold(part, place))]
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
export interface Read {
  their: TheirRequirement
  /** Null: it is not shown by itself. */
  name: string | null
  path: string
  key: string
  min: number
  max: number | null
  /** Courses may count for several requirements at once. */
  double: boolean
  /** Lowest grade in points; 0: whatever grade, but one. Null: also without. */
  points: number | null
  firstCode: boolean
  parts: Read[] | null
}

const isNothing = (value: unknown): value is null | undefined | '' =>
  value === null || value === undefined || value === ''
export const prefixOf = (their: TheirProgramme): string =>
  `${their.type.slice(0, 12)}//${their.year}//${((their.type === 'Certificate' ? their.name : their.code) ?? '').slice(0, 100)}`

function readTree(
  their: TheirRequirement,
  at: { path: string; key: string; double: boolean; root: boolean; points: number | null; firstCode: boolean },
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
  // What is said of a requirement is said of all that is in it, until that says something else.
  const least = isNothing(their.min_grade) ? null : pointsOf(their.min_grade as number | string)
  const graded = their.pdfs_allowed === false || their.pdfs_allowed === 0
  const points = least ?? (graded ? Math.max(0, at.points ?? 0) : their.pdfs_allowed === undefined ? at.points : null)
  const firstCode = their.no_crosslist ?? at.firstCode
  let below = 0
  const parts =
    their.req_list?.map((part, i) => {
      const counts = part.num_courses !== undefined && part.completed_by_semester !== undefined && !part.req_list
      const step = !isNothing(part.name)
        ? part.name
        : counts
          ? `Complete ${part.num_courses} courses by Semester ${part.completed_by_semester}`
          : String(i).padStart(3, '0')
      const inside = readTree(part, {
        path: `${at.path}//${step}`,
        key: `${at.key}.${i}`,
        double,
        root: false,
        points,
        firstCode,
      })
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
      points,
      firstCode,
      parts,
    },
    below: max === null ? below : Math.min(max, below),
  }
}

/** Codes of a course, or of a line in a list: several where it is listed by several departments; without its title. */
export const codesOf = (text: string): string[] =>
  text
    .split(':')[0]!
    .split('/')
    .map((code) => code.replace(/\s+/g, '').toUpperCase())

/** A line of a list as patterns. A star stands after the department and up to three figures. */
export function patternsOf(text: string): string[] {
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
export const listed = (value: string | readonly string[] | null | undefined): readonly string[] =>
  typeof value === 'string' ? [value] : (value ?? [])

const exceptOf = (list: readonly string[], ids: readonly number[]): { except?: Selector[] } => {
  const except = [...selectorsOf(list), ...ids.map((course_id): Selector => ({ by: 'course', course_id }))]
  return except.length ? { except } : {}
}

/** @param excepted courses that a limit keeps out of a requirement, by its key */
function toTree(read: Read, tags: Tags, excepted: ReadonlyMap<string, readonly number[]>): Requirement {
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
      parts: read.parts.map((part) => toTree(part, tags, excepted)),
    }
  const courses = (from: Selector[]): Requirement => ({
    kind: 'courses',
    ...base,
    unit: 'courses',
    min: read.min,
    from,
    ...exceptOf(their.excluded_course_list ?? [], excepted.get(read.key) ?? []),
    ...(read.points !== null && { min_points: read.points }),
    ...(read.double && { sharing: true }),
  })
  if (their.course_list || their.dist_req !== undefined || their.dept_list !== undefined)
    return courses([
      ...selectorsOf(their.course_list ?? []),
      ...selectorsOf(listed(their.dept_list).map((department) => `${department} *`)),
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
export function readProgramme(
  programme: TheirProgramme,
  excepted: ReadonlyMap<string, readonly number[]> = new Map(),
): {
  read: Read
  tree: Requirement
  tags: Tags
  problems: string[]
  unreachable: string[]
  /** Rules that are not judged, by name. */
  told: string[]
} {
  const their = ofYear(programme, programme.year)
  const { read } = readTree(their, {
    path: prefixOf(their),
    key: 'r',
    double: false,
    root: true,
    points: null,
    firstCode: false,
  })
  const tags = new Tags()
  const tree = toTree(read, tags, excepted)
  const parsed = requirement.safeParse(tree)
  const known = {
    courses: new Map([...excepted.values()].flat().map((id) => [id, { code: `C${id}`, credit_hours: 300 }])),
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
    told: rulesTold(programme),
  }
}
