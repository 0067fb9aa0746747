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
  expect('oneroster.version', '1.2', 'roster_version_not_supported')
  for (const name of FILE_NAMES) {
    const property = `file.${name}`
    const mode = value(property)
    if (manifest && mode !== 'bulk')
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
  const files = corrected(given, corrections)
  const found = new Findings(limit)
  const source = checkManifest(found, files)
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
