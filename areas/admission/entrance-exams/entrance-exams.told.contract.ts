import { f } from '#kit/contract/index.ts'
import type { TablesTold } from '#kit/contract/telling.ts'
import { ENTRANCE_ATTENDANCE, ENTRANCE_KINDS } from './words.contract.ts'

/** What the log of changes says of its tables. */
export const entranceExamsTold: TablesTold = {
  entrance_bookings: {
    one: ['Appointment of an applicant', 'موعد متقدم'],
    many: ['Appointments of applicants', 'مواعيد متقدمين'],
    fields: {
      kind: f.choice(['For', 'الغرض'], ENTRANCE_KINDS),
      attempt: f.integer(['Attempt', 'المحاولة']),
      attendance: f.choice(['Attendance', 'الحضور'], ENTRANCE_ATTENDANCE),
      ended_at: f.instant(['Ended', 'انتهى']),
    },
  },
}
