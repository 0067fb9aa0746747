import type { Choice } from '#kit/contract/field.ts'

/** What a student was at a meeting. */
export const ATTENDANCE_STATES = [
  { value: 'present', label: ['Present', 'حاضر'], tone: 'done' },
  { value: 'late', label: ['Late', 'متأخر'], tone: 'waiting' },
  { value: 'absent', label: ['Absent', 'غائب'], tone: 'refused' },
  { value: 'excused', label: ['Excused', 'معذور'], tone: 'draft' },
] as const satisfies readonly Choice[]
export type AttendanceState = (typeof ATTENDANCE_STATES)[number]['value']
