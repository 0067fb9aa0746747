/**
 * OneRoster 1.2 and 1.1 CSV, bulk mode: the files of a bundle as rows of text, and a bundle without errors in the words of the
 * university. Source: 1EdTech OneRoster 1.2 CSV Binding, sections 4 (files) and 5 (columns); IMS OneRoster 1.1 CSV Tables, where
 * a user names all orgs and one role in `users.csv`, and there is no `roles.csv`.
 */
import type { BundleErrorCode, BundleNoteCode } from './texts.rules.ts'

/** One data row: the line of the file it begins on (the header is line 1), and its cells by column name. */
export interface CsvRow {
  readonly line: number
  readonly cells: Readonly<Record<string, string>>
}
export interface CsvFile {
  readonly columns: readonly string[]
  readonly rows: readonly CsvRow[]
}
interface Place {
  readonly file: string
  readonly line: number | null
  readonly column: string | null
}
type Data = Readonly<Record<string, string | number>>
/** An error of a bundle; nothing is stored while there is one. */
export interface BundleError extends Place {
  readonly code: BundleErrorCode
  readonly data?: Data
  /** What stands in the cell. */
  readonly value?: string
}
/** Something a bundle does not say clearly, and how it was taken. */
export interface BundleNote extends Place {
  readonly code: BundleNoteCode
  readonly data?: Data
}
/** A cell corrected after the file was read; without column: the row is left out. */
export interface Correction {
  readonly file: string
  readonly line: number
  readonly column: string | null
  readonly value: string
}

/** Columns that are read, by file; those with `*` must be filled, those with `?` need not be there. */
export const FILES = {
  orgs: ['sourcedId*', 'status?', 'name*', 'type*', 'identifier', 'parentSourcedId'],
  academicSessions: [
    'sourcedId*',
    'status?',
    'title*',
    'type*',
    'startDate*',
    'endDate*',
    'parentSourcedId',
    'schoolYear*',
  ],
  courses: ['sourcedId*', 'status?', 'title*', 'courseCode', 'orgSourcedId*'],
  classes: ['sourcedId*', 'status?', 'title*', 'courseSourcedId*', 'classCode', 'schoolSourcedId*', 'termSourcedIds*'],
  users: [
    'sourcedId*',
    'status?',
    'enabledUser?',
    'username*',
    'givenName*',
    'familyName*',
    'middleName?',
    'identifier',
    'email',
    'primaryOrgSourcedId?',
    'orgSourcedIds?',
    'role?',
  ],
  enrollments: [
    'sourcedId*',
    'status?',
    'classSourcedId*',
    'userSourcedId*',
    'role*',
    'primary?',
    'beginDate?',
    'endDate?',
  ],
} as const
export type FileName = keyof typeof FILES
export const FILE_NAMES = Object.keys(FILES) as FileName[]
/** Read where it is there: who is a student or a teacher although enrolled nowhere. */
export const ROLE_COLUMNS = ['userSourcedId', 'status', 'roleType', 'role'] as const
/** Every file that is read, with its columns by plain name. */
export const READ_FILES: Readonly<Record<string, readonly string[]>> = {
  manifest: ['propertyName', 'value'],
  ...Object.fromEntries(FILE_NAMES.map((name) => [name, FILES[name].map((column) => column.replace(/[*?]$/, ''))])),
  roles: ROLE_COLUMNS,
}

/** Columns that a heading must have, by file; which of users depends on the version. */
export function neededColumns(file: string, version: string): readonly string[] {
  if (file === 'manifest') return ['propertyName', 'value']
  if (file === 'roles') return ['userSourcedId', 'roleType', 'role']
  const own = FILES[file as FileName].flatMap((column) => (column.endsWith('?') ? [] : [column.replace('*', '')]))
  return file === 'users' ? [...own, ...(version === '1.1' ? ['orgSourcedIds', 'role'] : ['primaryOrgSourcedId'])] : own
}

/** Identity in the other system. Those of different kinds cannot stand for each other. */
export type ExternalId<Kind extends string> = string & { readonly __kind: Kind }
export type OrgId = ExternalId<'org'>
export type YearId = ExternalId<'year'>
export type TermId = ExternalId<'term'>
export type CourseId = ExternalId<'course'>
export type ClassId = ExternalId<'class'>
export type UserId = ExternalId<'user'>

export interface Faculty {
  readonly external_id: OrgId
  readonly line: number
  readonly code: string
  readonly name: string
}
export interface Department extends Faculty {
  readonly faculty: OrgId
}
export interface Year {
  readonly external_id: YearId
  readonly line: number
  readonly code: string
  readonly name: string
  readonly start_date: string
  readonly end_date: string
}
export type BundleTermType = 'fall' | 'spring' | 'summer'
export interface Term extends Omit<Year, 'external_id'> {
  readonly external_id: TermId
  readonly year: YearId
  readonly term_type: BundleTermType
}
/** Where something belongs: its faculty, and its department where the other system says one. */
export interface PlacedRow {
  readonly faculty: OrgId
  readonly department: OrgId | null
}
export interface Course extends PlacedRow {
  readonly external_id: CourseId
  readonly line: number
  readonly code: string
  readonly name: string
}
export interface Class extends PlacedRow {
  readonly external_id: ClassId
  readonly line: number
  readonly code: string
  readonly course: CourseId
  readonly term: TermId
  /** Students in it, by which its places are planned. */
  readonly students: number
}
/** A person, who may be a student and an instructor; neither: a member of the staff. */
export interface User extends PlacedRow {
  readonly external_id: UserId
  readonly line: number
  readonly code: string
  readonly name: string
  readonly email: string | null
  readonly enabled: boolean
  readonly student: boolean
  readonly instructor: boolean
  /** Nothing in the bundle says what the person is; what is known of the person from before counts. */
  readonly unsaid: boolean
  /** Kind of account: the entry through which the person signs in first. */
  readonly type: 1 | 2 | 3
}
/** A student in a class. */
export interface Enrollment {
  readonly external_id: string
  readonly line: number
  readonly class: ClassId
  readonly user: UserId
}
/** Somebody in the team of a class. */
export interface Teaching extends Enrollment {
  readonly role: 'leader' | 'instructor' | 'assistant'
}
/** A bundle without errors. */
export interface Bundle {
  readonly faculties: readonly Faculty[]
  readonly departments: readonly Department[]
  readonly years: readonly Year[]
  readonly terms: readonly Term[]
  readonly courses: readonly Course[]
  readonly classes: readonly Class[]
  readonly users: readonly User[]
  readonly enrollments: readonly Enrollment[]
  readonly teachings: readonly Teaching[]
}
export const BUNDLE_KINDS = [
  'faculties',
  'departments',
  'years',
  'terms',
  'courses',
  'classes',
  'users',
  'enrollments',
  'teachings',
] as const satisfies (keyof Bundle)[]

/** What reading a bundle came to. */
export interface Checked {
  readonly source: string
  readonly bundle: Bundle | null
  readonly errors: readonly BundleError[]
  /** How many there are, also where `errors` and `notes` hold only the first of them. */
  readonly error_count: number
  readonly notes: readonly BundleNote[]
  readonly note_count: number
}
