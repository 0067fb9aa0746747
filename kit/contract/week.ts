/** Words of the teaching week. */
import type { Choice } from './field.ts'
import type { Label } from './words.ts'

/** Days of the week as meetings are kept: 0 is Saturday. For papers; screens have `weekdays` in the reader's language. */
export const WEEKDAYS: readonly Label[] = [
  ['Saturday', 'السبت'],
  ['Sunday', 'الأحد'],
  ['Monday', 'الاثنين'],
  ['Tuesday', 'الثلاثاء'],
  ['Wednesday', 'الأربعاء'],
  ['Thursday', 'الخميس'],
  ['Friday', 'الجمعة'],
]

/** Kinds of weekly meetings; every one is fed by hours of the same name in the catalogue. */
export const MEETING_TYPES = [
  { value: 'Lecture', label: ['Lecture', 'محاضرة'] },
  { value: 'Tutorial', label: ['Tutorial', 'تمارين'] },
  { value: 'Lab', label: ['Lab', 'معمل'] },
  { value: 'Clinic', label: ['Clinic', 'عيادة'] },
] as const satisfies readonly Choice[]
export type MeetingType = (typeof MEETING_TYPES)[number]['value']

/** What a timetable contains: weekly meetings, and exams on their days. */
export type TimetableKind = MeetingType | 'Exam'

/** The word of a kind of meeting, or of an exam. */
export const meetingType = (type: TimetableKind): Label =>
  type === 'Exam' ? ['Exam', 'امتحان'] : (MEETING_TYPES.find((one) => one.value === type)?.label ?? [type, type])
