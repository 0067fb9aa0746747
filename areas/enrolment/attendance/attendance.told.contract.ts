import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const attendanceTold: TablesTold = {
  meeting_occurrences: {
    one: ['Meeting on its date', 'موعد بتاريخه'],
    many: ['Meetings on their dates', 'المواعيد بتواريخها'],
    title: ['offering_slot_id'],
  },
  attendance: {
    one: ['Attendance', 'حضور'],
    many: ['Attendance', 'الحضور'],
  },
  absence_cases: {
    one: ['Warning or ban for absence', 'إنذار غياب أو حرمان'],
    many: ['Warnings and bans for absence', 'إنذارات الغياب والحرمان'],
  },
}
