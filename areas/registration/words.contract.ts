import type { Label, Tone } from '#kit/contract/index.ts'
import type { AttemptKind, MainFlag, StatusCode } from './status.rules.ts'

type State = { readonly value: MainFlag; readonly label: Label; readonly tone: Tone }

/** States of a registration, in the words of people; the same word on every screen and paper. */
export const REGISTRATION_STATES = [
  { value: 'RegisterRequest', label: ['Requested', 'مطلوب'], tone: 'waiting' },
  { value: 'AddRequest', label: ['Add requested', 'طلب إضافة'], tone: 'waiting' },
  { value: 'Registered', label: ['Registered', 'مسجل'], tone: 'active' },
  { value: 'DropRequest', label: ['Drop requested', 'طلب حذف'], tone: 'waiting' },
  { value: 'WithdrawRequest', label: ['Withdrawal requested', 'طلب انسحاب'], tone: 'waiting' },
  { value: 'ExcuseRequest', label: ['Excuse requested', 'طلب عذر'], tone: 'waiting' },
  { value: 'Dropped', label: ['Dropped', 'محذوف'], tone: 'draft' },
  { value: 'Withdrawn', label: ['Withdrawn', 'منسحب'], tone: 'draft' },
  { value: 'ForcedWithdrawn', label: ['Forced withdrawal', 'سحب إجباري'], tone: 'refused' },
  { value: 'Excused', label: ['Excused', 'معذور'], tone: 'draft' },
  { value: 'Incomplete', label: ['Incomplete', 'غير مكتمل'], tone: 'waiting' },
  { value: 'Complete', label: ['Complete', 'مكتمل'], tone: 'done' },
  { value: 'Absent', label: ['Absent', 'غائب'], tone: 'refused' },
  { value: 'Punished', label: ['Punished', 'معاقب'], tone: 'refused' },
  { value: 'Banned', label: ['Banned', 'محروم'], tone: 'refused' },
] as const satisfies readonly State[]

/** The name of a state. */
export const stateLabel = (state: MainFlag): Label => REGISTRATION_STATES.find((one) => one.value === state)!.label

/** Which attempt at a course a registration is. */
export const ATTEMPTS = [
  { value: 'Fresh', label: ['First attempt', 'تسجيل أول'] },
  { value: 'Repeat', label: ['Repeated', 'إعادة'] },
  { value: 'Improve', label: ['To improve the grade', 'تحسين'] },
] as const satisfies readonly { value: AttemptKind; label: Label }[]

/** The numeric codes of the documents, in words. */
export const STATUS_CODE_LABELS: Readonly<Record<StatusCode, Label>> = {
  1: ['Register request', 'طلب تسجيل'],
  2: ['Registered', 'مسجل'],
  3: ['Withdraw request', 'طلب انسحاب'],
  4: ['Drop request', 'طلب حذف'],
  5: ['Withdrawn', 'منسحب'],
  6: ['Dropped', 'محذوف'],
  7: ['Excused', 'معذور'],
  8: ['Incomplete', 'غير مكتمل'],
  9: ['Add request', 'طلب إضافة'],
  10: ['Absent', 'غائب'],
  11: ['Punished', 'معاقب'],
  12: ['Audit', 'مستمع'],
  13: ['Banned', 'محروم'],
  14: ['Deregistered', 'ملغى التسجيل'],
}

/** What was done, as the history of a registration tells it. */
export const STEP_LABELS = {
  request: ['Requested', 'طلب التسجيل'],
  add: ['Asked to add', 'طلب الإضافة'],
  enroll: ['Enrolled', 'سُجل من الإدارة'],
  accept: ['Accepted', 'قُبل الطلب'],
  reject: ['Rejected', 'رُفض الطلب'],
  remove: ['Taken back', 'سُحب الطلب'],
  drop: ['Asked to drop', 'طلب الحذف'],
  withdraw: ['Asked to withdraw', 'طلب الانسحاب'],
  excuse: ['Excuse', 'عذر'],
  force_withdraw: ['Withdrawn by the university', 'سُحب إجباريًا'],
  absent: ['Absent from the exam', 'غاب عن الامتحان'],
  ban: ['Banned from the exam', 'حُرم من الامتحان'],
  punish: ['Punished', 'عوقب'],
  incomplete: ['Marked incomplete', 'اعتُبر غير مكتمل'],
  complete: ['Completed', 'اكتمل'],
  undo: ['Returned to registered', 'أُعيد إلى مسجل'],
  undo_incomplete: ['Returned to registered', 'أُعيد إلى مسجل'],
  slots: ['Changed the group', 'غُيرت المجموعة'],
  audit: ['Audits the course', 'أصبح مستمعًا'],
  credit: ['Takes the course for credit', 'أصبح مسجلًا بساعات'],
  exempt: ['Exempted', 'أُعفي من المقرر'],
} as const satisfies Record<string, Label>
export type Step = keyof typeof STEP_LABELS

/** Days of the week as slots count them: 0 Saturday … 6 Friday. */
export const DAYS = [
  ['Saturday', 'السبت'],
  ['Sunday', 'الأحد'],
  ['Monday', 'الاثنين'],
  ['Tuesday', 'الثلاثاء'],
  ['Wednesday', 'الأربعاء'],
  ['Thursday', 'الخميس'],
  ['Friday', 'الجمعة'],
] as const satisfies readonly Label[]

/** Kinds of meetings. */
export const MEETING_TYPES = {
  Lecture: ['Lecture', 'محاضرة'],
  Lab: ['Lab', 'معمل'],
  Tutorial: ['Tutorial', 'تمارين'],
  Clinic: ['Clinic', 'عيادة'],
} as const satisfies Record<string, Label>
