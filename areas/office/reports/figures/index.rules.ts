/** All reports of the university with the words by which they are found. */
import { fold } from '#kit/contract/fold.ts'
import type { Access, Label } from '#kit/contract/index.ts'
import { DIMENSIONS } from './dimensions.contract.ts'
import { FIGURE_MEASURES } from './measures.contract.ts'
import { SYSTEM_LINKS, systemReport, type ReportLink } from './reports.contract.ts'

/** Under which heading a report stands. */
export const REPORT_GROUPS = {
  admission: ['Admission', 'القبول'],
  study: ['Students and registration', 'الطلاب والتسجيل'],
  graduates: ['Graduates', 'الخريجون'],
  equivalence: ['Equivalences', 'المعادلات'],
  foreigners: ['Foreign students', 'الطلاب الوافدون'],
  finance: ['Finance', 'المالية'],
} as const satisfies Readonly<Record<string, Label>>
export type ReportGroup = keyof typeof REPORT_GROUPS

export interface ListedReport {
  readonly to: string
  readonly group: ReportGroup
  readonly label: Label
  readonly text: Label
  readonly permission: Access
  /** Words beside those of the label and the text. */
  readonly words: readonly Label[]
}
const GROUP_OF: Readonly<Record<string, ReportGroup>> = {
  '/admission-reports': 'admission',
  '/registrations-report': 'study',
  '/graduat-reports': 'graduates',
  '/equivalent-report': 'equivalence',
  '/foreigner-report': 'foreigners',
}
const listed = (link: ReportLink): ListedReport => {
  const report = systemReport(link)
  const first = SYSTEM_LINKS.find((one) => systemReport(one).screen === report.screen) === link
  return {
    to: first ? report.screen : `${report.screen}?tab=${link}`,
    group: GROUP_OF[report.screen]!,
    label: report.label,
    text: report.text,
    permission: report.permission,
    words: [
      ...report.measures.map((key) => FIGURE_MEASURES[key].label),
      ...[...report.rows, ...report.filters].map((key) => DIMENSIONS[key].label),
    ],
  }
}
/** Of rooms: declared beside their figures. */
const OF_ROOMS: readonly ListedReport[] = [
  {
    to: '/rooms-report',
    group: 'study',
    label: ['Use of rooms', 'إشغال القاعات'],
    text: [
      'Rooms and seats in use by day and hour, and what could be freed',
      'القاعات والمقاعد المشغولة حسب اليوم والساعة وما يمكن إخلاؤه',
    ],
    permission: 'access_report_rooms',
    words: [
      ...(['occupancy', 'seats', 'meetings'] as const).map((key) => FIGURE_MEASURES[key].label),
      ...(['building', 'location', 'weekday', 'slot', 'faculty'] as const).map((key) => DIMENSIONS[key].label),
    ],
  },
]
/** Sheets of ministries, in an area of their own. */
const OF_OTHERS: readonly ListedReport[] = [
  {
    to: '/statistical-returns',
    group: 'study',
    label: ['Statistical returns', 'الإحصاءات الرسمية'],
    text: ['Sheets of ministries, filled, checked and sent', 'نماذج الوزارات: استيفاؤها ومراجعتها وإرسالها'],
    permission: 'access_statisticalReturn',
    words: [],
  },
]
const financial = 'access_report_financial'
/** Reports of money have screens of their own. */
const OF_MONEY: readonly ListedReport[] = [
  {
    to: '/finance',
    group: 'finance',
    label: ['Finance dashboard', 'لوحة المالية'],
    text: ['Collected, due and overdue as it stands now', 'المحصَّل والمستحق والمتأخر كما هو الآن'],
    permission: financial,
    words: [],
  },
  {
    to: '/Financial-report',
    group: 'finance',
    label: ['Financial report', 'التقرير المالي'],
    text: [
      'Charged, paid and open by program, by level, of graduates',
      'المستحق والمسدد والمتبقي حسب البرنامج والمستوى وللخريجين',
    ],
    permission: financial,
    words: [],
  },
  {
    to: '/payments-reports',
    group: 'finance',
    label: ['Payment reports', 'تقارير المدفوعات'],
    text: [
      'What was received, invoices by faculty, debts by age',
      'المقبوضات والفواتير حسب الكلية والمديونيات حسب عمرها',
    ],
    permission: financial,
    words: [],
  },
  {
    to: '/finanicials-settings-reports',
    group: 'finance',
    label: ['Report of payment settings', 'تقرير إعدادات الرسوم'],
    text: ['What a year charges, beside another year', 'ما يُحصَّل في عام دراسي مقارنةً بعام آخر'],
    permission: 'access_payment_setting',
    words: [],
  },
]
export const LISTED_REPORTS: readonly ListedReport[] = [
  ...SYSTEM_LINKS.map(listed),
  ...OF_ROOMS,
  ...OF_OTHERS,
  ...OF_MONEY,
]

/** Reports in which every typed word occurs, in whatever language; `say` gives the reader's. Those named so stand first. */
export function foundReports(
  reports: readonly ListedReport[],
  typed: string,
  say: (label: Label) => string,
): readonly ListedReport[] {
  const words = fold(typed).split(/\s+/).filter(Boolean)
  if (!words.length) return reports
  const textOf = (labels: readonly Label[]) => fold(labels.flatMap((label) => [...label, say(label)]).join(' '))
  const all = reports.filter((report) => {
    const text = textOf([report.label, report.text, REPORT_GROUPS[report.group], ...report.words])
    return words.every((word) => text.includes(word))
  })
  const isNamed = (report: ListedReport) => words.every((word) => textOf([report.label]).includes(word))
  return [...all.filter(isNamed), ...all.filter((report) => !isNamed(report))]
}
