/** What an appointment is for. */
export const ENTRANCE_KINDS = [
  { value: 'exam', label: ['Entrance exam', 'اختبار قبول'] },
  { value: 'interview', label: ['Interview', 'مقابلة شخصية'] },
] as const
export type EntranceKind = (typeof ENTRANCE_KINDS)[number]['value']

/** Whether somebody came. */
export const ENTRANCE_ATTENDANCE = [
  { value: 'came', label: ['Came', 'حضر'], tone: 'done' },
  { value: 'absent', label: ['Did not come', 'لم يحضر'], tone: 'refused' },
] as const
export type EntranceAttendance = (typeof ENTRANCE_ATTENDANCE)[number]['value']

/** Applicants choose and change until so many hours before an appointment begins. */
export const CHOOSE_UNTIL_HOURS = 24
