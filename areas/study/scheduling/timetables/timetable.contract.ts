import { z } from 'zod'
import { call, id, idParam, option, ref } from '#kit/contract/index.ts'
import { shownHour } from '../office-hours/office-hour.contract.ts'
import { shownExam } from './exams.contract.ts'
import { calendarDay } from '../calendars/calendar.contract.ts'

/** Whose week is shown. */
export const TIMETABLE_TYPES = ['offering', 'course', 'instructor', 'student', 'location'] as const
export type TimetableType = (typeof TIMETABLE_TYPES)[number]

const times = z.object({ from: z.string(), to: z.string() })
/** Where a meeting is held every week from a day to another; once it was moved it has several, the present one last. */
const place = z.object({
  current: z.boolean(),
  day: z.int(),
  from: z.string(),
  to: z.string(),
  /** Days between on which it is not held: no lectures take place. */
  except: z.array(z.string()),
  regular_time: times,
  ramadan_time: times,
  location: ref.nullable(),
  /** The cancelled day that is made up here, on this one day. */
  instead_of: z.string().nullable(),
})
export type MeetingPlace = z.output<typeof place>

/** One weekly meeting. Both times are sent, so that switching Ramadan time asks nobody. */
export const scheduleEvent = z.object({
  id,
  version: z.int(),
  offering_id: id,
  type: z.enum(['Lecture', 'Lab', 'Tutorial', 'Clinic']),
  /** 0 Saturday … 6 Friday. */
  day: z.int(),
  regular_time: times,
  ramadan_time: times,
  places: z.array(place),
  group: z.int(),
  course: ref,
  slot: ref,
  location: ref.nullable(),
  instructors: z.array(ref),
  quota: z.int(),
  taken: z.int(),
})
/** A stage of the term that concerns whose timetable it is: registration, mark entry and the like. */
export const scheduleStage = z.object({
  id,
  /** `register`, `grade_entry`, …: the kinds of stages. */
  kind: z.string(),
  name: z.string(),
  name_local: z.string(),
  starts_at: z.string(),
  ends_at: z.string(),
})
const body = z.strictObject({ term_id: id.optional() })
const response = z.object({
  data: z.array(scheduleEvent),
  meta: z.object({
    count: z.int(),
    details: z.object({
      /** Whom or what the timetable is of. */
      of: ref.nullable(),
      /** Its meetings take place from its first to its last day. */
      term: ref.extend({ start_date: z.string(), end_date: z.string() }).nullable(),
      /** Of a student or an instructor: what is open when, in order. */
      stages: z.array(scheduleStage),
      /** Entries of the university's calendar in the term that concern whose timetable it is. */
      days: z.array(calendarDay),
      /** Of an instructor, or of who teaches a student. */
      office_hours: z.array(shownHour),
      /** Exams of the term that are published, in the order of time. */
      exams: z.array(shownExam),
      is_ramadan: z.boolean(),
      /** Meetings that have no day yet. */
      unplaced: z.int(),
    }),
  }),
})
const permission = ['access_schedule', 'show_my_schedule'] as const
const type = z.enum(TIMETABLE_TYPES)

export const timetableCalls = {
  listOwnEvents: call('POST', '/offering-schedules/{type}', {
    permission,
    summary: [
      'My weekly timetable, or all within reach where I have none of this kind',
      'جدولي الأسبوعي، أو كل الجداول ضمن نطاقي إن لم يكن لي جدول من هذا النوع',
    ],
    params: z.object({ type }),
    body,
    response,
    reads: true,
    kept: true,
  }),
  listEvents: call('POST', '/offering-schedules/{type}/{id}', {
    permission,
    summary: ['A weekly timetable', 'جدول أسبوعي'],
    params: z.object({ type, id: idParam }),
    body,
    response,
    reads: true,
  }),
  ownCalendar: call('GET', '/offering-schedules/{type}/calendar', {
    permission,
    summary: ['My timetable of the current term for other calendars', 'جدولي في الفصل الحالي لتطبيقات التقويم'],
    params: z.object({ type }),
    file: { name: 'timetable.ics', type: 'ics' },
    // One's own week.
    traced: false,
  }),
  timetableLookups: call('GET', '/offering-schedules/get_lookups/{q}', {
    permission: 'access_schedule',
    summary: ['Whose timetable to show', 'اختيار صاحب الجدول'],
    params: z.object({ q: type }),
    query: z.object({ search: z.string().max(200).optional() }),
    response: z.object({ data: z.array(option) }),
  }),
}
