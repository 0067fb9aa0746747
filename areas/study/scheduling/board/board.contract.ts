import { z } from 'zod'
import { meetingInput } from '#areas/study/offerings/slots/slots.contract.ts'
import { call, id, idParam, ref, safeText } from '#kit/contract/index.ts'
import { MEETING_TYPES } from '#kit/contract/week.ts'

const day = z.int().min(0).max(6)
const period = z.object({
  id,
  name: z.string(),
  name_local: z.string(),
  from: z.int(),
  to: z.int(),
  ramadan_from: z.int(),
  ramadan_to: z.int(),
})
const person = z.object({ id, name: z.string(), name_local: z.string() })
/** A meeting on the board. */
const boardMeeting = z.object({
  id,
  version: z.int(),
  offering_id: id,
  course_id: id,
  name: z.string(),
  course: z.object({ name: z.string(), name_local: z.string() }),
  /** By which exam weeks it goes. */
  faculty_id: z.int().nullable(),
  level: z.int().nullable(),
  group: z.int(),
  type: z.enum(MEETING_TYPES.map((meetingType) => meetingType.value)),
  section: z.string().nullable(),
  day: z.int().nullable(),
  slot_id: z.int().nullable(),
  location_id: z.int().nullable(),
  instructors: z.array(z.int()),
  seats: z.int(),
  taken: z.int(),
  /** Numbers of this answer only: they say who meets whom, and not who it is. */
  students: z.array(z.int()),
  /** The reader may move it: within reach, and no marks are submitted. */
  movable: z.boolean(),
})
export const meetingBoardAnswer = z.object({
  data: z.object({
    term: ref.extend({ start_date: z.string(), end_date: z.string(), over: z.boolean() }).nullable(),
    is_ramadan: z.boolean(),
    periods: z.array(period),
    rooms: z.array(person.extend({ code: z.string(), capacity: z.int(), online: z.boolean() })),
    instructors: z.array(person),
    meetings: z.array(boardMeeting),
    /** Days on which meetings do not take place, of all faculties and levels where none is named. */
    exam_weeks: z.array(
      z.object({ from: z.string(), to: z.string(), faculty_id: z.int().nullable(), level: z.int().nullable() }),
    ),
    /** Published exams ahead: a meeting is not moved onto one. */
    exams: z.array(
      z.object({
        name: z.string(),
        on_date: z.string(),
        day: z.int(),
        from: z.int(),
        to: z.int(),
        ramadan: z.boolean(),
        rooms: z.array(z.int()),
        instructors: z.array(z.int()),
        students: z.array(z.int()),
      }),
    ),
  }),
})
export type BoardAnswer = z.output<typeof meetingBoardAnswer>['data']

const place = { day, slot_id: id, location_id: id.nullish() }
/** Clashes of instructors and students that are known and wanted, and why. */
const wanted = { override: z.boolean().default(false), reason: safeText(500).nullish() }
const move = z.strictObject({ id, version: z.int().optional(), ...place })
const moves = z.array(move).min(1).max(200)
const moved = z.object({
  data: z.array(z.object({ id, version: z.int(), day: z.int(), slot_id: z.int(), location_id: z.int().nullable() })),
  /** How many people were told. */
  told: z.int(),
})
const clash = z.object({
  id,
  code: z.string(),
  en: z.string(),
  ar: z.string(),
  /** Of students: those whom the reader may see, the first of them. */
  who: z.array(ref),
})
/** What may be sent of a meeting to be added; which fields stand for what is said with the offering. */
const newMeeting = meetingInput.omit({ id: true }).extend({ offering_id: id })
const saved = z.object({ data: z.object({ id, version: z.int() }), told: z.int() })

export const meetingBoardCalls = {
  board: call('POST', '/offering-schedules/board', {
    permission: 'edit_offering_slots',
    summary: ['The whole week of a term, for moving meetings', 'أسبوع الفصل كاملًا لنقل المواعيد'],
    body: z.strictObject({ term_id: id.optional() }),
    heavy: true,
    response: meetingBoardAnswer,
    reads: true,
  }),
  previewMoves: call('POST', '/offering-schedules/clashes', {
    permission: 'edit_offering_slots',
    summary: ['What stands against moving meetings', 'ما يمنع نقل المواعيد'],
    body: z.strictObject({ moves }),
    response: z.object({ data: z.array(clash) }),
    reads: true,
    example: { moves: [{ id: 1, day: 0, slot_id: 1 }] },
  }),
  moveMeetings: call('POST', '/offering-schedules/moves', {
    permission: 'edit_offering_slots',
    summary: ['Move several meetings at once', 'نقل عدة مواعيد معًا'],
    body: z.strictObject({ moves, ...wanted }),
    response: moved,
    example: { moves: [{ id: 1, day: 0, slot_id: 1 }] },
  }),
  updateEvent: call('POST', '/offering-schedules/updateEvent/{id}', {
    permission: 'edit_offering_slots',
    summary: ['Move a meeting', 'نقل موعد'],
    body: z.strictObject({ version: z.int().optional(), ...place, ...wanted }),
    response: moved,
    example: { day: 0, slot_id: 1 },
  }),
  addEvent: call('PUT', '/offering-schedules', {
    permission: 'edit_offering_slots',
    summary: ['Add a meeting to an offering', 'إضافة موعد إلى مقرر مطروح'],
    body: newMeeting,
    response: saved,
    example: { offering_id: 1, group: 1, type: 'Tutorial', quota: 1, over_quota: 0 },
  }),
  editEvent: call('PUT', '/offering-schedules/{id}', {
    permission: 'edit_offering_slots',
    summary: ['Change a meeting', 'تعديل موعد'],
    params: z.object({ id: idParam }),
    body: meetingInput
      .omit({ id: true })
      .partial()
      // What is not sent stays; a list has no default here.
      .extend({ instructor_ids: z.array(id).max(20).optional(), version: z.int().optional(), ...wanted }),
    response: saved,
  }),
}
