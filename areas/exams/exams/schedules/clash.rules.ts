/** What stands against an exam at a time: the same rules where it is saved and where it is only looked at. */
import type { Reason } from '#kit/contract/issues.ts'

/** Another exam of students of this one. */
export interface BusyMeeting {
  readonly course: string
  readonly count: number
  /** Those whom the reader may see, the first of them. */
  readonly students: readonly string[]
  readonly students_local: readonly string[]
  /** At the same time; else on the same day. */
  readonly same_time: boolean
}

/** An invigilator who has something else to do then. */
export interface BusyInvigilator {
  readonly id: number
  readonly instructor: string
  readonly instructor_local: string
  /** What it is: an exam of an own course, teaching, or a day on which he or she is not available. */
  readonly by: 'own_exam' | 'teaching' | 'away'
  readonly course: string
}

const named = ({ course, count, students, students_local }: BusyMeeting) => ({
  course,
  count,
  students: students.join(', ') || '–',
  students_local: students_local.join('، ') || '–',
})

/** Every student clash, an error each, with the students. */
export const clashReasons = (meetings: readonly BusyMeeting[]): Reason[] =>
  meetings.flatMap((one) =>
    one.same_time ? [{ field: 'exam_slot_id', code: 'exam_same_time', data: named(one) }] : [],
  )

/** Exams of the same students on the same day: a warning each, with the number of students. */
export const dayWarnings = (meetings: readonly BusyMeeting[]): Reason[] =>
  meetings.flatMap((meeting) =>
    meeting.same_time ? [] : [{ field: 'on_date', code: 'exam_same_day', data: named(meeting) }],
  )

/** Every invigilator who cannot be there. */
export const busyReasons = (busy: readonly BusyInvigilator[]): Reason[] =>
  busy.map(({ id: _id, by, ...data }) => ({ field: 'instructors', code: `exam_invigilator_${by}`, data }))

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

/** A hall that is not to be had then. */
export interface Closed {
  readonly hall: string
  readonly hall_local: string
  /** What is taught there; null: it is closed. */
  readonly course: string | null
  /** Who teaches it. */
  readonly by: string
  readonly by_local: string
}
export const closedReasons = (halls: readonly Closed[]): Reason[] =>
  halls.map(({ course, by, by_local, ...hall }) =>
    course === null
      ? { field: 'locations', code: 'exam_hall_closed', data: hall }
      : { field: 'locations', code: 'exam_hall_teaching', data: { ...hall, course, by, by_local } },
  )

/** A meeting that students of an exam have then. */
export interface Taught {
  readonly course: string
  readonly starts: string
  readonly count: number
  /** Those whom the reader may see, the first of them. */
  readonly students: readonly string[]
  readonly students_local: readonly string[]
}
/** Every meeting that students have at the time of an exam, with the students: outside exam weeks they are not free. */
export const taughtReasons = (meetings: readonly Taught[]): Reason[] =>
  meetings.map(({ course, starts, count, students, students_local }) => ({
    field: 'exam_slot_id',
    code: 'exam_students_taught',
    data: {
      course,
      starts,
      count,
      students: students.join(', ') || '–',
      students_local: students_local.join('، ') || '–',
    },
  }))

/** An exam ends with its slot. */
export const lengthReasons = (minutes: number | null, slot: number): Reason[] =>
  minutes !== null && minutes > slot ? [{ field: 'duration', code: 'exam_too_long', data: { minutes, slot } }] : []

/** An invigilator of an exam in one of its halls. */
export interface Invigilating {
  readonly location_id: number
  readonly instructor_id: number
  readonly role: string
}

/**
 * Who still invigilates when an exam goes elsewhere: those who are free then, in their hall where the exam is in it still, else
 * in the hall that has fewest of them.
 */
export function keptInvigilators(
  people: readonly Invigilating[],
  halls: readonly number[],
  free: ReadonlySet<number>,
): Invigilating[] {
  const staying = people.filter((one) => free.has(one.instructor_id) && halls.includes(one.location_id))
  const count = new Map(halls.map((hall) => [hall, staying.filter((one) => one.location_id === hall).length]))
  const following: Invigilating[] = []
  const there = new Set(staying.map((one) => one.instructor_id))
  for (const { instructor_id, role } of people) {
    if (there.has(instructor_id) || !free.has(instructor_id) || !halls.length) continue
    const location_id = halls.reduce((least, hall) => (count.get(hall)! < count.get(least)! ? hall : least))
    count.set(location_id, count.get(location_id)! + 1)
    there.add(instructor_id)
    following.push({ location_id, instructor_id, role })
  }
  return [...staying, ...following]
}

/** Invigilators who could not go along when an exam was moved. */
export const releasedWarnings = (people: readonly { readonly name: string; readonly name_local: string }[]): Reason[] =>
  people.length
    ? [
        {
          field: 'instructors',
          code: 'exam_invigilators_released',
          data: {
            instructors: people.map((person) => person.name).join(', '),
            instructors_local: people.map((person) => person.name_local).join('، '),
            count: people.length,
          },
        },
      ]
    : []
