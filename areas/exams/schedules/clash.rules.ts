/** What stands against an exam at a time: the same rules where it is saved and where it is only looked at. */
import type { Reason } from '#kit/contract/issues.ts'

/** Another exam of students of this one. */
export interface Meeting {
  readonly course: string
  readonly count: number
  /** Those whom the reader may see, the first of them. */
  readonly students: readonly string[]
  /** At the same time; else on the same day. */
  readonly same_time: boolean
}

/** An invigilator who has something else to do then. */
export interface Busy {
  readonly instructor: string
  readonly instructor_local: string
  /** What it is: an exam of an own course, teaching, or a day on which he or she is not available. */
  readonly by: 'own_exam' | 'teaching' | 'away'
  readonly course: string
}

const named = ({ course, count, students }: Meeting) => ({ course, count, students: students.join(', ') || '–' })

/** Every student clash, an error each, with the students. */
export const clashReasons = (meetings: readonly Meeting[]): Reason[] =>
  meetings.flatMap((one) =>
    one.same_time ? [{ field: 'exam_slot_id', code: 'exam_same_time', data: named(one) }] : [],
  )

/** Exams of the same students on the same day: a warning each, with the number of students. */
export const dayWarnings = (meetings: readonly Meeting[]): Reason[] =>
  meetings.flatMap((one) => (one.same_time ? [] : [{ field: 'on_date', code: 'exam_same_day', data: named(one) }]))

/** Every invigilator who cannot be there. */
export const busyReasons = (busy: readonly Busy[]): Reason[] =>
  busy.map(({ by, ...data }) => ({ field: 'instructors', code: `exam_invigilator_${by}`, data }))

/** Seats of halls in which more would sit than may. */
export interface Filling {
  readonly hall: string
  readonly hall_local: string
  readonly seats: number
  readonly taken: number
  readonly wanted: number
}
export const fillingReasons = (fillings: readonly Filling[]): Reason[] =>
  fillings.flatMap(({ taken, wanted, ...hall }) =>
    taken + wanted > hall.seats
      ? [
          {
            field: 'locations',
            code: 'exam_hall_over',
            data: { ...hall, free: Math.max(0, hall.seats - taken), wanted },
          },
        ]
      : [],
  )

/** An exam ends with its slot. */
export const lengthReasons = (minutes: number | null, slot: number): Reason[] =>
  minutes !== null && minutes > slot ? [{ field: 'duration', code: 'exam_too_long', data: { minutes, slot } }] : []
