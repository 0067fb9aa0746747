/** The check of a whole OneRoster bundle: every file, every row, every cell, every reference. Pure. */
import { Findings } from './bundle/rows.rules.ts'
import { checkClasses, checkCourses, checkOrgs, checkSessions } from './bundle/structure.rules.ts'
import { checkEnrollments, checkRoles, checkUsers } from './bundle/people.rules.ts'
import { FILE_NAMES } from './bundle/bundle.rules.ts'
import type { Checked, Class, Correction, CsvFile, FileName } from './bundle/bundle.rules.ts'

type Files = Readonly<Record<string, CsvFile | undefined>>

/** The files with cells corrected and rows left out. */
export function corrected(files: Files, corrections: readonly Correction[]): Files {
  if (!corrections.length) return files
  const out: Record<string, CsvFile | undefined> = { ...files }
  for (const [name, file] of Object.entries(files)) {
    const own = corrections.filter((correction) => correction.file === `${name}.csv`)
    if (!file || !own.length) continue
    out[name] = {
      columns: file.columns,
      rows: file.rows.flatMap((row) => {
        const here = own.filter((one) => one.line === row.line)
        if (!here.length) return [row]
        if (here.some((one) => one.column === null)) return []
        return [
          {
            line: row.line,
            cells: { ...row.cells, ...Object.fromEntries(here.map((one) => [one.column, one.value.trim()])) },
          },
        ]
      }),
    }
  }
  return out
}

const VERSIONS = ['1.1', '1.2']
const isOfVersion11 = ({ manifest }: Files): boolean =>
  manifest?.rows.some(({ cells }) => cells.propertyName === 'oneroster.version' && cells.value === '1.1') ?? false
/** Roles of OneRoster 1.1, by those of 1.2. */
const ROLES_OF_11: Readonly<Record<string, string>> = {
  administrator: 'siteAdministrator',
  aide: 'aide',
  guardian: 'guardian',
  parent: 'parent',
  proctor: 'proctor',
  relative: 'relative',
  student: 'student',
  teacher: 'teacher',
}
/** Version 1.1 in the words of 1.2: the first org of a user is the primary one, and the role stands in a file of its own. */
function asVersion12(found: Findings, files: Files): Files {
  if (!files.users) return files
  const roles: CsvFile['rows'][number][] = []
  const rows = files.users.rows.map((row) => {
    const { sourcedId = '', status = '', role = '', orgSourcedIds = '' } = row.cells
    const known = ROLES_OF_11[role]
    if (role && known === undefined)
      found.error('users', row, 'role', 'roster_value_not_known', {
        value: role,
        values: Object.keys(ROLES_OF_11).join(', '),
      })
    else if (known !== undefined && sourcedId)
      roles.push({ line: row.line, cells: { userSourcedId: sourcedId, status, roleType: 'primary', role: known } })
    return {
      line: row.line,
      cells: {
        ...row.cells,
        primaryOrgSourcedId: row.cells.primaryOrgSourcedId || orgSourcedIds.split(',')[0]!.trim(),
      },
    }
  })
  return {
    ...files,
    users: { columns: files.users.columns, rows },
    roles: { columns: ['userSourcedId', 'status', 'roleType', 'role'], rows: roles },
  }
}

function checkManifest(found: Findings, files: Files): string {
  const { manifest } = files
  if (!manifest) found.error('manifest', null, null, 'roster_file_missing', { file: 'manifest.csv' })
  const properties = new Map(manifest?.rows.map((row) => [row.cells.propertyName ?? '', row]))
  const seen = new Map<string, number>()
  for (const row of manifest?.rows ?? []) {
    const property = row.cells.propertyName ?? ''
    const line = seen.get(property)
    if (line !== undefined) found.error('manifest', row, 'propertyName', 'roster_property_twice', { property, line })
    seen.set(property, row.line)
  }
  const value = (property: string) => properties.get(property)?.cells.value ?? ''
  const expect = (
    property: string,
    wanted: string,
    code: 'roster_version_not_supported' | 'roster_manifest_not_supported',
  ) => {
    if (manifest && value(property) !== wanted)
      found.error('manifest', properties.get(property) ?? null, 'value', code, { version: value(property) || property })
  }
  expect('manifest.version', '1.0', 'roster_manifest_not_supported')
  if (manifest && !VERSIONS.includes(value('oneroster.version')))
    found.error('manifest', properties.get('oneroster.version') ?? null, 'value', 'roster_version_not_supported', {
      version: value('oneroster.version') || 'oneroster.version',
    })
  for (const name of FILE_NAMES) {
    const property = `file.${name}`
    const mode = value(property)
    // A file that the manifest does not promise and that is not there is told once.
    const absent = !files[name] && (mode === '' || mode === 'absent')
    if (manifest && mode !== 'bulk' && !absent)
      found.error('manifest', properties.get(property) ?? null, 'value', 'roster_file_not_bulk', {
        mode: mode || 'absent',
      })
    if (!files[name]) found.error(name, null, null, 'roster_file_missing', { file: `${name}.csv` })
  }
  if (value('file.roles') === 'bulk' && !files.roles)
    found.error('roles', null, null, 'roster_file_missing', { file: 'roles.csv' })
  return value('source.systemCode') || 'oneroster'
}

/**
 * Checks a whole bundle. Answers the bundle when there is no error, else the errors (at most `limit`, in the order of
 * files and lines), and in both cases what was understood in a certain way.
 */
export function checkBundle(given: Files, corrections: readonly Correction[] = [], limit = 1000): Checked {
  const fixed = corrected(given, corrections)
  const found = new Findings(limit)
  const source = checkManifest(found, fixed)
  const files = isOfVersion11(fixed) ? asVersion12(found, fixed) : fixed
  const answer = (bundle: Checked['bundle']): Checked => {
    found.sort()
    const { errors, error_count, notes, note_count } = found
    return { source, bundle: error_count ? null : bundle, errors, error_count, notes, note_count }
  }
  if (found.error_count) return answer(null)

  const take = (name: FileName) => found.take(name, files[name]!)
  const [orgs, sessions, courseRows, classRows] = [
    take('orgs'),
    take('academicSessions'),
    take('courses'),
    take('classes'),
  ]
  const [userRows, enrollmentRows] = [take('users'), take('enrollments')]
  const named = new Set<string>()
  for (const row of courseRows.live.values()) named.add(row.cells.orgSourcedId ?? '')
  for (const row of classRows.live.values()) named.add(row.cells.schoolSourcedId ?? '')
  for (const row of userRows.live.values()) named.add(row.cells.primaryOrgSourcedId ?? '')
  const structure = checkOrgs(found, orgs, named)
  const calendar = checkSessions(found, sessions)
  const courses = checkCourses(found, courseRows, orgs, structure)
  const taught = checkClasses(found, classRows, { courses: courseRows, orgs, structure, calendar })
  const { enrollments, teachings, said } = checkEnrollments(found, enrollmentRows, classRows, userRows, taught)
  const first = checkRoles(found, files.roles, userRows, said)
  const users = checkUsers(found, userRows, orgs, structure, said, first)

  const students = new Map<string, number>()
  for (const enrollment of enrollments) students.set(enrollment.class, (students.get(enrollment.class) ?? 0) + 1)
  const classes = [...taught.values()].flat().map(({ term, ...one }): Class => ({
    ...one,
    term: term.external_id,
    students: students.get(one.external_id) ?? 0,
  }))
  return answer({
    faculties: structure.faculties,
    departments: structure.departments,
    years: calendar.years,
    terms: calendar.terms,
    courses,
    classes,
    users,
    enrollments,
    teachings,
  })
}
