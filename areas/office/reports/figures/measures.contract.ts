import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Label } from '#kit/contract/index.ts'
import type { DimensionKey } from './dimensions.contract.ts'

/** What a figure is counted in, and so how it is written. */
export type MeasureUnit = 'count' | 'hours' | 'percent' | 'points' | 'years' | 'usd'

/** Rows from which figures are made: who may open them, and how far, and the list in which they are found. */
export interface Subject {
  readonly label: Label
  /** The right to the rows. Figures are told by the right to a report; who made them up is told by this one. */
  readonly rows: PermissionKey
  /** The list that holds them, with the filter of the list for each dimension it can be narrowed by. */
  readonly list?: { readonly path: string; readonly filters: Partial<Readonly<Record<DimensionKey, string>>> }
}

/** Everything that figures are made of. */
export const SUBJECTS = {
  student: {
    label: ['Students', 'الطلاب'],
    rows: 'access_students',
    list: {
      path: '/students',
      filters: { faculty: 'faculty_id', program: 'program_id', bylaw: 'bylaw_id', level: 'level', status: 'status' },
    },
  },
  standing: { label: ['Students as of a day', 'الطلاب كما في يوم محدد'], rows: 'access_students' },
  foreigner: { label: ['Foreign students', 'الطلاب الوافدون'], rows: 'access_students' },
  permit: { label: ['Documents that expire', 'المستندات المحددة المدة'], rows: 'access_studentDocument' },
  foreign_invoice: {
    label: ['Invoices in USD', 'الفواتير بالدولار'],
    rows: 'access_payment',
  },
  graduate: {
    label: ['Graduates', 'الخريجون'],
    rows: 'access_students',
    list: {
      path: '/students',
      filters: { faculty: 'faculty_id', program: 'program_id', bylaw: 'bylaw_id' },
    },
  },
  cohort: { label: ['Students of a cohort', 'طلاب الدفعة'], rows: 'access_students' },
  registration: {
    label: ['Registrations', 'التسجيلات'],
    rows: 'access_registration',
    list: {
      path: '/registrations',
      filters: {
        term: 'term_id',
        faculty: 'faculty_id',
        program: 'program_id',
        level: 'level',
        course: 'course_id',
        state: 'state',
        attempt: 'attempt',
      },
    },
  },
  meeting: { label: ['Meetings', 'المواعيد'], rows: 'access_offering' },
  teaching: { label: ['Meetings of instructors', 'مواعيد أعضاء هيئة التدريس'], rows: 'access_offering' },
  applicant: {
    label: ['Applicants', 'المتقدمون'],
    rows: 'access_applicant',
    list: {
      path: '/applicants',
      filters: { admission: 'admission_id', admission_type: 'applicant_type', application_state: 'status' },
    },
  },
  wish: { label: ['Wishes of applicants', 'رغبات المتقدمين'], rows: 'access_applicant' },
  equivalence: { label: ['Courses from elsewhere', 'المقررات من جهات أخرى'], rows: 'access_transfer' },
} as const satisfies Readonly<Record<string, Subject>>
export type SubjectKey = keyof typeof SUBJECTS
export const figureSubject = (key: SubjectKey): Subject => SUBJECTS[key]

/** A figure: what it is of, what it is called, what it is counted in. How it is made stands with its subject on the server. */
export interface Measure {
  readonly of: SubjectKey
  readonly label: Label
  readonly unit: MeasureUnit
  /** It tells a mark or the like of one person where it is of one: then it is told to those who may read that. */
  readonly told?: PermissionKey
  /** What is left of a known whole: who knows one of both knows the other. */
  readonly beside?: string
  /** What the list behind is narrowed by besides: only these values are counted. */
  readonly only?: Partial<Readonly<Record<DimensionKey, readonly (string | number)[]>>>
}
const count = { unit: 'count' } as const
const percent = { unit: 'percent' } as const
const record = 'show_student_record'

/** Every measure of the university, declared once. */
export const FIGURE_MEASURES = {
  students: { of: 'student', label: ['Students', 'الطلاب'], ...count, only: { status: ['studying'] } },
  people: { of: 'student', label: ['All students', 'كل الطلاب'], ...count },
  new_students: { of: 'student', label: ['New students', 'الطلاب الجدد'], ...count },
  warned: { of: 'student', label: ['Under warning', 'تحت الإنذار'], ...count, told: record },
  left: { of: 'student', label: ['Left', 'تركوا الدراسة'], ...count },
  mean_gpa: { of: 'student', label: ['Mean GPA', 'متوسط المعدل'], unit: 'points', told: record },

  students_then: { of: 'standing', label: ['Students then', 'الطلاب حينها'], ...count },
  people_then: { of: 'standing', label: ['All students then', 'كل الطلاب حينها'], ...count },

  graduates: { of: 'graduate', label: ['Graduates', 'الخريجون'], ...count, only: { status: ['graduated'] } },
  mean_years: { of: 'graduate', label: ['Mean years needed', 'متوسط سنوات الدراسة'], unit: 'years' },
  in_time: { of: 'graduate', label: ['In time', 'في المدة المقررة'], ...count },
  in_time_share: { of: 'graduate', label: ['Share in time', 'نسبة المتخرجين في المدة'], ...percent },
  graduates_gpa: { of: 'graduate', label: ['Mean GPA', 'متوسط المعدل'], unit: 'points', told: record },

  entered: { of: 'cohort', label: ['Entered', 'التحقوا'], ...count },
  after_a_year: { of: 'cohort', label: ['Here a year later', 'مستمرون بعد عام'], ...count },
  retention: { of: 'cohort', label: ['Retention after a year', 'نسبة الاستمرار بعد عام'], ...percent },
  still_here: { of: 'cohort', label: ['Still studying', 'ما زالوا مقيدين'], ...count },
  completed: { of: 'cohort', label: ['Graduated', 'تخرجوا'], ...count },
  gone: { of: 'cohort', label: ['Left', 'تركوا الدراسة'], ...count },
  completion: { of: 'cohort', label: ['Completion', 'نسبة إتمام الدراسة'], ...percent },

  registered: { of: 'registration', label: ['Registrations', 'التسجيلات'], ...count },
  registered_students: { of: 'registration', label: ['Students registered', 'الطلاب المسجلون'], ...count },
  hours: { of: 'registration', label: ['Hours registered', 'الساعات المسجلة'], unit: 'hours' },
  load: { of: 'registration', label: ['Mean load', 'متوسط العبء الدراسي'], unit: 'hours' },
  requested: { of: 'registration', label: ['Requests', 'الطلبات'], ...count },
  passed: { of: 'registration', label: ['Passed', 'ناجح'], ...count, told: record, beside: 'failed' },
  failed: { of: 'registration', label: ['Failed', 'راسب'], ...count, told: record, beside: 'passed' },
  pass_share: { of: 'registration', label: ['Share passed', 'نسبة النجاح'], ...percent, told: record },
  added: { of: 'registration', label: ['Added', 'مضاف'], ...count },
  dropped: { of: 'registration', label: ['Dropped', 'محذوف'], ...count, only: { state: ['Dropped'] } },
  withdrawn: {
    of: 'registration',
    label: ['Withdrawn', 'منسحب'],
    ...count,
    only: { state: ['Withdrawn', 'ForcedWithdrawn'] },
  },
  excused: { of: 'registration', label: ['Excused', 'معذور'], ...count, only: { state: ['Excused'] } },
  lost_share: { of: 'registration', label: ['Share lost', 'نسبة الفاقد'], ...percent },

  meetings: { of: 'meeting', label: ['Meetings', 'المواعيد'], ...count },
  seats: { of: 'meeting', label: ['Seats', 'الأماكن'], ...count },
  taken: { of: 'meeting', label: ['Taken', 'المشغول'], ...count },
  free: { of: 'meeting', label: ['Free', 'المتاح'], ...count },
  occupancy: { of: 'meeting', label: ['Occupancy', 'نسبة الإشغال'], ...percent },
  teachers: { of: 'teaching', label: ['Instructors', 'أعضاء هيئة التدريس'], ...count },
  taught_meetings: { of: 'teaching', label: ['Meetings a week', 'المواعيد في الأسبوع'], ...count },
  taught_hours: { of: 'teaching', label: ['Hours a week', 'الساعات في الأسبوع'], unit: 'hours' },
  mean_teaching: { of: 'teaching', label: ['Mean hours a week', 'متوسط الساعات في الأسبوع'], unit: 'hours' },

  applicants: { of: 'applicant', label: ['Applicants', 'المتقدمون'], ...count },
  unfinished: {
    of: 'applicant',
    label: ['Not sent in', 'لم يُرسل'],
    ...count,
    only: { application_state: ['INCOMPLETE'] },
  },
  sent: { of: 'applicant', label: ['Sent in', 'طلبات مرسلة'], ...count },
  given_place: { of: 'applicant', label: ['Given a program', 'رُشحوا لبرنامج'], ...count },
  admitted: { of: 'applicant', label: ['Accepted or paid', 'قُبلوا أو سددوا'], ...count },
  admitted_share: { of: 'applicant', label: ['Share accepted', 'نسبة القبول'], ...percent },
  mean_percentage: { of: 'applicant', label: ['Mean percentage', 'متوسط النسبة'], ...percent, told: 'show_applicant' },

  wishes: { of: 'wish', label: ['Wishes', 'الرغبات'], ...count },
  first_wishes: { of: 'wish', label: ['As first wish', 'رغبة أولى'], ...count },
  wishers: { of: 'wish', label: ['Applicants', 'المتقدمون'], ...count },
  got_it: { of: 'wish', label: ['Given this wish', 'نالوا هذه الرغبة'], ...count },
  got_share: { of: 'wish', label: ['Share given', 'نسبة التحقق'], ...percent },
  lowest: { of: 'wish', label: ['Lowest percentage given', 'أقل نسبة مقبولة'], ...percent, told: 'show_applicant' },

  foreigners: { of: 'foreigner', label: ['Foreign students', 'الطلاب الوافدون'], ...count },
  foreign_new: { of: 'foreigner', label: ['New students', 'الطلاب الجدد'], ...count },
  foreign_women: { of: 'foreigner', label: ['Women', 'الإناث'], ...count },
  foreign_graduates: { of: 'foreigner', label: ['Graduates', 'الخريجون'], ...count },
  permits: { of: 'permit', label: ['Documents', 'المستندات'], ...count },
  permits_missing: { of: 'permit', label: ['Not handed in', 'لم يُسلَّم'], ...count, only: { expiry: ['missing'] } },
  permits_expired: { of: 'permit', label: ['Expired', 'منتهية'], ...count, only: { expiry: ['expired'] } },
  permits_soon: {
    of: 'permit',
    label: ['End within 90 days', 'تنتهي خلال 90 يومًا'],
    ...count,
    only: { expiry: ['d30', 'd90'] },
  },
  foreign_payers: { of: 'foreign_invoice', label: ['Students', 'الطلاب'], ...count },
  usd_charged: { of: 'foreign_invoice', label: ['Charged (USD)', 'المستحق (دولار)'], unit: 'usd' },
  usd_paid: { of: 'foreign_invoice', label: ['Paid (USD)', 'المسدد (دولار)'], unit: 'usd' },
  usd_open: { of: 'foreign_invoice', label: ['Still to pay (USD)', 'المتبقي (دولار)'], unit: 'usd' },
  usd_share: { of: 'foreign_invoice', label: ['Share paid', 'نسبة السداد'], ...percent },

  courses_asked: { of: 'equivalence', label: ['Courses', 'المقررات'], ...count },
  courses_accepted: { of: 'equivalence', label: ['Accepted', 'مقبول'], ...count, only: { decision: ['accepted'] } },
  courses_refused: {
    of: 'equivalence',
    label: ['Count as nothing', 'لا تُحتسب'],
    ...count,
    only: { decision: ['refused'] },
  },
  courses_open: {
    of: 'equivalence',
    label: ['Not decided yet', 'لم يُبت فيه بعد'],
    ...count,
    only: { decision: ['open'] },
  },
  accepted_share: { of: 'equivalence', label: ['Share accepted', 'نسبة القبول'], ...percent },
  hours_brought: { of: 'equivalence', label: ['Hours brought', 'الساعات المقدمة'], unit: 'hours' },
  hours_accepted: { of: 'equivalence', label: ['Hours accepted', 'الساعات المحتسبة'], unit: 'hours' },
  moved_students: { of: 'equivalence', label: ['Students', 'الطلاب'], ...count },
} as const satisfies Readonly<Record<string, Measure>>

export type MeasureKey = keyof typeof FIGURE_MEASURES
export const MEASURE_KEYS = Object.keys(FIGURE_MEASURES) as MeasureKey[]
export const measureOf = (key: MeasureKey): Measure => FIGURE_MEASURES[key]
/** Measures of one subject. */
export type MeasureOf<S extends SubjectKey> = {
  [K in MeasureKey]: (typeof FIGURE_MEASURES)[K]['of'] extends S ? K : never
}[MeasureKey]
