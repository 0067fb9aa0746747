/** People of a bundle, what they are, and the classes they are in. */
import type { Findings, BundleRows } from './rows.rules.ts'
import type { Structure, TaughtClass } from './structure.rules.ts'
import type { CsvFile, CsvRow, Enrollment, Teaching, User, UserId } from './bundle.rules.ts'

const ENROLLED_AS = ['administrator', 'proctor', 'student', 'teacher', 'aide']
const ROLES = [
  'aide',
  'counselor',
  'districtAdministrator',
  'guardian',
  'parent',
  'principal',
  'proctor',
  'relative',
  'siteAdministrator',
  'student',
  'systemAdministrator',
  'teacher',
]
const TEACHING = new Set(['teacher', 'aide'])
const FAMILY = new Set(['guardian', 'parent', 'relative'])
const EMAIL = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i

export interface Enrolled {
  readonly enrollments: readonly Enrollment[]
  readonly teachings: readonly Teaching[]
  /** What people are according to their classes. */
  readonly said: Roles
}
class Roles {
  private readonly of = new Map<string, Set<string>>()
  add(user: string, role: string): void {
    const roles = this.of.get(user)
    if (roles) roles.add(role)
    else this.of.set(user, new Set([role]))
  }
  get(user: string): ReadonlySet<string> {
    return this.of.get(user) ?? NONE
  }
}
const NONE: ReadonlySet<string> = new Set()

interface Taken {
  readonly line: number
  readonly begin: string | null
  readonly end: string | null
  readonly at: number
}

/** Who studies and teaches in which offering: every pair once. */
export function checkEnrollments(
  found: Findings,
  enrollments: BundleRows,
  classes: BundleRows,
  users: BundleRows,
  taught: ReadonlyMap<string, readonly TaughtClass[]>,
): Enrolled {
  const file = 'enrollments'
  const said = new Roles()
  const students: (Enrollment | null)[] = []
  const team = new Map<string, { teaching: Teaching; row: CsvRow }>()
  const lines = new Map<string, number>()
  const courses = new Map<string, Taken>()
  for (const row of enrollments.live.values()) {
    found.oneOf(file, row, 'role', ENROLLED_AS)
    const { classSourcedId = '', userSourcedId = '', role = '', sourcedId = '' } = row.cells
    const inClass = found.refer(file, row, 'classSourcedId', classes)
    const person = found.refer(file, row, 'userSourcedId', users)
    const [begin, end] = [found.date(file, row, 'beginDate'), found.date(file, row, 'endDate')]
    if (begin && end && begin > end) found.error(file, row, 'endDate', 'roster_dates_out_of_order')
    const offerings = taught.get(classSourcedId)
    if (inClass === 'gone' || person === 'gone' || (inClass && !offerings)) {
      const behind = person === 'gone' ? 'users.csv' : inClass === 'gone' ? 'classes.csv' : 'courses.csv'
      found.note(file, row, person === 'gone' ? 'userSourcedId' : 'classSourcedId', 'roster_behind_removed', {
        file: behind,
      })
      continue
    }
    said.add(userSourcedId, role)
    if (!offerings || !person) continue
    const within = offerings.filter(
      ({ term }) => offerings.length === 1 || ((begin ?? '') <= term.end_date && (end ?? '9999') >= term.start_date),
    )
    for (const [i, offering] of (within.length ? within : offerings).entries()) {
      const key = `${offering.external_id} ${userSourcedId}`
      const enrolled = {
        external_id: i ? `${sourcedId}#${offering.term.external_id}` : sourcedId,
        line: row.line,
        class: offering.external_id,
        user: userSourcedId as UserId,
      }
      if (role !== 'student') {
        if (!TEACHING.has(role)) continue
        const earlier = team.get(key)
        if (earlier) found.note(file, row, 'userSourcedId', 'roster_enrollment_merged', { line: earlier.row.line })
        else team.set(key, { row, teaching: { ...enrolled, role: role === 'aide' ? 'assistant' : 'instructor' } })
        continue
      }
      const line = lines.get(key)
      if (line !== undefined) {
        found.note(file, row, 'userSourcedId', 'roster_enrollment_merged', { line })
        continue
      }
      const course = `${userSourcedId} ${offering.course} ${offering.term.external_id}`
      const other = courses.get(course)
      if (other) {
        const later = other.end !== null && begin !== null && other.end < begin
        const earlier = other.begin !== null && end !== null && end < other.begin
        if (!later && !earlier) {
          found.error(file, row, 'classSourcedId', 'roster_course_twice_in_term', { line: other.line })
          continue
        }
        found.note(file, row, 'classSourcedId', 'roster_later_class_taken', { line: other.line })
        if (earlier) continue
        students[other.at] = null
      }
      lines.set(key, row.line)
      courses.set(course, { line: row.line, begin, end, at: students.length })
      students.push(enrolled)
    }
  }
  const teachings = [...team.values()].filter(({ teaching, row }) => {
    const both = lines.has(`${teaching.class} ${teaching.user}`)
    if (both) found.note(file, row, 'role', 'roster_learns_and_teaches')
    return !both
  })
  return {
    enrollments: students.filter((one) => one !== null),
    teachings: teachings.map(({ teaching }) => teaching),
    said,
  }
}

/** What `roles.csv` says of people: all their roles, and the one that is first. */
export function checkRoles(
  found: Findings,
  roles: CsvFile | undefined,
  users: BundleRows,
  said: Roles,
): Map<string, string> {
  const first = new Map<string, string>()
  for (const row of roles?.rows ?? []) {
    const { userSourcedId = '', role = '', roleType = '', status = '' } = row.cells
    if (status === 'tobedeleted' || status === 'inactive' || users.removed.has(userSourcedId)) continue
    if (!users.live.has(userSourcedId))
      found.error('roles', row, 'userSourcedId', 'roster_reference_missing', { file: 'users.csv' })
    found.oneOf('roles', row, 'role', ROLES)
    said.add(userSourcedId, role)
    if (roleType === 'primary') first.set(userSourcedId, role)
  }
  return first
}

export function checkUsers(
  found: Findings,
  users: BundleRows,
  orgs: BundleRows,
  { place }: Structure,
  said: Roles,
  first: ReadonlyMap<string, string>,
): User[] {
  const codes = new Map<string, number>()
  const emails = new Map<string, number>()
  const out: User[] = []
  for (const row of users.live.values()) {
    const { cells } = row
    const id = cells.sourcedId as UserId
    found.refer('users', row, 'primaryOrgSourcedId', orgs)
    const codeColumn = cells.identifier ? 'identifier' : 'username'
    const code = found.code('users', row, ['identifier', 'username', 'sourcedId'])
    if (code) found.unique('users', codeColumn, codes, row, code)
    const email = cells.email?.toLowerCase() || null
    if (email && !EMAIL.test(email)) found.error('users', row, 'email', 'roster_email_not_valid')
    else if (email) found.unique('users', 'email', emails, row, email)
    const enabled = (cells.enabledUser ?? '').toLowerCase()
    if (enabled && enabled !== 'true' && enabled !== 'false')
      found.error('users', row, 'enabledUser', 'roster_value_not_known', {
        value: cells.enabledUser!,
        values: 'true, false',
      })
    if (enabled === 'false') found.note('users', row, 'enabledUser', 'roster_account_blocked')
    const roles = said.get(id)
    const unsaid = roles.size === 0
    const student = unsaid || roles.has('student')
    const instructor = roles.has('teacher') || roles.has('aide')
    if (!student && !instructor) {
      const role = [...roles][0] ?? ''
      if ([...roles].every((one) => FAMILY.has(one))) {
        found.note('users', row, null, 'roster_no_part', { role })
        continue
      }
      found.note('users', row, null, 'roster_staff_without_rights')
    }
    const main = first.get(id)
    const teachesFirst = main === 'teacher' || main === 'aide'
    out.push({
      external_id: id,
      line: row.line,
      code,
      name: [cells.givenName, cells.middleName, cells.familyName].filter(Boolean).join(' '),
      email,
      ...place(cells.primaryOrgSourcedId ?? ''),
      enabled: enabled !== 'false',
      student,
      instructor,
      unsaid,
      type: student && !(instructor && teachesFirst) ? 3 : instructor ? 1 : 2,
    })
  }
  return out
}
