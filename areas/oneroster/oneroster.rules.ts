/**
 * OneRoster 1.2 CSV, bulk mode: what a bundle must look like before one row of it is stored. Source: 1EdTech OneRoster
 * 1.2 CSV Binding, sections 4 (files) and 5 (columns). Pure: files come in as rows of text with the line each began on.
 */

/** One data row: the line of the file it begins on (the header is line 1), and its cells by column name. */
export interface CsvRow {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
}
export interface CsvFile {
  readonly columns: readonly string[]
  readonly rows: readonly CsvRow[]
}
/** An error of a bundle; nothing is stored while there is one. */
export interface BundleError {
  readonly file: string
  readonly line: number | null
  readonly column: string | null
  readonly code: BundleErrorCode
  readonly data?: Readonly<Record<string, string | number>>
}

export const BUNDLE_ERRORS = {
  roster_file_missing: ['The file {file} is missing.', 'الملف {file} غير موجود.'],
  roster_file_not_bulk: [
    'Only bulk files can be imported; the manifest says {mode}.',
    'لا يُستورد إلا ملف كامل (bulk)، والبيان يذكر {mode}.',
  ],
  roster_version_not_supported: [
    'OneRoster {version} is not supported; 1.2 is.',
    'إصدار OneRoster {version} غير مدعوم، المدعوم 1.2.',
  ],
  roster_csv_broken: ['The file is not valid CSV: {reason}', 'الملف ليس CSV صحيحًا: {reason}'],
  roster_column_missing: ['The column {column} is missing.', 'العمود {column} غير موجود.'],
  roster_cell_required: ['This cell must be filled.', 'يجب ملء هذه الخلية.'],
  roster_cell_too_long: ['At most {max} characters.', 'الحد الأقصى {max} حرفًا.'],
  roster_cell_not_allowed: [
    'Contains HTML, control characters or hidden direction marks.',
    'يحتوي على HTML أو رموز تحكم أو علامات اتجاه خفية.',
  ],
  roster_id_not_valid: ['This is not a valid sourcedId.', 'معرّف sourcedId غير صحيح.'],
  roster_id_twice: ['This sourcedId stands on line {line} already.', 'معرّف sourcedId مكرر، ورد في السطر {line}.'],
  roster_date_not_valid: [
    'This day does not exist; write it as YYYY-MM-DD.',
    'تاريخ غير صحيح؛ اكتبه بالصورة YYYY-MM-DD.',
  ],
  roster_dates_out_of_order: ['It ends before it begins.', 'تاريخ الانتهاء يسبق تاريخ البدء.'],
  roster_value_not_known: ['{value} is not one of: {values}', '{value} ليست من القيم: {values}'],
  roster_reference_missing: ['Nothing with this sourcedId in {file}.', 'لا يوجد سجل بهذا المعرّف في {file}.'],
  roster_code_twice: ['The code {code} stands on line {line} already.', 'الكود {code} مكرر، ورد في السطر {line}.'],
  roster_email_not_valid: ['This e-mail address is not valid.', 'عنوان البريد الإلكتروني غير صحيح.'],
  roster_enrollment_twice: [
    'This person is already enrolled in this class on line {line}.',
    'هذا الشخص مسجل في هذا الفصل في السطر {line}.',
  ],
  roster_course_twice_in_term: [
    'This student already takes the same course in this term on line {line}.',
    'هذا الطالب مسجل في المقرر نفسه في هذا الفصل الدراسي في السطر {line}.',
  ],
  roster_term_needed: ['A class needs exactly one term.', 'يجب أن يكون للفصل ترم واحد بالضبط.'],
} as const
export type BundleErrorCode = keyof typeof BUNDLE_ERRORS

/** Files a bundle must hold, with the columns that must be there (others are ignored). `*` marks cells that must be filled. */
const FILES = {
  orgs: ['sourcedId*', 'name*', 'type*', 'identifier', 'parentSourcedId'],
  academicSessions: ['sourcedId*', 'title*', 'type*', 'startDate*', 'endDate*', 'parentSourcedId', 'schoolYear*'],
  courses: ['sourcedId*', 'title*', 'courseCode', 'orgSourcedId*'],
  classes: ['sourcedId*', 'title*', 'courseSourcedId*', 'classCode', 'schoolSourcedId*', 'termSourcedIds*'],
  users: ['sourcedId*', 'username*', 'givenName*', 'familyName*', 'identifier', 'email', 'primaryOrgSourcedId'],
  enrollments: ['sourcedId*', 'classSourcedId*', 'userSourcedId*', 'role*'],
} as const
export type FileName = keyof typeof FILES
export const FILE_NAMES = Object.keys(FILES) as FileName[]
/** Read when there: who is a teacher although not enrolled anywhere. */
export const OPTIONAL_FILES = ['roles'] as const

const ORG_TYPES = ['department', 'school', 'district', 'local', 'state', 'national']
const SESSION_TYPES = ['gradingPeriod', 'semester', 'schoolYear', 'term']
const ROLES = ['administrator', 'proctor', 'student', 'teacher', 'aide']
const ID = /^[\p{L}\p{N}._~:/-]{1,255}$/u
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]|<[a-z/!?]/i
const EMAIL = /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i
/** Title columns are names here: at most 200 characters. */
const MAX_CELL = 200

const isDate = (s: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(s)) return false
  const d = new Date(`${s}T00:00:00Z`)
  return !Number.isNaN(d.getTime()) && d.toISOString().slice(0, 10) === s
}

export type TermType = 'fall' | 'spring' | 'summer'
export interface Org {
  readonly external_id: string
  readonly name: string
  readonly code: string
  readonly parent: string | null
  readonly type: string
}
export interface Year {
  readonly external_id: string
  readonly code: string
  readonly name: string
  readonly start_date: string
  readonly end_date: string
}
export interface Term extends Year {
  readonly year: string
  readonly term_type: TermType
}
export interface Course {
  readonly external_id: string
  readonly code: string
  readonly name: string
  readonly org: string
}
export interface Class {
  readonly external_id: string
  readonly code: string
  readonly course: string
  readonly org: string
  readonly term: string
}
export interface User {
  readonly external_id: string
  readonly code: string
  readonly name: string
  readonly email: string | null
  readonly org: string | null
  readonly kind: 'student' | 'teacher'
}
export interface Enrollment {
  readonly external_id: string
  readonly class: string
  readonly user: string
  readonly role: 'student' | 'teacher' | 'aide'
}
/** A bundle without errors, in the words of the university. */
export interface Bundle {
  readonly orgs: readonly Org[]
  readonly years: readonly Year[]
  readonly terms: readonly Term[]
  readonly courses: readonly Course[]
  readonly classes: readonly Class[]
  readonly users: readonly User[]
  readonly enrollments: readonly Enrollment[]
}

/** Letters and digits of a name as a code: capitals where it has several, else its first word. */
export function codeFromName(name: string): string {
  const capitals = name.match(/\p{Lu}/gu)?.join('') ?? ''
  const code = capitals.length > 1 ? capitals : name.replace(/[^\p{L}\p{N}]+/gu, '').slice(0, 12)
  return code || 'ORG'
}

/** A code as the university stores it: what is not a letter, digit or one of `-_./` becomes `-`. */
export const cleanCode = (text: string): string =>
  text
    .trim()
    .replace(/[^\p{L}\p{N}\-_./]+/gu, '-')
    .replace(/^[-_./]+|-+$/gu, '')
    .slice(0, 40)

/** Kind of term from the month it begins in: September to December fall, June to August summer, else spring. */
export function termType(startDate: string, title: string): TermType {
  if (/summer|صيف/i.test(title)) return 'summer'
  if (/fall|autumn|خريف/i.test(title)) return 'fall'
  if (/spring|ربيع/i.test(title)) return 'spring'
  const month = Number(startDate.slice(5, 7))
  return month >= 9 ? 'fall' : month >= 6 && month <= 8 ? 'summer' : 'spring'
}

/**
 * Checks a whole bundle: every file, every row, every cell, every reference. Answers the bundle when there is no error,
 * else every error (at most `limit`, in the order of files and lines).
 */
export function checkBundle(
  files: Readonly<Record<string, CsvFile | undefined>>,
  limit = 1000,
): { bundle: Bundle; errors: readonly [] } | { bundle: null; errors: readonly BundleError[] } {
  const errors: BundleError[] = []
  const add = (
    file: string,
    line: number | null,
    column: string | null,
    code: BundleErrorCode,
    data?: BundleError['data'],
  ) => {
    if (errors.length < limit) errors.push({ file, line, column, code, data })
  }

  const manifest = files.manifest
  const property = new Map(manifest?.rows.map((r) => [r.cells.propertyName ?? '', r.cells.value ?? '']))
  if (!manifest) add('manifest.csv', null, null, 'roster_file_missing', { file: 'manifest.csv' })
  const version = property.get('oneroster.version')
  if (manifest && version !== '1.2')
    add('manifest.csv', null, 'oneroster.version', 'roster_version_not_supported', { version: version ?? '' })
  for (const name of FILE_NAMES) {
    const mode = property.get(`file.${name}`)
    if (manifest && mode !== 'bulk')
      add('manifest.csv', null, `file.${name}`, 'roster_file_not_bulk', { mode: mode ?? 'absent' })
    if (!files[name]) add(`${name}.csv`, null, null, 'roster_file_missing', { file: `${name}.csv` })
  }
  if (errors.length) return { bundle: null, errors }

  /** Rows of a file that are to be taken, by sourcedId, after the checks that are the same for every file. */
  const take = (name: FileName): Map<string, CsvRow> => {
    const file = `${name}.csv`
    const { columns, rows } = files[name]!
    const wanted = FILES[name].map((c) => ({ column: c.replace('*', ''), required: c.endsWith('*') }))
    for (const { column } of wanted)
      if (!columns.includes(column)) add(file, 1, column, 'roster_column_missing', { column })
    const byId = new Map<string, CsvRow>()
    for (const row of rows) {
      if (row.cells.status === 'tobedeleted') continue
      for (const { column, required } of wanted) {
        const cell = row.cells[column] ?? ''
        if (required && !cell) add(file, row.line, column, 'roster_cell_required')
        else if (cell.length > MAX_CELL && !column.endsWith('SourcedIds'))
          add(file, row.line, column, 'roster_cell_too_long', { max: MAX_CELL })
        else if (UNSAFE.test(cell)) add(file, row.line, column, 'roster_cell_not_allowed')
      }
      const id = row.cells.sourcedId ?? ''
      if (!id) continue
      if (!ID.test(id)) add(file, row.line, 'sourcedId', 'roster_id_not_valid')
      const earlier = byId.get(id)
      if (earlier) add(file, row.line, 'sourcedId', 'roster_id_twice', { line: earlier.line })
      else byId.set(id, row)
    }
    return byId
  }
  const [orgs, sessions, courses, classes, users, enrollments] = FILE_NAMES.map(take) as [
    Map<string, CsvRow>,
    Map<string, CsvRow>,
    Map<string, CsvRow>,
    Map<string, CsvRow>,
    Map<string, CsvRow>,
    Map<string, CsvRow>,
  ]
  const refer = (
    file: FileName,
    row: CsvRow,
    column: string,
    to: Map<string, CsvRow>,
    target: FileName,
    optional = false,
  ) => {
    const value = row.cells[column] ?? ''
    if ((value && !to.has(value)) || (!value && !optional)) {
      if (value) add(`${file}.csv`, row.line, column, 'roster_reference_missing', { file: `${target}.csv` })
    }
  }
  const oneOf = (file: FileName, row: CsvRow, column: string, values: readonly string[]) => {
    const value = row.cells[column] ?? ''
    if (value && !values.includes(value))
      add(`${file}.csv`, row.line, column, 'roster_value_not_known', { value, values: values.join(', ') })
  }
  /** Codes must tell records apart; the first holder's line is named. */
  const unique = (file: FileName, column: string, seen: Map<string, number>, row: CsvRow, code: string) => {
    const line = seen.get(code.toLowerCase())
    if (line !== undefined) add(`${file}.csv`, row.line, column, 'roster_code_twice', { code, line })
    else seen.set(code.toLowerCase(), row.line)
  }

  for (const row of orgs.values()) {
    oneOf('orgs', row, 'type', ORG_TYPES)
    refer('orgs', row, 'parentSourcedId', orgs, 'orgs', true)
  }
  for (const row of sessions.values()) {
    oneOf('academicSessions', row, 'type', SESSION_TYPES)
    refer('academicSessions', row, 'parentSourcedId', sessions, 'academicSessions', true)
    const [start, end] = [row.cells.startDate ?? '', row.cells.endDate ?? '']
    if (start && !isDate(start)) add('academicSessions.csv', row.line, 'startDate', 'roster_date_not_valid')
    if (end && !isDate(end)) add('academicSessions.csv', row.line, 'endDate', 'roster_date_not_valid')
    if (isDate(start) && isDate(end) && start >= end)
      add('academicSessions.csv', row.line, 'endDate', 'roster_dates_out_of_order')
  }
  const courseCodes = new Map<string, number>()
  const courseCode = (row: CsvRow) => cleanCode(row.cells.courseCode || row.cells.sourcedId || '')
  for (const row of courses.values()) {
    refer('courses', row, 'orgSourcedId', orgs, 'orgs')
    unique('courses', 'courseCode', courseCodes, row, courseCode(row))
  }
  const classCodes = new Map<string, number>()
  const classCode = (row: CsvRow) => cleanCode(row.cells.classCode || row.cells.sourcedId || '')
  for (const row of classes.values()) {
    refer('classes', row, 'courseSourcedId', courses, 'courses')
    refer('classes', row, 'schoolSourcedId', orgs, 'orgs')
    const terms = (row.cells.termSourcedIds ?? '').split(',').filter(Boolean)
    if (terms.length > 1) add('classes.csv', row.line, 'termSourcedIds', 'roster_term_needed')
    for (const term of terms) {
      if (!sessions.has(term))
        add('classes.csv', row.line, 'termSourcedIds', 'roster_reference_missing', { file: 'academicSessions.csv' })
      else if (sessions.get(term)!.cells.type === 'schoolYear')
        add('classes.csv', row.line, 'termSourcedIds', 'roster_term_needed')
    }
    unique(
      'classes',
      'classCode',
      classCodes,
      row,
      `${terms[0] ?? ''}/${row.cells.courseSourcedId ?? ''}/${classCode(row)}`,
    )
  }
  const userCodes = new Map<string, number>()
  const emails = new Map<string, number>()
  const userCode = (row: CsvRow) => cleanCode(row.cells.identifier || row.cells.username || row.cells.sourcedId || '')
  for (const row of users.values()) {
    refer('users', row, 'primaryOrgSourcedId', orgs, 'orgs', true)
    unique('users', 'identifier', userCodes, row, userCode(row))
    const email = row.cells.email ?? ''
    if (!email) continue
    if (!EMAIL.test(email)) add('users.csv', row.line, 'email', 'roster_email_not_valid')
    else unique('users', 'email', emails, row, email)
  }
  const teachers = new Set<string>()
  for (const row of files.roles?.rows ?? []) {
    if (row.cells.role === 'teacher' || row.cells.role === 'aide') teachers.add(row.cells.userSourcedId ?? '')
  }
  const pairs = new Map<string, number>()
  const inTerm = new Map<string, number>()
  for (const row of enrollments.values()) {
    oneOf('enrollments', row, 'role', ROLES)
    refer('enrollments', row, 'classSourcedId', classes, 'classes')
    refer('enrollments', row, 'userSourcedId', users, 'users')
    const { classSourcedId = '', userSourcedId = '', role = '' } = row.cells
    if (role === 'teacher' || role === 'aide') teachers.add(userSourcedId)
    const pair = `${classSourcedId} ${userSourcedId}`
    const line = pairs.get(pair)
    if (line !== undefined) add('enrollments.csv', row.line, 'userSourcedId', 'roster_enrollment_twice', { line })
    else pairs.set(pair, row.line)
    const taught = classes.get(classSourcedId)
    if (role !== 'student' || !taught || line !== undefined) continue
    const course = `${userSourcedId} ${taught.cells.courseSourcedId} ${taught.cells.termSourcedIds}`
    const twice = inTerm.get(course)
    if (twice !== undefined)
      add('enrollments.csv', row.line, 'classSourcedId', 'roster_course_twice_in_term', { line: twice })
    else inTerm.set(course, row.line)
  }
  if (errors.length) {
    const order = new Map(['manifest', ...FILE_NAMES].map((name, i) => [`${name}.csv`, i]))
    errors.sort((a, b) => (order.get(a.file) ?? 99) - (order.get(b.file) ?? 99) || (a.line ?? 0) - (b.line ?? 0))
    return { bundle: null, errors }
  }

  const map = <T>(rows: Map<string, CsvRow>, make: (row: Readonly<Record<string, string>>, csv: CsvRow) => T): T[] =>
    [...rows.values()].map((row) => make(row.cells, row))
  const yearOf = (id: string): string => {
    for (let at = sessions.get(id); at; at = sessions.get(at.cells.parentSourcedId ?? '')) {
      if (at.cells.type === 'schoolYear') return at.cells.sourcedId!
    }
    return ''
  }
  const session = (c: Readonly<Record<string, string>>) => ({
    external_id: c.sourcedId!,
    code: cleanCode(c.title!),
    name: c.title!,
    start_date: c.startDate!,
    end_date: c.endDate!,
  })
  const years = [...sessions.values()].filter((r) => r.cells.type === 'schoolYear').map((r) => session(r.cells))
  const loose = new Map<string, Year>()
  /** A term outside every school year gets the one it lies in, else a year of its own made of its `schoolYear`. */
  const yearFor = (c: Readonly<Record<string, string>>): string => {
    const found =
      yearOf(c.sourcedId!) || years.find((y) => y.start_date <= c.startDate! && c.endDate! <= y.end_date)?.external_id
    if (found) return found
    const external_id = `schoolYear:${c.schoolYear}`
    const known = loose.get(external_id)
    loose.set(external_id, {
      external_id,
      code: cleanCode(c.schoolYear!),
      name: c.schoolYear!,
      start_date: known && known.start_date < c.startDate! ? known.start_date : c.startDate!,
      end_date: known && known.end_date > c.endDate! ? known.end_date : c.endDate!,
    })
    return external_id
  }
  const terms = [...sessions.values()]
    .filter((r) => r.cells.type !== 'schoolYear' && r.cells.type !== 'gradingPeriod')
    .map((r): Term => ({
      ...session(r.cells),
      year: yearFor(r.cells),
      term_type: termType(r.cells.startDate!, r.cells.title!),
    }))
  return {
    errors: [],
    bundle: {
      orgs: map(orgs, (c) => ({
        external_id: c.sourcedId!,
        name: c.name!,
        code: cleanCode(c.identifier || codeFromName(c.name!)),
        parent: c.parentSourcedId || null,
        type: c.type!,
      })),
      years: [...years, ...loose.values()],
      terms,
      courses: map(courses, (c, row) => ({
        external_id: c.sourcedId!,
        code: courseCode(row),
        name: c.title!,
        org: c.orgSourcedId!,
      })),
      classes: map(classes, (c, row) => ({
        external_id: c.sourcedId!,
        code: classCode(row),
        course: c.courseSourcedId!,
        org: c.schoolSourcedId!,
        term: c.termSourcedIds!,
      })),
      users: map(users, (c, row) => ({
        external_id: c.sourcedId!,
        code: userCode(row),
        name: [c.givenName, c.middleName, c.familyName].filter(Boolean).join(' '),
        email: c.email?.toLowerCase() || null,
        org: c.primaryOrgSourcedId || null,
        kind: teachers.has(c.sourcedId!) ? 'teacher' : 'student',
      })),
      enrollments: map(enrollments, (c) => ({
        external_id: c.sourcedId!,
        class: c.classSourcedId!,
        user: c.userSourcedId!,
        role: c.role as Enrollment['role'],
      })).filter((e) => ['student', 'teacher', 'aide'].includes(e.role)),
    },
  }
}
