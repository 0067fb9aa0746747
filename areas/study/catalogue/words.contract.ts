/** Choices that several capabilities of the catalogue share. */

/** How the study advances under a bylaw or in a program. */
export const PROGRAM_TYPES = [
  { value: 'credit_hours', label: ['Credit hours', 'ساعات معتمدة'] },
  { value: 'term', label: ['Term marks', 'نظام الفصلين'] },
  { value: 'annual', label: ['Annual', 'نظام سنوي'] },
] as const

/** What a course of a study plan is there for. */
export const PLAN_KINDS = [
  { value: 'mandatory', label: ['Mandatory', 'إجباري'] },
  { value: 'elective', label: ['Elective', 'اختياري'] },
  { value: 'university', label: ['University requirement', 'متطلب جامعة'] },
  { value: 'faculty', label: ['Faculty requirement', 'متطلب كلية'] },
] as const

/** Before the first degree, or after it. */
export const STUDY_LEVELS = [
  { value: 'undergraduate', label: ['Undergraduate', 'المرحلة الجامعية الأولى'] },
  { value: 'postgraduate', label: ['Postgraduate', 'الدراسات العليا'] },
] as const

/** Stages of a research plan. */
export const RESEARCH_STAGES = [
  { value: 'coursework', label: ['Coursework', 'المقررات الدراسية'] },
  { value: 'qualifying_exam', label: ['Qualifying exam', 'الامتحان التأهيلي'] },
  { value: 'proposal', label: ['Research proposal', 'المقترح البحثي'] },
  { value: 'seminar', label: ['Seminars', 'حلقات النقاش (سيمنار)'] },
  { value: 'publication', label: ['Publication', 'النشر العلمي'] },
  { value: 'defence', label: ['Defence', 'المناقشة والحكم'] },
] as const

/** The two requirement lists of a bylaw and of its programs. */
export const REQUIREMENT_TYPES = ['university', 'faculty'] as const
export type RequirementType = (typeof REQUIREMENT_TYPES)[number]

/** Which average can earn a warning. */
export const WARNING_TYPES = [
  { value: 'cumulative', label: ['Cumulative', 'التراكمي'] },
  { value: 'term', label: ['Of the term', 'الفصلي'] },
] as const
/** How warnings are counted. */
export const WARNING_COUNTS = [
  { value: 'consecutive', label: ['Consecutive', 'متتالية'] },
  { value: 'total', label: ['In all', 'إجمالي'] },
] as const
/** Which attempt at a repeated course counts. */
export const REPEAT_RULES = [
  { value: 'last', label: ['The last', 'الأخيرة'] },
  { value: 'best', label: ['The best', 'الأفضل'] },
  { value: 'average', label: ['The average', 'المتوسط'] },
] as const
/** What an exception from carrying failed courses means. */
export const CARRIED_KINDS = [
  { value: 'required', label: ['Must be passed to go on', 'يلزم النجاح فيه للانتقال'] },
  { value: 'uncounted', label: ['Carried without counting', 'يُحمَل ولا يُحتسب من العدد'] },
] as const
/** What grace marks may turn. */
export const GRACE_PURPOSES = [
  { value: 'pass_course', label: ['Failed course into passed', 'نجاح في مقرر'] },
  { value: 'promote', label: ['Repeat into promotion', 'الانتقال إلى المستوى التالي'] },
  { value: 'next_rating', label: ['Rating into the next one', 'رفع التقدير'] },
] as const

/** What a state of a registration is called that gives a grade which no percentage gives. */
export const SPECIAL_GRADES = {
  Absent: ['Absent', 'غائب'],
  Banned: ['Banned', 'محروم'],
  Punished: ['Punished', 'معاقب'],
  Withdrawn: ['Withdrawn', 'منسحب'],
  ForcedWithdrawn: ['Forced withdrawal', 'منسحب إجباريًا'],
  Excused: ['Excused', 'معتذر'],
  Incomplete: ['Incomplete', 'غير مكتمل'],
  Exempt: ['Exempt', 'معفى'],
  Audit: ['Audit', 'مستمع'],
} as const
