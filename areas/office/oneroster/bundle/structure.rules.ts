/** Organisations, years and terms, courses and classes of a bundle. */
import { cleanCode, codeFromName, upwards } from './rows.rules.ts'
import type { Findings, BundleRows } from './rows.rules.ts'
import type {
  ClassId,
  Course,
  CourseId,
  CsvRow,
  Department,
  Faculty,
  OrgId,
  PlacedRow,
  Term,
  TermId,
  BundleTermType,
  Year,
  YearId,
} from './bundle.rules.ts'

const ORG_TYPES = ['department', 'school', 'district', 'local', 'state', 'national']
const SESSION_TYPES = ['gradingPeriod', 'semester', 'schoolYear', 'term']

/** Kind of term from its title, else from the month it begins in: September to December fall, June to August summer. */
export function termType(startDate: string, title: string): BundleTermType {
  if (/summer|صيف/i.test(title)) return 'summer'
  if (/fall|autumn|خريف/i.test(title)) return 'fall'
  if (/spring|ربيع/i.test(title)) return 'spring'
  const month = Number(startDate.slice(5, 7))
  return month >= 9 ? 'fall' : month >= 6 && month <= 8 ? 'summer' : 'spring'
}

export interface Structure {
  readonly faculties: readonly Faculty[]
  readonly departments: readonly Department[]
  place(org: string): PlacedRow
}

/**
 * Schools, and what else courses, classes or people name, are faculties; departments belong to the faculty above them.
 * @param named every organisation that something belongs to
 */
export function checkOrgs(found: Findings, orgs: BundleRows, named: ReadonlySet<string>): Structure {
  for (const row of orgs.live.values()) {
    found.oneOf('orgs', row, 'type', ORG_TYPES)
    found.refer('orgs', row, 'parentSourcedId', orgs)
  }
  found.circles('orgs', orgs)
  const all = [...orgs.live.values()]
  const type = (row: CsvRow) => row.cells.type
  const facultyRows = new Set(
    all.filter((r) => type(r) === 'school' || (type(r) !== 'department' && named.has(r.cells.sourcedId!))),
  )
  // Departments alone: what stands above them is their faculty, else the first of them.
  const first = all.find((r) => type(r) !== 'department') ?? all[0]
  if (!facultyRows.size && first) facultyRows.add(first)

  const codes = { faculty: new Map<string, number>(), department: new Map<string, number>() }
  const codeOf = (row: CsvRow, seen: Map<string, number>): string => {
    if (row.cells.identifier) {
      const code = found.code('orgs', row, ['identifier'])
      if (code) found.unique('orgs', 'identifier', seen, row, code)
      return code
    }
    const made = cleanCode(codeFromName(row.cells.name ?? '')) || 'ORG'
    let code = made
    for (let n = 2; seen.has(code.toLowerCase()); n++) code = `${made}-${n}`
    seen.set(code.toLowerCase(), row.line)
    found.note('orgs', row, 'identifier', 'roster_code_made', { code })
    return code
  }
  const shown = (row: CsvRow, seen: Map<string, number>) => ({
    external_id: row.cells.sourcedId as OrgId,
    line: row.line,
    code: codeOf(row, seen),
    made: !row.cells.identifier,
    name: row.cells.name!,
  })
  // Codes that are given come before those that are made.
  const given = (a: CsvRow, b: CsvRow) => Number(!a.cells.identifier) - Number(!b.cells.identifier)
  const faculties = [...facultyRows].toSorted(given).map((row) => shown(row, codes.faculty))
  const top = faculties.toSorted((a, b) => a.line - b.line)[0]?.external_id ?? ('' as OrgId)
  const facultyOf = (org: string): OrgId => {
    for (const row of upwards(orgs, org)) if (facultyRows.has(row)) return row.cells.sourcedId as OrgId
    return top
  }
  const departmentRows = all.filter((row) => type(row) === 'department' && !facultyRows.has(row)).toSorted(given)
  const departments = departmentRows.map((row) => ({
    ...shown(row, codes.department),
    faculty: facultyOf(row.cells.sourcedId!),
  }))
  const isDepartment = new Set(departmentRows.map((row) => row.cells.sourcedId!))
  return {
    faculties,
    departments,
    place: (org) => ({ faculty: facultyOf(org), department: isDepartment.has(org) ? (org as OrgId) : null }),
  }
}

interface Calendar {
  readonly years: readonly Year[]
  readonly terms: readonly Term[]
  /** Terms in which a class is taught, by what its row names; the first to begin comes first. */
  termsOf(row: CsvRow): readonly Term[]
}

export function checkSessions(found: Findings, sessions: BundleRows): Calendar {
  const file = 'academicSessions'
  for (const row of sessions.live.values()) {
    found.oneOf(file, row, 'type', SESSION_TYPES)
    found.refer(file, row, 'parentSourcedId', sessions)
    const [start, end] = [found.date(file, row, 'startDate'), found.date(file, row, 'endDate')]
    if (start && end && start >= end) found.error(file, row, 'endDate', 'roster_dates_out_of_order')
  }
  found.circles(file, sessions)
  const all = [...sessions.live.values()]
  const codes = { year: new Map<string, number>(), term: new Map<string, number>() }
  const session = (row: CsvRow) => ({
    line: row.line,
    name: row.cells.title!,
    start_date: row.cells.startDate!,
    end_date: row.cells.endDate!,
  })
  const years: Year[] = all
    .filter((row) => row.cells.type === 'schoolYear')
    .map((row) => {
      const code = found.code(file, row, ['title'])
      if (code) found.unique(file, 'title', codes.year, row, code)
      return { ...session(row), external_id: row.cells.sourcedId as YearId, code }
    })
  const yearById = new Map(years.map((year) => [year.external_id as string, year]))
  const loose = new Map<string, { -readonly [K in keyof Year]: Year[K] }>()
  /** A term outside every school year gets the one it lies in, else a year of its own made of its `schoolYear`. */
  const yearOf = (row: CsvRow): YearId => {
    const { startDate = '', endDate = '', schoolYear = '' } = row.cells
    for (const above of upwards(sessions, row.cells.sourcedId!)) {
      const year = yearById.get(above.cells.sourcedId!)
      if (!year) continue
      const data = { from: year.start_date, to: year.end_date }
      if (startDate < year.start_date) found.error(file, row, 'startDate', 'roster_term_outside_year', data)
      else if (endDate > year.end_date) found.error(file, row, 'endDate', 'roster_term_outside_year', data)
      return year.external_id
    }
    const around = years.find((y) => y.start_date <= startDate && endDate <= y.end_date)
    if (around) return around.external_id
    const external_id = `schoolYear:${schoolYear}` as YearId
    const known = loose.get(external_id)
    if (known) {
      if (startDate < known.start_date) known.start_date = startDate
      if (endDate > known.end_date) known.end_date = endDate
      return external_id
    }
    const code = found.code(file, row, ['schoolYear'])
    if (code) found.unique(file, 'schoolYear', codes.year, row, code)
    loose.set(external_id, {
      external_id,
      line: row.line,
      code,
      name: schoolYear,
      start_date: startDate,
      end_date: endDate,
    })
    return external_id
  }
  const termRows = all.filter((row) => row.cells.type === 'term' || row.cells.type === 'semester')
  const titles = new Map<string, number>()
  for (const row of termRows) {
    const title = cleanCode(row.cells.title ?? '').toLowerCase()
    titles.set(title, (titles.get(title) ?? 0) + 1)
  }
  const terms = termRows.map((row): Term => {
    const plain = found.code(file, row, ['title'])
    // "Fall" of every year: the year tells them apart.
    const code = titles.get(plain.toLowerCase()) === 1 ? plain : cleanCode(`${row.cells.title}-${row.cells.schoolYear}`)
    if (code) found.unique(file, 'title', codes.term, row, code)
    return {
      ...session(row),
      external_id: row.cells.sourcedId as TermId,
      code,
      year: yearOf(row),
      term_type: termType(row.cells.startDate ?? '', row.cells.title ?? ''),
    }
  })
  const termById = new Map(terms.map((term) => [term.external_id as string, term]))

  const behind = (row: CsvRow, id: string): readonly Term[] => {
    const named = sessions.live.get(id)!
    const own = termById.get(id)
    if (own) return [own]
    if (named.cells.type === 'schoolYear') return terms.filter((term) => (term.year as string) === id)
    for (const above of upwards(sessions, id)) {
      const term = termById.get(above.cells.sourcedId!)
      if (term) {
        found.note('classes', row, 'termSourcedIds', 'roster_period_as_term', { term: term.name })
        return [term]
      }
    }
    const day = named.cells.startDate ?? ''
    const around = terms.find((term) => term.start_date <= day && day <= term.end_date)
    if (around) found.note('classes', row, 'termSourcedIds', 'roster_period_as_term', { term: around.name })
    return around ? [around] : []
  }
  return {
    years: [...years, ...loose.values()],
    terms,
    termsOf(row) {
      const ids = (row.cells.termSourcedIds ?? '')
        .split(',')
        .map((id) => id.trim())
        .filter(Boolean)
      const chosen = new Set<Term>()
      for (const id of ids) {
        if (found.refer('classes', row, 'termSourcedIds', sessions, id) !== true) continue
        const terms = behind(row, id)
        if (!terms.length) found.error('classes', row, 'termSourcedIds', 'roster_term_needed')
        for (const term of terms) chosen.add(term)
      }
      // A semester beside its own terms says nothing more than they do.
      const above = new Set<string>()
      for (const { external_id } of chosen)
        for (const row of upwards(sessions, external_id))
          if (row.cells.sourcedId !== external_id) above.add(row.cells.sourcedId!)
      return [...chosen]
        .filter((term) => !above.has(term.external_id))
        .toSorted((a, b) => a.start_date.localeCompare(b.start_date))
    },
  }
}

export function checkCourses(found: Findings, courses: BundleRows, orgs: BundleRows, { place }: Structure): Course[] {
  const codes = new Map<string, number>()
  return [...courses.live.values()].map((row): Course => {
    found.refer('courses', row, 'orgSourcedId', orgs)
    const code = found.code('courses', row, ['courseCode', 'sourcedId'])
    if (code) found.unique('courses', 'courseCode', codes, row, code)
    return {
      external_id: row.cells.sourcedId as CourseId,
      line: row.line,
      code,
      name: row.cells.title!,
      ...place(row.cells.orgSourcedId ?? ''),
    }
  })
}

/** A class in one of its terms. */
export interface TaughtClass extends PlacedRow {
  readonly external_id: ClassId
  readonly line: number
  readonly code: string
  readonly course: CourseId
  readonly term: Term
}

/** Offerings of each class, by its sourcedId: one in each of its terms. */
export function checkClasses(
  found: Findings,
  classes: BundleRows,
  {
    courses,
    orgs,
    structure,
    calendar,
  }: { courses: BundleRows; orgs: BundleRows; structure: Structure; calendar: Calendar },
): Map<string, readonly TaughtClass[]> {
  const codes = new Map<string, number>()
  const taught = new Map<string, readonly TaughtClass[]>()
  for (const row of classes.live.values()) {
    found.refer('classes', row, 'schoolSourcedId', orgs)
    const known = found.refer('classes', row, 'courseSourcedId', courses)
    if (known === 'gone') {
      found.note('classes', row, 'courseSourcedId', 'roster_behind_removed', { file: 'courses.csv' })
      continue
    }
    const id = row.cells.sourcedId!
    const code = found.code('classes', row, ['classCode', 'sourcedId'])
    const course = row.cells.courseSourcedId as CourseId
    const terms = calendar.termsOf(row)
    if (terms.length > 1) found.note('classes', row, 'termSourcedIds', 'roster_class_split', { count: terms.length })
    for (const term of terms)
      found.unique('classes', 'classCode', codes, row, `${term.external_id}/${course}/${code}`, code)
    taught.set(
      id,
      terms.map((term, i) => ({
        external_id: (i ? `${id}#${term.external_id}` : id) as ClassId,
        line: row.line,
        code,
        course,
        term,
        ...structure.place(row.cells.schoolSourcedId ?? ''),
      })),
    )
  }
  return taught
}
