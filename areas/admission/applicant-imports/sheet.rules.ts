/** What stands in a sheet of a ministry: which column is what, by its heading, and what is needed to know anybody by it. */
import { fold } from '#kit/contract/fold.ts'
import type { Label } from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'

/** Wishes that a sheet may bring, as many as an application may have. */
export const MOST_WISHES = 15

/** Fields of a sheet, and how their columns are called, folded, beside their own names. */
export const MINISTRY_FIELDS = {
  ministry_number: {
    label: ['Number of the ministry', 'الرقم لدى الوزارة'],
    words:
      'ministry number|tansik number|nomination number|coordination number|رقم التنسيق|رقم الترشيح|الرقم المميز|رقم الطالب بالتنسيق|nummer des ministeriums|numero du ministere|numero do ministerio',
  },
  national_id: {
    label: ['National id', 'الرقم القومي'],
    words:
      'national id|national number|nid|id number|الرقم القومي|رقم قومي|رقم البطاقه|nationale id|numero national|numero nacional',
  },
  passport_number: {
    label: ['Passport number', 'رقم جواز السفر'],
    words: 'passport|passport no|passport number|رقم جواز السفر|جواز السفر|رقم الجواز|reisepass|passeport|passaporte',
  },
  name_local: {
    label: ['Arabic name', 'الاسم بالعربية'],
    words:
      'arabic name|name arabic|student name|الاسم|اسم الطالب|الاسم بالعربيه|الاسم رباعي|الاسم كاملا|nom arabe|arabischer name|nome arabe',
  },
  name: {
    label: ['English name', 'الاسم بالإنجليزية'],
    words: 'english name|name english|name|full name|الاسم بالانجليزيه|الاسم باللغه الانجليزيه|الاسم بالاجنبيه|nom|nome',
  },
  gender: { label: ['Gender', 'النوع'], words: 'gender|sex|النوع|الجنس|geschlecht|sexe|sexo|genero' },
  birth_date: {
    label: ['Birth date', 'تاريخ الميلاد'],
    words:
      'birth date|date of birth|birthday|dob|تاريخ الميلاد|الميلاد|geburtsdatum|date de naissance|data de nascimento',
  },
  nationality_id: {
    label: ['Nationality', 'الجنسية'],
    words: 'nationality|citizenship|الجنسيه|nationalitat|staatsangehorigkeit|nationalite|nacionalidade',
  },
  birth_community_id: { label: ['Born in', 'محل الميلاد'], words: 'birth place|place of birth|محل الميلاد|جهه الميلاد' },
  phone: {
    label: ['Mobile phone', 'الهاتف المحمول'],
    words:
      'mobile|mobile phone|phone|telephone|رقم الموبايل|الموبايل|المحمول|رقم الهاتف|الهاتف|التليفون|telefon|telephone portable|telemovel|telefone',
  },
  second_phone: {
    label: ['Second phone', 'هاتف آخر'],
    words: 'second phone|other phone|home phone|landline|هاتف اخر|تليفون المنزل|التليفون الارضي',
  },
  email: { label: ['E-mail', 'البريد الإلكتروني'], words: 'email|e mail|mail|البريد الالكتروني|الايميل' },
  community_id: {
    label: ['Governorate or community', 'المحافظة أو الجالية'],
    words: 'governorate|province|community|المحافظه|محافظه|المحافظه او الجاليه|gouvernorat|provincia',
  },
  address: { label: ['Address', 'العنوان'], words: 'address|العنوان|عنوان السكن|adresse|endereco|morada' },
  certificate_type_id: {
    label: ['Certificate held', 'الشهادة الحاصل عليها'],
    words:
      'certificate|certificate type|type of certificate|branch|الشهاده|نوع الشهاده|المؤهل|الشعبه|zeugnis|certificat|certificado',
  },
  certificate_year: {
    label: ['Year of the certificate', 'سنة الحصول على الشهادة'],
    words: 'certificate year|year|graduation year|سنه الحصول عليها|سنه الشهاده|سنه المؤهل|السنه',
  },
  certificate_school: {
    label: ['School', 'المدرسة'],
    words: 'school|school name|المدرسه|اسم المدرسه|schule|ecole|escola',
  },
  seat_number: {
    label: ['Seat number', 'رقم الجلوس'],
    words: 'seat number|seat no|seat|رقم الجلوس|رقم جلوس|sitznummer|numero de table',
  },
  certificate_total: {
    label: ['Total', 'المجموع الكلي'],
    words: 'total|total marks|score|sum|المجموع|المجموع الكلي|مجموع الدرجات|الدرجه الكليه|gesamtpunkte|note totale',
  },
  certificate_max: {
    label: ['Maximum of the total', 'النهاية العظمى'],
    words: 'maximum|out of|max total|maximum total|النهايه العظمي|المجموع من|الدرجه العظمي|hochstpunktzahl|maximo',
  },
} as const satisfies Readonly<Record<string, { readonly label: Label; readonly words: string }>>
export type SheetField = keyof typeof MINISTRY_FIELDS
export const SHEET_FIELD_NAMES = Object.keys(MINISTRY_FIELDS) as readonly SheetField[]

const WISH =
  'wish|preference|desire|choice|program|nominated program|program code|الرغبه|رغبه|البرنامج|البرنامج المرشح له|كود البرنامج|الترشيح|wunsch|studiengang|voeu|programme|opcao|programa'
/** A field of a column: one of those above, `wish_1` to `wish_15`, or `subject_ID` with the mark in a subject. */
export type ColumnField = SheetField | `wish_${number}` | `subject_${number}`
export const COLUMN_FIELD = new RegExp(
  `^(?:${SHEET_FIELD_NAMES.join('|')}|wish_(?:[1-9]|1[0-5])|subject_[1-9]\\d{0,8})$`,
)
/** Columns by field, counted from 0. */
export type SheetColumns = Readonly<Partial<Record<ColumnField, number>>>

/** A subject in which a sheet may bring marks. */
export interface SheetSubject {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
}

/** A heading without what is written differently. */
export const plainHeading = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const WORDS: readonly (readonly [SheetField, ReadonlySet<string>])[] = SHEET_FIELD_NAMES.map((field) => [
  field,
  new Set([field, ...MINISTRY_FIELDS[field].label, ...MINISTRY_FIELDS[field].words.split('|')].map(plainHeading)),
])
const WISHES = new Set(WISH.split('|').map(plainHeading))
const FIRST_WORDS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  الاولي: 1,
  الثانيه: 2,
  الثالثه: 3,
}

/** Which wish a heading names; a heading without a number is the first. */
function wishOf(heading: string): number | null {
  const words = heading.split(' ')
  const number = words
    .map((word) => FIRST_WORDS[word] ?? (/^\d{1,2}$/.test(word) ? Number(word) : 0))
    .find((n) => n > 0)
  const rest = words.filter((word) => !(word in FIRST_WORDS) && !/^\d{1,2}$/.test(word)).join(' ')
  return WISHES.has(rest) && (number ?? 1) <= MOST_WISHES ? (number ?? 1) : null
}

/** What columns with these headings probably are, each field once: words of the field, then wishes, then subjects. */
export function proposeSheetColumns(headings: readonly string[], subjects: readonly SheetSubject[]): SheetColumns {
  const out: Partial<Record<ColumnField, number>> = {}
  const bySubject = new Map(
    subjects.flatMap((one) =>
      [one.code, one.name, one.name_local].map((name) => [plainHeading(name), one.id] as const),
    ),
  )
  for (const [at, given] of headings.entries()) {
    const heading = plainHeading(given)
    if (heading === '') continue
    const wish = wishOf(heading)
    const subject = bySubject.get(heading)
    const field: ColumnField | undefined =
      WORDS.find(([, words]) => words.has(heading))?.[0] ??
      (wish === null ? (subject === undefined ? undefined : `subject_${subject}`) : `wish_${wish}`)
    if (field && out[field] === undefined) out[field] = at
  }
  return out
}

/** Columns by the headings of a mapping that was kept; null: the file lacks one of them. */
export function columnsByHeadings(
  kept: Readonly<Record<string, string>>,
  headings: readonly string[],
): SheetColumns | null {
  const plain = headings.map(plainHeading)
  const found = Object.entries(kept).map(([field, heading]) => [field, plain.indexOf(plainHeading(heading))] as const)
  return found.length && found.every(([, at]) => at >= 0) ? (Object.fromEntries(found) as SheetColumns) : null
}

/** Every reason why a file cannot be read by these columns. */
export function checkSheetColumns(columns: SheetColumns, headings: readonly string[]): Reason[] {
  const reasons: Reason[] = []
  const taken = new Map<number, string>()
  const entries = Object.entries(columns) as [ColumnField, number][]
  for (const [field, at] of entries) {
    const column = headings[at]
    if (column === undefined) reasons.push({ field, code: 'applicant_column_none', data: { column: at + 1 } })
    else if (taken.has(at)) reasons.push({ field, code: 'applicant_column_twice', data: { column } })
    taken.set(at, field)
  }
  const has = (...fields: ColumnField[]) => fields.some((field) => columns[field] !== undefined)
  if (!has('ministry_number', 'national_id', 'passport_number'))
    reasons.push({ field: 'national_id', code: 'applicant_column_identity' })
  if (!has('name', 'name_local')) reasons.push({ field: 'name_local', code: 'applicant_column_name' })
  const wishes = entries.flatMap(([field]) => (field.startsWith('wish_') ? [Number(field.slice(5))] : []))
  for (let wish = 1; wish < Math.max(0, ...wishes); wish++)
    if (!wishes.includes(wish))
      reasons.push({ field: `wish_${wish}`, code: 'applicant_column_wish', data: { number: wish } })
  return reasons
}

export const SHEET_ENCODINGS = ['utf-8', 'windows-1256'] as const
export type SheetEncoding = (typeof SHEET_ENCODINGS)[number]

/** The separator most used in the first line, outside quotes. */
export function sheetDelimiter(text: string): string {
  const line = /^(?:"[^"]*"|[^"\r\n])*/.exec(text.slice(0, 10_000))![0].replaceAll(/"[^"]*"/g, '')
  const uses = (mark: string) => line.split(mark).length
  return [',', ';', '\t', '|'].toSorted((a, b) => uses(b) - uses(a))[0]!
}
