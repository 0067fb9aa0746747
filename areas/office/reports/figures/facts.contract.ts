import type { Label } from '#kit/contract/index.ts'

/** What stands beside a row that is behind a figure, and how it is written. */
export interface RowFact {
  readonly label: Label
  readonly kind: 'text' | 'number' | 'day' | 'usd'
}
/** Every fact of a row, named once. A text comes as it is, or as a pair: English, Arabic. */
export const ROW_FACTS = {
  program: { label: ['Program', 'البرنامج'], kind: 'text' },
  level: { label: ['Level', 'المستوى'], kind: 'number' },
  status: { label: ['Status', 'الحالة'], kind: 'text' },
  as_of: { label: ['As of', 'كما في يوم'], kind: 'day' },
  nationality: { label: ['Nationality', 'الجنسية'], kind: 'text' },
  cohort: { label: ['Cohort', 'الدفعة'], kind: 'text' },
  graduated_on: { label: ['Graduated on', 'تاريخ التخرج'], kind: 'day' },
  years_needed: { label: ['Years needed', 'سنوات الدراسة'], kind: 'number' },
  document: { label: ['Document', 'المستند'], kind: 'text' },
  valid_until: { label: ['Valid until', 'صالح حتى'], kind: 'day' },
  ends: { label: ['Ends', 'تنتهي'], kind: 'text' },
  charged: { label: ['Charged (USD)', 'المستحق (دولار)'], kind: 'usd' },
  paid: { label: ['Paid (USD)', 'المسدد (دولار)'], kind: 'usd' },
  course: { label: ['Course', 'المقرر'], kind: 'text' },
  term: { label: ['Term', 'الفصل الدراسي'], kind: 'text' },
  credit_hours: { label: ['Credit hours', 'الساعات المعتمدة'], kind: 'number' },
  attempt: { label: ['Attempt', 'نوع التسجيل'], kind: 'text' },
  meeting: { label: ['Kind of meeting', 'نوع الموعد'], kind: 'text' },
  weekday: { label: ['Day of the week', 'يوم الأسبوع'], kind: 'text' },
  slot: { label: ['Time slot', 'الفترة الزمنية'], kind: 'text' },
  location: { label: ['Location', 'القاعة'], kind: 'text' },
  seats: { label: ['Seats', 'الأماكن'], kind: 'number' },
  taken: { label: ['Taken', 'المشغول'], kind: 'number' },
  instructor: { label: ['Instructor', 'عضو هيئة التدريس'], kind: 'text' },
  certificate: { label: ['Certificate', 'الشهادة'], kind: 'text' },
  governorate: { label: ['Governorate or community', 'المحافظة أو الجالية'], kind: 'text' },
  given_program: { label: ['Program given', 'البرنامج المرشح له'], kind: 'text' },
  wish: { label: ['Wish', 'الرغبة'], kind: 'number' },
  origin: { label: ['Where from', 'من أين'], kind: 'text' },
  university: { label: ['University', 'الجامعة'], kind: 'text' },
  course_there: { label: ['Course there', 'المقرر هناك'], kind: 'text' },
  hours_brought: { label: ['Hours brought', 'الساعات المقدمة'], kind: 'number' },
  decision: { label: ['Decision', 'القرار'], kind: 'text' },
  counts_as: { label: ['Counts as', 'يُحتسب'], kind: 'text' },
  hours_accepted: { label: ['Hours accepted', 'الساعات المحتسبة'], kind: 'number' },
} as const satisfies Readonly<Record<string, RowFact>>
export type FactKey = keyof typeof ROW_FACTS
export const FACT_KEYS = Object.keys(ROW_FACTS) as FactKey[]
