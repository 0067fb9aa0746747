import { zipSync } from 'fflate'
import { expect, test, vi } from 'vitest'
import { sampleBundle, sampleBytes } from '../sample.server.ts'
import { readBundle } from './bundle.server.ts'
import { readFiles } from './read.server.ts'

test('parents in a circle of any length are told, and the program goes on meanwhile', async () => {
  const files = sampleBundle({ students: 5, courses: 2, load: 1 })
  const rows = Array.from(
    { length: 3000 },
    (_, n) => `ring-${n},active,,Ring ${n},department,,ring-${(n + 1) % 3000}\r\n`,
  )
  const circle = { ...files, orgs: files.orgs + rows.join('') }
  let ticks = 0
  const timer = setInterval(() => ticks++, 10)
  const { error_count, errors } = await readBundle({ files: sampleBytes(circle) })
  clearInterval(timer)
  expect(error_count).toBe(3000)
  expect(errors[0]).toMatchObject({
    file: 'orgs.csv',
    line: 5,
    column: 'parentSourcedId',
    code: 'roster_parent_circle',
  })
  expect(ticks).toBeGreaterThan(5)
})
test('what is no ZIP, and one that is broken, is refused by its code', async () => {
  await expect(readBundle({ zip: new TextEncoder().encode('not a zip') })).rejects.toMatchObject({
    status: 422,
    reasons: [{ code: 'bundle_not_readable' }],
  })
  // It is the directory that says how much a ZIP unpacks to.
  const large = Buffer.from(zipSync({ 'users.csv': Buffer.from('a,b') }))
  large.writeUInt32LE(600_000_000, large.lastIndexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24)
  await expect(readBundle({ zip: large })).rejects.toMatchObject({
    status: 422,
    reasons: [{ code: 'bundle_too_large', data: { max: 512 } }],
  })
})

test('one that takes longer than there is time is refused, and the next one is read', async () => {
  const files = sampleBytes(sampleBundle({ students: 2, courses: 1, load: 1 }))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const late = readBundle({ files }).catch((error: unknown) => error)
    vi.advanceTimersByTime(120_000)
    expect(await late).toMatchObject({ status: 422, reasons: [{ code: 'roster_too_large', field: 'file' }] })
  } finally {
    vi.useRealTimers()
  }
  expect((await readBundle({ files })).errors).toEqual([])
})

type Files = Record<'manifest' | 'orgs' | 'academicSessions' | 'courses' | 'classes' | 'users' | 'enrollments', string>
const USER = (id: string) =>
  `${id},active,2026-06-01T00:00:00.000Z,true,${id},,Name,Family,,C-${id},${id}@sample.example.edu,,,,,,,,,,,org-1,\r\n`
const ENROLLED = (id: string, user: string, role: string, at = 'class-0', from = '', to = '') =>
  `${id},active,2026-06-01T00:00:00.000Z,${at},org-1,${user},${role},,${from},${to}\r\n`
const ROLES = (...rows: string[]) =>
  ['sourcedId,status,dateLastModified,userSourcedId,roleType,role,beginDate,endDate,orgSourcedId,userProfileSourcedId']
    .concat(rows)
    .join('\r\n')
const CLASS = 'class-1,active,2026-06-01T00:00:00.000Z,Class 1,,course-0,S0-2,scheduled,,org-1,term-1,,,\r\n'

test.each<[code: string, where: string, change: (files: Files) => Record<string, string>]>([
  ['roster_property_twice', 'manifest.csv', (f) => ({ manifest: `${f.manifest}source.systemCode,again\r\n` })],
  ['roster_email_not_valid', 'users.csv 2 email', (f) => ({ users: f.users.replace('s0@sample.example.edu', 's0@') })],
  [
    'roster_cell_too_long',
    'courses.csv 2 title',
    (f) => ({ courses: f.courses.replace('Course 0, part one', 'x'.repeat(201)) }),
  ],
  ['roster_id_not_valid', 'users.csv 5 sourcedId', (f) => ({ users: f.users + USER('no id') })],
  [
    'roster_term_needed',
    'classes.csv 2 termSourcedIds',
    (f) => ({
      academicSessions: `${f.academicSessions}year-2,active,,2027/2028,schoolYear,2027-09-01,2028-08-31,,2028\r\n`,
      classes: f.classes.replace('term-1', 'year-2'),
    }),
  ],
  [
    'roster_row_removed',
    'enrollments.csv 2 status',
    (f) => ({ enrollments: f.enrollments.replace('enr-0-0,active', 'enr-0-0,tobedeleted') }),
  ],
  [
    'roster_behind_removed',
    'classes.csv 2 courseSourcedId',
    (f) => ({ courses: f.courses.replace('course-0,active', 'course-0,inactive') }),
  ],
  [
    'roster_period_as_term',
    'classes.csv 2 termSourcedIds',
    (f) => ({
      academicSessions: `${f.academicSessions}period-1,active,,Weeks,gradingPeriod,2026-09-12,2026-10-20,term-1,2027\r\n`,
      classes: f.classes.replace('term-1', 'period-1'),
    }),
  ],
  [
    'roster_enrollment_merged',
    'enrollments.csv 5 userSourcedId',
    (f) => ({ enrollments: f.enrollments + ENROLLED('again', 'student-0', 'student') }),
  ],
  [
    'roster_course_twice_in_term',
    'enrollments.csv 5 classSourcedId',
    (f) => ({
      classes: f.classes + CLASS,
      enrollments: f.enrollments + ENROLLED('second', 'student-0', 'student', 'class-1'),
    }),
  ],
  [
    'roster_later_class_taken',
    'enrollments.csv 5 classSourcedId',
    (f) => ({
      classes: f.classes + CLASS,
      enrollments:
        f.enrollments.replace('2026-09-12,2027-01-20', '2026-09-12,2026-10-01') +
        ENROLLED('second', 'student-0', 'student', 'class-1', '2026-10-02', '2027-01-20'),
    }),
  ],
  [
    'roster_learns_and_teaches',
    'enrollments.csv 5 role',
    (f) => ({ enrollments: f.enrollments + ENROLLED('both', 'student-0', 'teacher') }),
  ],
  ['roster_code_made', 'orgs.csv 4 identifier', (f) => ({ orgs: f.orgs.replace('department,MATH', 'department,') })],
  ['roster_account_blocked', 'users.csv 2 enabledUser', (f) => ({ users: f.users.replace('Z,true,u0', 'Z,false,u0') })],
  [
    'roster_staff_without_rights',
    'users.csv 5 null',
    (f) => ({ users: f.users + USER('clerk'), enrollments: f.enrollments + ENROLLED('c', 'clerk', 'administrator') }),
  ],
  [
    'roster_no_part',
    'users.csv 5 null',
    (f) => ({
      manifest: f.manifest.replace('file.roles,absent', 'file.roles,bulk'),
      users: f.users + USER('mother'),
      roles: ROLES('r1,active,,mother,primary,parent,,,org-1,'),
    }),
  ],
])('%s is told where it stands', (code, where, change) => {
  const files = sampleBundle({ students: 2, courses: 1, load: 1 })
  const whole = readFiles(sampleBytes(files))
  expect([...whole.errors, ...whole.notes].map((one) => one.code)).not.toContain(code)
  const { errors, notes } = readFiles(sampleBytes({ ...files, ...change(files as Files) }))
  const told = [...errors, ...notes].map((one) => `${one.code} ${one.file} ${one.line} ${one.column}`)
  expect(told.filter((one) => one.startsWith(`${code} ${where}`))).toHaveLength(1)
})

/** Cells of a text without quotation marks, and back. */
const cellsOf = (text: string) =>
  text
    .trim()
    .split('\r\n')
    .map((row) => row.split(','))
const textOf = (rows: readonly (readonly string[])[]) => `${rows.map((row) => row.join(',')).join('\r\n')}\r\n`

test.each<[what: string, told: string[], change: (files: Files) => Record<string, string>]>([
  [
    'columns in capitals',
    ['orgs.csv 1 SOURCEDID roster_column_written', 'orgs.csv 1 Name roster_column_written'],
    (f) => ({ orgs: f.orgs.replace('sourcedId,', 'SOURCEDID,').replace(',name,', ',Name,') }),
  ],
  [
    'semicolons',
    ['enrollments.csv 1 null roster_delimiter'],
    (f) => ({ enrollments: f.enrollments.replaceAll(',', ';') }),
  ],
  ['tabs', ['courses.csv 1 null roster_delimiter'], (f) => ({ courses: f.courses.replaceAll(',', '\t') })],
  ['an empty file', ['users.csv null null roster_file_empty'], () => ({ users: '' })],
  [
    'a missing column',
    ['users.csv 1 username roster_column_missing'],
    (f) => ({ users: f.users.replace('username', 'login') }),
  ],
  [
    'a manifest without its columns',
    ['manifest.csv 1 propertyName roster_column_missing', 'manifest.csv 1 value roster_column_missing'],
    (f) => ({ manifest: f.manifest.replace('propertyName,value', 'a,b') }),
  ],
])('%s stop at the heading, and nothing false is told behind it', (_what, told, change) => {
  const files = sampleBundle({ students: 40, courses: 4, load: 2 })
  const { errors, error_count } = readFiles(sampleBytes({ ...files, ...change(files as Files) }))
  expect(errors.map((one) => `${one.file} ${one.line} ${one.column} ${one.code}`)).toEqual(told)
  expect(error_count).toBe(told.length)
})

test('columns without a name at the end of a heading are nothing; more cells than columns are told', async () => {
  const files = sampleBundle({ students: 3, courses: 1, load: 1 }) as Files
  const whole = readFiles(sampleBytes(files))
  const [head = '', ...rows] = files.orgs.trimEnd().split('\r\n')
  const trailing = (heading: string, row: string) => [head + heading, ...rows.map((one) => one + row)].join('\r\n')
  for (const orgs of [trailing(',,', ''), trailing(',,', ',,'), trailing('', ',,'), trailing(',,', ',')])
    expect(readFiles(sampleBytes({ ...files, orgs }))).toEqual(whole)
  const { errors } = readFiles(sampleBytes({ ...files, orgs: trailing('', ',x') }))
  expect(errors.map((one) => `${one.line} ${one.code}`)).toEqual([2, 3, 4].map((line) => `${line} roster_csv_broken`))
})

test('a file that is absent by the manifest and not there is told once', async () => {
  const { courses: _, ...files } = sampleBundle({ students: 2, courses: 1, load: 1 }) as Files
  const manifest = files.manifest.replace('file.courses,bulk', 'file.courses,absent')
  const { errors } = readFiles(sampleBytes({ ...files, manifest }))
  expect(errors.map((one) => `${one.file} ${one.code}`)).toEqual(['courses.csv roster_file_missing'])
  const delta = files.manifest.replace('file.users,bulk', 'file.users,delta')
  const told = readFiles(sampleBytes({ ...files, courses: 'x', manifest: delta }))
  expect(told.errors.map((one) => one.code)).not.toContain('roster_file_missing')
})

test('version 1.1 comes to the same: a user has a role and orgs of its own, and there is no file of roles', async () => {
  const files = sampleBundle({ students: 6, courses: 3, load: 2 }) as Files
  const manifest = files.manifest
    .replace('oneroster.version,1.2', 'oneroster.version,1.1')
    .replace('file.roles,absent\r\n', '')
  const [head = [], ...rows] = cellsOf(files.users)
  const at = (name: string) => head.indexOf(name)
  const users = textOf([
    [
      'sourcedId',
      'status',
      'dateLastModified',
      'enabledUser',
      'orgSourcedIds',
      'role',
      'username',
      'userIds',
      'givenName',
      'familyName',
      'middleName',
      'identifier',
      'email',
      'sms',
      'phone',
      'agentSourcedIds',
      'grades',
      'password',
    ],
    ...rows.map((row) => {
      const cell = (name: string) => row[at(name)]!
      const org = cell('primaryOrgSourcedId')
      return [
        ...['sourcedId', 'status', 'dateLastModified', 'enabledUser'].map(cell),
        cell('sourcedId') === 'student-0' ? `"${org},org-0"` : org,
        cell('sourcedId').startsWith('student') ? 'student' : 'teacher',
        ...[
          'username',
          'userIds',
          'givenName',
          'familyName',
          'middleName',
          'identifier',
          'email',
          'sms',
          'phone',
          'agentSourcedIds',
          'grades',
          'password',
        ].map(cell),
      ]
    }),
  ])
  const { bundle, errors } = readFiles(sampleBytes({ ...files, manifest, users }))
  expect(errors).toEqual([])
  expect(bundle?.users).toHaveLength(7)
  expect(bundle).toEqual(readFiles(sampleBytes(files)).bundle)
  // What only that version has must be there, and its roles are its own.
  const wrong = readFiles(sampleBytes({ ...files, manifest }))
  expect(wrong.errors.map((one) => `${one.column} ${one.code}`)).toEqual([
    'orgSourcedIds roster_column_missing',
    'role roster_column_missing',
  ])
  const role = readFiles(sampleBytes({ ...files, manifest, users: users.replace(',teacher,', ',principal,') }))
  expect(role.errors.map((one) => `${one.file} ${one.line} ${one.column} ${one.code}`)).toContain(
    'users.csv 8 role roster_value_not_known',
  )
  const other = readFiles(
    sampleBytes({ ...files, manifest: manifest.replace('oneroster.version,1.1', 'oneroster.version,1.0') }),
  )
  expect(other.errors.map((one) => one.code)).toContain('roster_version_not_supported')
})
