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
