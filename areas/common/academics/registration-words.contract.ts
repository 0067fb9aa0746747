import type { Label, Tone } from '#kit/contract/index.ts'
import type { AttemptKind, MainFlag, Who } from './status.rules.ts'

type State = { readonly value: MainFlag; readonly label: Label; readonly tone: Tone }

/** States of a registration, in the words of people; the same word on every screen and paper. */
export const REGISTRATION_STATES = [
  { value: 'RegisterRequest', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' },
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
export const stateLabel = (state: MainFlag): Label =>
  REGISTRATION_STATES.find((registrationState) => registrationState.value === state)!.label

/** A registration that is heard without credit. */
export const AUDITED: Label = ['Audit', 'مستمع']
/** Before there is a registration. */
export const NO_REGISTRATION: Label = ['No registration', 'بلا تسجيل']
/** Who takes a step. */
export const WHO_LABELS: Readonly<Record<Exclude<Who, 'system'>, Label>> = {
  student: ['the student', 'الطالب'],
  advisor: ['the academic advisor', 'المرشد الأكاديمي'],
  registrar: ['the registrar', 'المسجل'],
  control: ['control', 'الكنترول'],
  exam_office: ['the exam office', 'شؤون الامتحانات'],
}

/** Which attempt at a course a registration is. */
export const ATTEMPTS = [
  { value: 'Fresh', label: ['First attempt', 'تسجيل أول'] },
  { value: 'Repeat', label: ['Repeated', 'إعادة'] },
  { value: 'Improve', label: ['To improve the grade', 'تحسين'] },
] as const satisfies readonly { value: AttemptKind; label: Label }[]

/** What was done, as the history of a registration tells it. */
export const STEP_LABELS = {
  request: ['Requested', 'طلب التسجيل'],
  add: ['Asked to add', 'طلب الإضافة'],
  move: ['Moved up from the wait list', 'نُقل من قائمة الانتظار'],
  swap: ['Got the seat in exchange', 'حصل على المقعد بالمبادلة'],
  give_up: ['Given up in exchange', 'تُرك مقابل مقعد آخر'],
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
  attempt: ['Counted as another attempt', 'تغيّر ترتيب المحاولة'],
  keep: ['Kept without its prerequisite', 'بقي رغم فقد متطلبه السابق'],
} as const satisfies Record<string, Label>
export type Step = keyof typeof STEP_LABELS

/** Short names of the rules, for histories that tell which was set aside. */
export const RULE_LABELS = {
  stage_closed: ['Stage closed', 'المرحلة مغلقة'],
  offering_draft: ['Not offered yet', 'لم يُطرح بعد'],
  offering_closed: ['Registration closed', 'التسجيل مغلق'],
  offering_control: ['Marks submitted', 'سُلمت الدرجات'],
  offering_program: ['Other program', 'برنامج آخر'],
  offering_level: ['Other level', 'مستوى آخر'],
  comes_by_block: ['Comes with the level', 'يأتي مع المستوى'],
  already_registered: ['Registered already', 'مسجل بالفعل'],
  course_in_other_program: ['Taken in the other program', 'مسجل في البرنامج الآخر'],
  already_passed: ['Passed already', 'سبق النجاح فيه'],
  improvement_grade: ['Grade cannot be improved', 'تقدير لا يجوز تحسينه'],
  improvement_limit: ['No improvements left', 'استنفاد مرات التحسين'],
  repeat_limit: ['No repeats left', 'استنفاد مرات الإعادة'],
  prerequisites: ['Prerequisites', 'المتطلبات السابقة'],
  corequisites: ['Co-requisites', 'المتطلبات المتزامنة'],
  corequisite_needed: ['Taken with another course', 'مصاحب لمقرر آخر'],
  min_passed_hours: ['Passed hours', 'الساعات المجتازة'],
  placement_due: ['Placement test', 'اختبار تحديد المستوى'],
  placement_excused: ['Excused by a placement test', 'إعفاء باختبار تحديد المستوى'],
  placement_above: ['Above the level of placement', 'أعلى من المستوى المحدد'],
  min_level: ['Minimum level', 'الحد الأدنى للمستوى'],
  credit_hours_limit: ['Limit of hours', 'حد الساعات'],
  courses_limit: ['Limit of courses', 'حد المقررات'],
  time_clash: ['Clash of times', 'تعارض المواعيد'],
  exam_clash: ['Clash of exams', 'تعارض الاختبارات'],
  hold_payment: ['Unpaid invoices', 'فواتير غير مسددة'],
  hold_survey: ['Unfilled survey', 'استبيان غير مكتمل'],
  hold_blocked: ['Blocked', 'موقوف'],
  hold_documents: ['Missing documents', 'مستندات ناقصة'],
  not_studying: ['Not studying', 'غير مقيد'],
  slot_required: ['No slot chosen', 'لم يُختر موعد'],
  slot_unknown: ['Unknown slot', 'موعد غير معروف'],
  slot_groups: ['Slots of several groups', 'مواعيد من مجموعات مختلفة'],
  slot_type_missing: ['Slot missing', 'موعد ناقص'],
  slot_type_twice: ['Several alternatives', 'أكثر من بديل'],
  slot_full: ['Full', 'مكتمل'],
} as const satisfies Readonly<Record<string, Label>>
