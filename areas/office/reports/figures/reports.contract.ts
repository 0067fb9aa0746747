import type { Label } from '#kit/contract/index.ts'
import type { DimensionKey } from './dimensions.contract.ts'
import type { MeasureKey, SubjectKey } from './measures.contract.ts'
import type { ReportRight } from './rights.contract.ts'

/** A report is a declaration: figures, by what they may be told apart, by what narrowed, and how they are drawn. */
export interface SystemReport {
  readonly label: Label
  readonly text: Label
  readonly permission: ReportRight
  readonly screen: string
  readonly of: SubjectKey
  readonly measures: readonly MeasureKey[]
  /** The first one unless another is chosen. */
  readonly rows: readonly DimensionKey[]
  readonly columns: readonly DimensionKey[]
  readonly filters: readonly DimensionKey[]
  /** The term it is narrowed to unless a term, a year or all of them are asked for. */
  readonly current?: 'current_term' | 'current_control_term'
  readonly chart: 'bar' | 'line'
  /** What is drawn where the first measure is not what it is about. */
  readonly draws?: readonly MeasureKey[]
  /** What stands in columns unless another measure is chosen; else what is drawn first. */
  readonly crossed?: MeasureKey
}

const PLACES = ['faculty', 'department', 'program', 'bylaw'] as const
const PERSON = ['gender', 'nationality'] as const

/** The reports of the system, by the link under which each is fetched. */
export const SYSTEM_REPORTS = {
  admission: {
    label: ['Applicants', 'المتقدمون'],
    text: ['Who applied, how far the applications came', 'من تقدم وإلى أين وصلت الطلبات'],
    permission: 'access_report_admission',
    screen: '/admission-reports',
    of: 'applicant',
    measures: ['applicants', 'unfinished', 'sent', 'given_place', 'admitted', 'admitted_share', 'mean_percentage'],
    rows: [
      'application_state',
      'admission',
      'given_faculty',
      'given_program',
      'certificate',
      'governorate',
      'day',
      ...PERSON,
    ],
    columns: ['gender', 'admission', 'application_state'],
    filters: ['admission', 'admission_type', 'given_faculty', 'given_program', 'certificate', 'governorate', ...PERSON],
    chart: 'bar',
  },
  'admission-wishes': {
    label: ['Wishes', 'الرغبات'],
    text: ['What applicants wish for, and who got it', 'ما يرغب فيه المتقدمون ومن ناله'],
    permission: 'access_report_admission',
    screen: '/admission-reports',
    of: 'wish',
    measures: ['wishes', 'first_wishes', 'wishers', 'got_it', 'got_share', 'lowest'],
    rows: ['program', 'wish', 'faculty', 'admission', 'certificate', 'governorate', ...PERSON],
    columns: ['wish', 'gender', 'certificate'],
    filters: ['admission', 'admission_type', 'faculty', 'program', 'wish', 'certificate', 'governorate', ...PERSON],
    chart: 'bar',
  },
  'admission-days': {
    label: ['Day by day', 'يومًا بيوم'],
    text: ['Applications by the day on which they were sent in', 'الطلبات حسب يوم إرسالها'],
    permission: 'access_report_admission',
    screen: '/admission-reports',
    of: 'applicant',
    measures: ['sent', 'given_place', 'admitted', 'mean_percentage'],
    rows: ['day'],
    columns: ['admission', 'gender'],
    filters: ['admission', 'admission_type', 'given_faculty', 'given_program', 'certificate', 'governorate', ...PERSON],
    chart: 'line',
    draws: ['sent'],
  },
  students: {
    label: ['Students', 'الطلاب'],
    text: ['Who studies where, as it stands now', 'من يدرس وأين، كما هو الآن'],
    permission: 'access_report_Registrations',
    screen: '/registrations-report',
    of: 'student',
    measures: ['students', 'new_students', 'warned', 'mean_gpa', 'left', 'people'],
    rows: [...PLACES, 'level', 'status', 'cohort', ...PERSON],
    columns: ['gender', 'level', 'status', 'cohort'],
    filters: [...PLACES, 'level', 'status', 'cohort', ...PERSON],
    chart: 'bar',
  },
  registrations: {
    label: ['Registrations and load', 'التسجيلات والعبء'],
    text: ['Registrations, hours and load of a term', 'التسجيلات والساعات والعبء الدراسي لفصل'],
    permission: 'access_report_Registrations',
    screen: '/registrations-report',
    of: 'registration',
    measures: ['registered_students', 'registered', 'hours', 'load', 'requested'],
    rows: [...PLACES, 'level', 'course', 'term', 'year', 'state', 'attempt', ...PERSON],
    columns: ['gender', 'level', 'term', 'attempt'],
    filters: ['year', 'term', ...PLACES, 'level', 'course', 'state', 'attempt', ...PERSON],
    current: 'current_term',
    chart: 'bar',
  },
  'add-drop': {
    label: ['Add and drop', 'الإضافة والحذف'],
    text: ['What students added, dropped and left', 'ما أضافه الطلاب وحذفوه وتركوه'],
    permission: 'access_report_Registrations',
    screen: '/registrations-report',
    of: 'registration',
    measures: ['added', 'dropped', 'withdrawn', 'excused', 'lost_share', 'registered'],
    rows: ['faculty', 'department', 'program', 'level', 'course', 'term', 'year', ...PERSON],
    columns: ['gender', 'level', 'term'],
    filters: ['year', 'term', ...PLACES, 'level', 'course', ...PERSON],
    current: 'current_term',
    chart: 'bar',
    draws: ['added', 'dropped', 'withdrawn', 'excused'],
    crossed: 'dropped',
  },
  results: {
    label: ['Results', 'النتائج'],
    text: ['Who passed and failed, as far as results are published', 'الناجحون والراسبون فيما أُعلن من النتائج'],
    permission: 'access_report_Registrations',
    screen: '/registrations-report',
    of: 'registration',
    measures: ['registered', 'passed', 'failed', 'pass_share', 'withdrawn'],
    rows: ['faculty', 'department', 'program', 'level', 'course', 'term', 'year', 'attempt', ...PERSON],
    columns: ['gender', 'level', 'attempt', 'term'],
    filters: ['year', 'term', ...PLACES, 'level', 'course', 'attempt', ...PERSON],
    current: 'current_control_term',
    chart: 'bar',
    draws: ['passed', 'failed'],
    crossed: 'pass_share',
  },
  occupancy: {
    label: ['Occupancy', 'الإشغال'],
    text: ['Seats of meetings and who took them', 'أماكن المواعيد وما شُغل منها'],
    permission: 'access_report_Registrations',
    screen: '/registrations-report',
    of: 'meeting',
    measures: ['meetings', 'seats', 'taken', 'free', 'occupancy'],
    rows: ['slot', 'weekday', 'faculty', 'department', 'course', 'meeting', 'building', 'location', 'term'],
    columns: ['weekday', 'meeting'],
    filters: ['year', 'term', 'faculty', 'department', 'course', 'weekday', 'slot', 'meeting', 'building', 'location'],
    current: 'current_term',
    chart: 'bar',
    draws: ['occupancy'],
  },
  'staff-load': {
    label: ['Load of staff', 'نصاب التدريس'],
    text: ['Meetings and hours that instructors teach in a week', 'المواعيد والساعات التي تُدرَّس أسبوعيًا'],
    permission: 'access_report_Registrations',
    screen: '/registrations-report',
    of: 'teaching',
    measures: ['teachers', 'taught_meetings', 'taught_hours', 'mean_teaching'],
    rows: ['faculty', 'department', 'instructor', 'weekday', 'meeting', 'term'],
    columns: ['weekday', 'meeting'],
    filters: ['year', 'term', 'faculty', 'department', 'instructor', 'meeting'],
    current: 'current_term',
    chart: 'bar',
    draws: ['taught_hours'],
  },
  graduates: {
    label: ['Graduates', 'الخريجون'],
    text: ['Who graduated, in how many years, with what rating', 'من تخرج وفي كم سنة وبأي تقدير'],
    permission: 'access_report_graduates',
    screen: '/graduat-reports',
    of: 'graduate',
    measures: ['graduates', 'in_time', 'in_time_share', 'mean_years', 'graduates_gpa'],
    rows: ['graduation_year', 'cohort', 'faculty', 'department', 'program', 'years_needed', 'rating', ...PERSON],
    columns: ['rating', 'gender', 'years_needed'],
    filters: ['graduation_year', 'cohort', ...PLACES, 'years_needed', ...PERSON],
    chart: 'bar',
  },
  cohorts: {
    label: ['Cohorts', 'الدفعات'],
    text: ['What became of those who entered: retention and completion', 'ما آل إليه الملتحقون: الاستمرار والإتمام'],
    permission: 'access_report_graduates',
    screen: '/graduat-reports',
    of: 'cohort',
    measures: ['entered', 'after_a_year', 'retention', 'still_here', 'completed', 'gone', 'completion'],
    rows: ['cohort', 'year', 'faculty', 'department', 'program', ...PERSON],
    columns: ['gender', 'cohort'],
    filters: ['cohort', 'year', ...PLACES, ...PERSON],
    chart: 'bar',
    draws: ['still_here', 'completed', 'gone'],
    crossed: 'entered',
  },
  equivalence: {
    label: ['Equivalences', 'المعادلات'],
    text: ['Courses from elsewhere: from where, what was accepted', 'مقررات من جهات أخرى: مصدرها وما قُبل منها'],
    permission: 'access_report_equivalence',
    screen: '/equivalent-report',
    of: 'equivalence',
    measures: [
      'moved_students',
      'courses_asked',
      'courses_accepted',
      'courses_refused',
      'courses_open',
      'accepted_share',
      'hours_brought',
      'hours_accepted',
    ],
    rows: ['university', 'origin', 'faculty', 'program', 'term', 'decision', 'course', ...PERSON],
    columns: ['decision', 'origin', 'gender'],
    filters: ['origin', 'university', 'year', 'term', 'faculty', 'program', 'decision', ...PERSON],
    chart: 'bar',
    draws: ['courses_accepted', 'courses_refused', 'courses_open'],
    crossed: 'courses_asked',
  },
  foreigners: {
    label: ['Foreign students', 'الطلاب الوافدون'],
    text: ['Students of other nationalities', 'طلاب من جنسيات أخرى'],
    permission: 'access_report_foreigners',
    screen: '/foreigner-report',
    of: 'foreigner',
    measures: ['foreigners', 'foreign_new', 'foreign_women', 'foreign_graduates'],
    rows: ['nationality', 'faculty', 'department', 'program', 'level', 'status', 'cohort', 'gender'],
    columns: ['faculty', 'gender', 'level', 'status'],
    filters: [...PLACES, 'level', 'status', 'cohort', ...PERSON],
    chart: 'bar',
  },
  'foreigners-permits': {
    label: ['Visas and permits', 'التأشيرات والإقامات'],
    text: [
      'Which passports, visas and permits end soon or are missing',
      'ما ينتهي قريبًا أو ينقص من الجوازات والتأشيرات والإقامات',
    ],
    permission: 'access_report_foreigners',
    screen: '/foreigner-report',
    of: 'permit',
    measures: ['permits', 'permits_missing', 'permits_expired', 'permits_soon'],
    rows: ['expiry', 'expiry_month', 'document', 'nationality', 'faculty', 'program'],
    columns: ['document', 'expiry'],
    filters: ['document', 'expiry', 'faculty', 'program', 'level', ...PERSON],
    chart: 'bar',
  },
  'foreigners-fees': {
    label: ['Fees in USD', 'الرسوم بالدولار'],
    text: ['What foreign students owe and paid in US dollars', 'مستحقات الوافدين ومدفوعاتهم بالدولار'],
    permission: 'access_report_foreigners',
    screen: '/foreigner-report',
    of: 'foreign_invoice',
    measures: ['foreign_payers', 'usd_charged', 'usd_paid', 'usd_open', 'usd_share'],
    rows: ['nationality', 'faculty', 'program', 'year', 'term', 'level'],
    columns: ['year', 'faculty'],
    filters: ['year', 'term', 'faculty', 'program', 'level', ...PERSON],
    chart: 'bar',
    draws: ['usd_paid', 'usd_open'],
    crossed: 'usd_charged',
  },
} as const satisfies Readonly<Record<string, SystemReport>>

export type ReportLink = keyof typeof SYSTEM_REPORTS
export const SYSTEM_LINKS = Object.keys(SYSTEM_REPORTS) as [ReportLink, ...ReportLink[]]
/** A report with all that any of them may have. */
export const systemReport = (link: ReportLink): SystemReport => SYSTEM_REPORTS[link]
/** The measure that stands in columns unless another is chosen. */
export const crossedOf = (report: SystemReport): MeasureKey => report.crossed ?? drawnOf(report)[0]!
/** What it is drawn by: the measures it names, else the first. */
export const drawnOf = (report: SystemReport): readonly MeasureKey[] => report.draws ?? report.measures.slice(0, 1)
