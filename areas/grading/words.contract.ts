import type { Choice } from '#kit/contract/index.ts'

/** How a student stands after a term. */
export const STANDINGS = [
  { value: 'good', label: ['Good standing', 'منتظم'], tone: 'done' },
  { value: 'warned', label: ['Under warning', 'منذر'], tone: 'waiting' },
  { value: 'dismissed', label: ['Up for dismissal', 'معرض للفصل'], tone: 'refused' },
] as const satisfies readonly Choice[]

/** States of a registration that stand on a list of results. */
export const RESULT_STATES = [
  { value: 'Registered', label: ['Registered', 'مسجل'], tone: 'active' },
  { value: 'DropRequest', label: ['Asks to drop', 'يطلب الحذف'], tone: 'waiting' },
  { value: 'WithdrawRequest', label: ['Asks to withdraw', 'يطلب الانسحاب'], tone: 'waiting' },
  { value: 'ExcuseRequest', label: ['Asks to be excused', 'يطلب الاعتذار'], tone: 'waiting' },
  { value: 'Incomplete', label: ['Incomplete', 'غير مكتمل'], tone: 'waiting' },
  { value: 'Complete', label: ['Completed', 'مستكمل'], tone: 'active' },
  { value: 'Absent', label: ['Absent', 'غائب'], tone: 'refused' },
  { value: 'Banned', label: ['Barred', 'محروم'], tone: 'refused' },
  { value: 'Punished', label: ['Punished', 'معاقب'], tone: 'refused' },
  { value: 'Withdrawn', label: ['Withdrawn', 'منسحب'], tone: 'frozen' },
  { value: 'ForcedWithdrawn', label: ['Forced withdrawal', 'منسحب إجباريًا'], tone: 'frozen' },
  { value: 'Excused', label: ['Excused', 'معتذر'], tone: 'frozen' },
] as const satisfies readonly Choice[]

/** Which attempt at the course it is. */
export const ATTEMPTS = [
  { value: 'Fresh', label: ['First attempt', 'المحاولة الأولى'] },
  { value: 'Repeat', label: ['Repeat', 'إعادة'] },
  { value: 'Improve', label: ['Improvement', 'تحسين'] },
] as const satisfies readonly Choice[]
