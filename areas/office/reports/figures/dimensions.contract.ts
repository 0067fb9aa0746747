import { REGISTRATION_STATES, ATTEMPTS } from '#areas/common/academics/registration-words.contract.ts'
import { APPLICANT_TYPES } from '#areas/admission/admissions/words.contract.ts'
import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'
import { STUDENT_STATUSES } from '#areas/records/students/student/student.contract.ts'
import type { Label } from '#kit/contract/index.ts'
import { WEEKDAYS } from '#kit/contract/week.ts'

/** A value that is one of a few, with its word. */
export interface DimensionChoice {
  readonly value: string | number
  readonly label: Label
}
/** By what figures are told apart and narrowed; the same wherever it occurs. */
export interface Dimension {
  readonly label: Label
  /** Its values are records of this table, with code and names; `start_date` puts terms and years in order. */
  readonly table?: string
  /** By which resource a value is chosen in a filter. */
  readonly resource?: string
  readonly choices?: readonly DimensionChoice[]
  /** Values are days, whole numbers, or texts that stand for themselves. */
  readonly kind?: 'day' | 'number' | 'text'
  /** In which order its values stand; else the largest figure first. */
  readonly order?: 'code' | 'start' | 'value'
  /** Says something about a person that not everybody may know: a cell of few is told to those who reach them. */
  readonly sensitive?: true
}

const GENDERS = [
  { value: 1, label: ['Male', 'ذكر'] },
  { value: 2, label: ['Female', 'أنثى'] },
] as const
const DAYS_OF_WEEK: readonly DimensionChoice[] = WEEKDAYS.map((label, value) => ({ value, label }))
const MEETING_KINDS = [
  { value: 'Lecture', label: ['Lecture', 'محاضرة'] },
  { value: 'Lab', label: ['Lab', 'معمل'] },
  { value: 'Tutorial', label: ['Tutorial', 'تمرين'] },
  { value: 'Clinic', label: ['Clinic', 'سريري'] },
] as const
const COURSE_ORIGINS = [
  { value: 'external', label: ['Another university', 'جامعة أخرى'] },
  { value: 'study_abroad', label: ['A term abroad', 'دراسة بالخارج'] },
  { value: 'internal', label: ['Another program here', 'برنامج آخر بالجامعة'] },
] as const
const EQUIVALENCE_STATES = [
  { value: 'accepted', label: ['Accepted', 'مقبول'] },
  { value: 'refused', label: ['Counts as nothing', 'لا يُحتسب'] },
  { value: 'open', label: ['Not decided yet', 'لم يُبت فيه بعد'] },
] as const
/** How soon a document ends; its days are counted from today. */
export const EXPIRY_SPANS = [
  { value: 'missing', label: ['Not handed in', 'لم يُسلَّم'] },
  { value: 'expired', label: ['Expired', 'منتهية'] },
  { value: 'd30', label: ['Within 30 days', 'خلال 30 يومًا'] },
  { value: 'd90', label: ['In 31 to 90 days', 'خلال 31–90 يومًا'] },
  { value: 'd180', label: ['In 91 to 180 days', 'خلال 91–180 يومًا'] },
  { value: 'later', label: ['Later', 'بعد ذلك'] },
  { value: 'undated', label: ['Without a date', 'بدون تاريخ'] },
] as const

/** Every dimension of the university's figures, declared once. */
export const DIMENSIONS = {
  faculty: { label: ['Faculty', 'الكلية'], table: 'faculties', resource: 'faculty', order: 'code' },
  department: { label: ['Department', 'القسم'], table: 'departments', resource: 'department', order: 'code' },
  program: { label: ['Program', 'البرنامج'], table: 'programs', resource: 'program', order: 'code' },
  given_faculty: {
    label: ['Faculty given', 'الكلية المرشح لها'],
    table: 'faculties',
    resource: 'faculty',
    order: 'code',
  },
  given_program: {
    label: ['Program given', 'البرنامج المرشح له'],
    table: 'programs',
    resource: 'program',
    order: 'code',
  },
  bylaw: { label: ['Bylaw', 'اللائحة'], table: 'bylaws', resource: 'bylaw', order: 'code' },
  level: { label: ['Level', 'المستوى'], kind: 'number', order: 'value' },
  status: { label: ['Status', 'الحالة'], choices: STUDENT_STATUSES, order: 'value' },
  gender: { label: ['Gender', 'النوع'], choices: GENDERS, order: 'value', sensitive: true },
  nationality: { label: ['Nationality', 'الجنسية'], table: 'countries', resource: 'country', sensitive: true },
  cohort: { label: ['Cohort', 'دفعة الالتحاق'], table: 'terms', resource: 'term', order: 'start' },
  term: { label: ['Term', 'الفصل الدراسي'], table: 'terms', resource: 'term', order: 'start' },
  year: { label: ['Academic year', 'العام الدراسي'], table: 'years', resource: 'year', order: 'start' },
  graduation_year: { label: ['Year of graduation', 'سنة التخرج'], table: 'years', resource: 'year', order: 'start' },
  years_needed: { label: ['Years needed', 'سنوات الدراسة'], kind: 'number', order: 'value' },
  rating: { label: ['Rating', 'التقدير'], kind: 'text', order: 'value', sensitive: true },
  course: { label: ['Course', 'المقرر'], table: 'courses', resource: 'course' },
  state: { label: ['Status of registration', 'حالة التسجيل'], choices: REGISTRATION_STATES, order: 'value' },
  attempt: { label: ['Attempt', 'نوع التسجيل'], choices: ATTEMPTS, order: 'value' },
  weekday: { label: ['Day of the week', 'يوم الأسبوع'], choices: DAYS_OF_WEEK, order: 'value' },
  slot: { label: ['Time slot', 'الفترة الزمنية'], table: 'slots', resource: 'slot', order: 'code' },
  meeting: { label: ['Kind of meeting', 'نوع الموعد'], choices: MEETING_KINDS, order: 'value' },
  building: { label: ['Building', 'المبنى'], table: 'buildings', resource: 'building', order: 'code' },
  location: { label: ['Location', 'القاعة'], table: 'locations', resource: 'location', order: 'code' },
  instructor: { label: ['Instructor', 'عضو هيئة التدريس'], table: 'instructors', resource: 'instructor' },
  admission: { label: ['Admission', 'فترة القبول'], table: 'admissions', resource: 'admission', order: 'code' },
  admission_type: { label: ['Type of admission', 'نوع القبول'], choices: APPLICANT_TYPES, order: 'value' },
  application_state: { label: ['Status of application', 'حالة الطلب'], choices: APPLICANT_STATUSES, order: 'value' },
  wish: { label: ['Wish', 'الرغبة'], kind: 'number', order: 'value' },
  certificate: {
    label: ['Certificate', 'الشهادة'],
    table: 'certificate_types',
    resource: 'certificateType',
    sensitive: true,
  },
  governorate: {
    label: ['Governorate or community', 'المحافظة أو الجالية'],
    table: 'communities',
    resource: 'community',
    sensitive: true,
  },
  day: { label: ['Day', 'اليوم'], kind: 'day', order: 'value' },
  as_of: { label: ['As of', 'كما في يوم'], kind: 'day', order: 'value' },
  origin: { label: ['Where from', 'من أين'], choices: COURSE_ORIGINS, order: 'value' },
  university: { label: ['University', 'الجامعة'], table: 'universities_list', resource: 'otherUniversity' },
  decision: { label: ['Decision', 'القرار'], choices: EQUIVALENCE_STATES, order: 'value' },
  document: {
    label: ['Document', 'المستند'],
    table: 'document_kinds',
    resource: 'documentKind',
    order: 'code',
  },
  expiry_month: { label: ['Ends in month', 'تنتهي في شهر'], kind: 'text', order: 'value', sensitive: true },
  expiry: { label: ['Ends', 'تنتهي'], choices: EXPIRY_SPANS, order: 'value', sensitive: true },
} as const satisfies Readonly<Record<string, Dimension>>

export type DimensionKey = keyof typeof DIMENSIONS
export const DIMENSION_KEYS = Object.keys(DIMENSIONS) as DimensionKey[]
/** A dimension with all that any of them may have. */
export const dimensionOf = (key: DimensionKey): Dimension => DIMENSIONS[key]
/** Whether its values are ids or other whole numbers. */
export const isNumbered = (key: DimensionKey): boolean => {
  const { table, kind, choices } = dimensionOf(key)
  return Boolean(table) || kind === 'number' || typeof choices?.[0]?.value === 'number'
}
