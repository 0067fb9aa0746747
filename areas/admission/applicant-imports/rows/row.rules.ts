/** A row of a ministry's sheet: what it says of an applicant, and everything that is wrong with it. */
import { EGYPTIAN } from '#areas/common/academics/telephone.rules.ts'
import { readNationalId } from '#areas/records/students/student/person.rules.ts'
import { checkApplicationTab, type ApplicantFacts } from '#areas/admission/applicants/apply/application.rules.ts'
import type { ApplicationTab } from '#areas/admission/applicants/words.contract.ts'
import { fold } from '#kit/contract/fold.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { MOST_WISHES, type ColumnField, type SheetColumns } from '../sheet.rules.ts'

/** Records by code and name, folded. `null`: several have this name. */
export type KnownNames = ReadonlyMap<string, number | null>
/** What rows are read by: of one admission, one reader and one day. */
export interface RowFacts {
  readonly type: number
  readonly columns: SheetColumns
  /** Columns under a heading. */
  readonly width: number
  readonly programs: KnownNames
  readonly countries: KnownNames
  readonly communities: KnownNames
  readonly certificates: KnownNames
  /** Certificates by id, as the form judges them. */
  readonly certificate: ReadonlyMap<number, NonNullable<ApplicantFacts['certificate']>>
  /** Governorates by the figures of a national id. */
  readonly figures: ReadonlyMap<string, number>
  /** Programs that can be chosen. */
  readonly open: ReadonlySet<number>
  /** Programs within reach of whoever imports; null: all. */
  readonly reached: ReadonlySet<number> | null
  readonly today: string
  readonly max_preferences: number
  readonly isPhone: (value: string) => boolean
  /** Reasons of the schema of an application for texts: by field. */
  readonly checkTexts: (values: Readonly<Record<string, unknown>>) => {
    readonly values: Readonly<Record<string, unknown>>
    readonly reasons: readonly Reason[]
  }
}
/** What is wrong, at a column counted from 0; null: the row. */
export interface RowError {
  readonly at: number | null
  readonly code: string
  readonly data?: Reason['data']
}
/** A row as it is compared with what is there. */
export interface ReadRow {
  readonly person: string | null
  readonly ministry_number: string | null
  readonly ministry_email: string | null
  readonly values: Readonly<Record<string, unknown>>
  readonly wishes: readonly number[] | null
  readonly subjects: readonly { certificate_subject_id: number; mark: string }[] | null
  readonly errors: readonly RowError[]
}

const MEN: ReadonlySet<string> = new Set(['1', 'm', 'male', 'ذكر', 'ذ', 'mannlich', 'masculin', 'homme', 'masculino'])
const WOMEN: ReadonlySet<string> = new Set([
  '2',
  'f',
  'female',
  'انثي',
  'ا',
  'weiblich',
  'feminin',
  'femme',
  'feminino',
])
const day = (year: string, month: string, date: string): string | null => {
  const text = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`
  const at = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(at.getTime()) || at.getUTCDate() !== Number(date) || at.getUTCMonth() + 1 !== Number(month)
    ? null
    : text
}
const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g
/** Digits of Arabic as Latin ones, the decimal separator as a point. */
const latin = (text: string): string =>
  text.replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf)).replaceAll('\u066B', '.')

/** A day as ministries write it, the day before the month; null: it is none. */
export function readSheetDay(given: string): string | null {
  const text = latin(given)
  const iso = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ].*)?$/.exec(text)
  if (iso) return day(iso[1]!, iso[2]!, iso[3]!)
  const plain = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text)
  return plain ? day(plain[3]!, plain[2]!, plain[1]!) : null
}
/** A mark with at most two places, as it is written in the database; null: it is none. */
export function readSheetMark(given: string): string | null {
  const text = latin(given).replace(',', '.')
  return /^\d{1,5}(?:\.\d{1,2}0*)?$/.test(text) ? Number(text).toFixed(2) : null
}
/** A number of a telephone; a sheet loses the zero in front of an Egyptian one. */
const readPhone = (given: string): string => {
  const text = latin(given).replace(/[\s().-]/g, '')
  return /^1[0125]\d{8}$/.test(text) ? `0${text}` : text
}
/** A text that a spreadsheet would work out. Signs before figures are figures. */
export const isSheetFormula = (text: string): boolean => /^(?:=|@|[+-](?![\d\s().-]+$))./.test(text)

const PLACES = {
  nationality_id: ['countries', 'applicant_row_country'],
  birth_community_id: ['communities', 'applicant_row_community'],
  community_id: ['communities', 'applicant_row_community'],
  certificate_type_id: ['certificates', 'applicant_row_certificate'],
} as const
/** Texts that the schema of an application judges. */
const TEXTS = [
  'name',
  'name_local',
  'national_id',
  'passport_number',
  'address',
  'certificate_school',
  'seat_number',
  'certificate_year',
  'phone',
  'second_phone',
] as const
/** What the form asks for, and a ministry need not say. */
const NOT_ASKED: ReadonlySet<string> = new Set(['required', 'national_id_required', 'application_no_wish'])
const TABS: readonly ApplicationTab[] = [
  'nationality',
  'personal_info',
  'contact_info',
  'academic_data',
  'personal_preference',
]
const ID = /^[^\s].{0,39}$/

/**
 * Reads a row.
 *
 * @param cells trimmed
 * @param formulas columns that hold a formula in the file
 */
export function readSheetRow(cells: readonly string[], facts: RowFacts, formulas?: ReadonlySet<number>): ReadRow {
  const errors: RowError[] = []
  const { columns } = facts
  const wrong = (field: ColumnField, code: string, data?: Reason['data']) =>
    void errors.push({ at: columns[field] ?? null, code, ...(data && { data }) })
  const text = (field: ColumnField): string => {
    const at = columns[field]
    if (at === undefined) return ''
    const cell = cells[at] ?? ''
    if (!formulas?.has(at) && !isSheetFormula(cell)) return cell
    if (!errors.some((one) => one.at === at)) errors.push({ at, code: 'applicant_row_formula' })
    return ''
  }
  if (cells.length > facts.width && cells.slice(facts.width).some((cell) => cell !== ''))
    errors.push({ at: null, code: 'applicant_row_cells', data: { cells: cells.length, columns: facts.width } })
  const given: Record<string, unknown> = {}
  for (const field of TEXTS) {
    const said = text(field)
    if (said === '') continue
    if (field === 'certificate_year') {
      const year = latin(said)
      if (/^\d{4}$/.test(year)) given[field] = Number(year)
      else wrong(field, 'applicant_row_number', { given: said })
    } else if (field === 'phone' || field === 'second_phone') given[field] = readPhone(said)
    else given[field] = field === 'national_id' || field === 'seat_number' ? latin(said).replace(/\s/g, '') : said
  }
  const { values: read, reasons } = facts.checkTexts(given)
  for (const reason of reasons) wrong(reason.field as ColumnField, reason.code, reason.data)
  const values: Record<string, unknown> = { ...read }
  for (const [field, [list, code]] of Object.entries(PLACES) as [
    keyof typeof PLACES,
    (typeof PLACES)['community_id'],
  ][]) {
    const said = text(field)
    if (said === '') continue
    const id = facts[list].get(fold(said))
    if (id) values[field] = id
    else wrong(field, id === null ? 'applicant_row_ambiguous' : code, { given: said })
  }
  readPerson(values, text, wrong)
  readMarks(values, text, wrong, facts)
  const wishes = readWishes(text, wrong, facts)
  const subjects = readSubjects(columns, text, wrong)
  derive(values, facts)
  const ministry_number = latin(text('ministry_number')) || null
  if (ministry_number !== null && !ID.test(ministry_number)) wrong('ministry_number', 'applicant_row_long')
  const ministry_email = text('email').toLowerCase() || null
  if (ministry_email !== null && !/^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/.test(ministry_email))
    wrong('email', 'applicant_row_email')
  if (
    !values.name &&
    !values.name_local &&
    !errors.some((one) => one.at !== null && (one.at === columns.name || one.at === columns.name_local))
  )
    wrong(columns.name_local === undefined ? 'name' : 'name_local', 'applicant_row_name')
  const person = personOf(values, ministry_number)
  if (person === null && !errors.length)
    wrong(columns.national_id === undefined ? 'ministry_number' : 'national_id', 'applicant_row_identity')
  judge(
    { ...values, subjects: subjects ?? [], preferences: (wishes ?? []).map((program_id) => ({ program_id })) },
    facts,
    errors,
  )
  return { person, ministry_number, ministry_email, values, wishes, subjects, errors }
}

type Text = (field: ColumnField) => string
type Wrong = (field: ColumnField, code: string, data?: Reason['data']) => void

function readPerson(values: Record<string, unknown>, text: Text, wrong: Wrong): void {
  const sex = text('gender')
  if (sex !== '') {
    const folded = fold(sex)
    if (MEN.has(folded)) values.gender = 1
    else if (WOMEN.has(folded)) values.gender = 2
    else wrong('gender', 'applicant_row_gender', { given: sex })
  }
  const born = text('birth_date')
  if (born !== '') {
    const read = readSheetDay(born)
    if (read) values.birth_date = read
    else wrong('birth_date', 'applicant_row_day', { given: born })
  }
}

/** The total lies within what the certificate is out of, and the sheet is out of the same. */
function readMarks(values: Record<string, unknown>, text: Text, wrong: Wrong, facts: RowFacts): void {
  const total = text('certificate_total')
  if (total !== '') {
    const read = readSheetMark(total)
    if (read === null) wrong('certificate_total', 'applicant_row_number', { given: total })
    else values.certificate_total = read
  }
  const most = text('certificate_max')
  if (most === '') return
  const read = readSheetMark(most)
  if (read === null) {
    wrong('certificate_max', 'applicant_row_number', { given: most })
    return
  }
  const certificate = facts.certificate.get(Number(values.certificate_type_id ?? 0))
  if (certificate && Math.round(Number(read) * 100) !== certificate.max_total)
    wrong('certificate_max', 'applicant_row_max', { max: (certificate.max_total / 100).toFixed(2) })
}

/** Wishes in their order; null: the row says none. */
function readWishes(text: Text, wrong: Wrong, facts: RowFacts): number[] | null {
  const wishes: number[] = []
  for (let place = 1; place <= MOST_WISHES; place++) {
    const field = `wish_${place}` as const
    const said = text(field)
    if (said === '') continue
    const id = facts.programs.get(fold(said))
    if (id) wishes.push(id)
    else wrong(field, id === null ? 'applicant_row_ambiguous' : 'applicant_row_program', { given: said })
  }
  // A part of the university brings those who wish for it.
  const { reached } = facts
  if (reached && !wishes.some((wish) => reached.has(wish))) wrong('wish_1', 'applicant_row_reach')
  return wishes.length ? wishes : null
}

function readSubjects(columns: SheetColumns, text: Text, wrong: Wrong): ReadRow['subjects'] {
  const subjects: { certificate_subject_id: number; mark: string }[] = []
  for (const field of Object.keys(columns) as ColumnField[]) {
    if (!field.startsWith('subject_')) continue
    const said = text(field)
    if (said === '') continue
    const mark = readSheetMark(said)
    if (mark === null) wrong(field, 'applicant_row_number', { given: said })
    else subjects.push({ certificate_subject_id: Number(field.slice(8)), mark })
  }
  return subjects.length ? subjects : null
}

/** What a national id says need not stand in the sheet a second time. */
function derive(values: Record<string, unknown>, { figures }: RowFacts): void {
  const id = values.national_id
  if (typeof id !== 'string') return
  values.nationality_id ??= EGYPTIAN
  const said = readNationalId(id)
  if (!said || values.nationality_id !== EGYPTIAN) return
  values.birth_date ??= said.birth_date
  values.gender ??= said.gender
  values.birth_community_id ??= figures.get(id.slice(7, 9))
}

/** By what a person is known within an admission. */
function personOf(values: Readonly<Record<string, unknown>>, ministry_number: string | null): string | null {
  const { national_id, passport_number, nationality_id } = values
  if (national_id) return `n:${String(national_id)}`
  if (passport_number) return `p:${String(nationality_id ?? '')}:${String(passport_number)}`
  return ministry_number === null ? null : `m:${ministry_number}`
}

/** The rules of the form, without what only the form asks for. */
function judge(values: Readonly<Record<string, unknown>>, facts: RowFacts, errors: RowError[]): void {
  const { certificate_type_id, national_id } = values
  const judged: ApplicantFacts = {
    values,
    today: facts.today,
    certificate: facts.certificate.get(Number(certificate_type_id ?? 0)) ?? null,
    born_in: typeof national_id === 'string' ? facts.figures.get(national_id.slice(7, 9)) : undefined,
    max_preferences: facts.max_preferences,
    programs: facts.open,
    is_early: true,
    missing_documents: [],
    declared: true,
    declarations: 0,
    fee_due: null,
    isPhone: facts.isPhone,
  }
  for (const tab of TABS)
    for (const { field: named, code, data } of checkApplicationTab(tab, facts.type, judged)) {
      const field = named ?? ''
      if (NOT_ASKED.has(code)) continue
      // A subject that the sheet does not bring is asked in the form.
      const [list = '', place] = field.split('.')
      const column =
        list === 'subjects' ? `subject_${place}` : list === 'preferences' ? `wish_${Number(place ?? 0) + 1}` : field
      const at = facts.columns[column as ColumnField] ?? facts.columns.national_id ?? null
      if (!errors.some((one) => one.at === at && one.code === code)) errors.push({ at, code, ...(data && { data }) })
    }
}
