import type { Choice, Label } from '#kit/contract/index.ts'

/** Kinds of weekly meetings; every one is fed by hours of the same name in the catalogue. */
export const MEETING_TYPES = [
  { value: 'Lecture', label: ['Lecture', 'محاضرة'] },
  { value: 'Tutorial', label: ['Tutorial', 'تمارين'] },
  { value: 'Lab', label: ['Lab', 'معمل'] },
  { value: 'Clinic', label: ['Clinic', 'عيادة'] },
] as const satisfies readonly Choice[]
export type MeetingType = (typeof MEETING_TYPES)[number]['value']

/** What somebody is in the team of an offering. */
export const TEAM_ROLES = [
  { value: 'leader', label: ['Course leader', 'منسق المقرر'] },
  { value: 'instructor', label: ['Instructor', 'عضو هيئة تدريس'] },
  { value: 'assistant', label: ['Teaching assistant', 'معاون هيئة تدريس'] },
] as const satisfies readonly Choice[]
export type TeamRole = (typeof TEAM_ROLES)[number]['value']

/** The road of an offering's marks; see `areas/grading/control.rules.ts`. */
export const CONTROL_STATUSES = [
  { value: 'Draft', label: ['Draft', 'مسودة'], tone: 'draft' },
  { value: 'Submitted', label: ['Submitted', 'مُسلَّم'], tone: 'waiting' },
  { value: 'Reviewed', label: ['Reviewed', 'تمت المراجعة'], tone: 'active' },
  { value: 'Approved', label: ['Approved', 'معتمد'], tone: 'done' },
  { value: 'Published', label: ['Published', 'معلن'], tone: 'done' },
  { value: 'Frozen', label: ['Frozen', 'مجمد'], tone: 'frozen' },
] as const satisfies readonly Choice[]
export type ControlStatus = (typeof CONTROL_STATUSES)[number]['value']

/** Days of the week as meetings are kept: 0 is Saturday. */
export const DAYS = [
  ['Saturday', 'السبت'],
  ['Sunday', 'الأحد'],
  ['Monday', 'الاثنين'],
  ['Tuesday', 'الثلاثاء'],
  ['Wednesday', 'الأربعاء'],
  ['Thursday', 'الخميس'],
  ['Friday', 'الجمعة'],
] as const satisfies readonly Label[]
