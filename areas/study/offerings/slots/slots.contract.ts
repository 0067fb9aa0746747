import { z } from 'zod'
import { call, id, ref, safeText } from '#kit/contract/index.ts'
import { MEETING_TYPES } from '#kit/contract/week.ts'

const type = z.enum(MEETING_TYPES.map((t) => t.value))
/** 0 Saturday … 6 Friday. */
const day = z.int().min(0).max(6)
const section = safeText(10, 1)

/** One weekly meeting of one group. `taken` of `quota` + `over_quota` seats are held. */
export const meeting = z.object({
  id,
  type,
  /** Meetings of one group and type with one section are attended together; others are alternatives. */
  section: z.string().nullable(),
  day: z.int().nullable(),
  slot: z
    .object({
      id,
      name: z.string(),
      name_local: z.string().nullish(),
      code: z.string().nullish(),
      start: z.string(),
      end: z.string(),
    })
    .nullable(),
  location: ref.extend({ capacity: z.int() }).nullable(),
  instructors: z.array(ref),
  quota: z.int(),
  over_quota: z.int(),
  taken: z.int(),
})
export type WeeklyMeeting = z.output<typeof meeting>

/** A meeting as sent. Day and slot come together; without them it has no time yet. */
export const meetingInput = z.strictObject({
  id: id.optional(),
  group: z.int().min(1).max(500),
  type,
  section: section.nullish(),
  day: day.nullish(),
  slot_id: id.nullish(),
  location_id: id.nullish(),
  quota: z.int().min(0).max(10_000),
  over_quota: z.int().min(0).max(10_000),
  instructor_ids: z.array(id).max(20).default([]),
})
export type MeetingInput = z.output<typeof meetingInput>

/** What meetings are chosen from: periods with their hours, rooms with their places, and what is in them when. */
const places = z.object({
  slots: z.array(ref.extend({ starts: z.string(), ends: z.string(), from: z.int(), to: z.int() })),
  rooms: z.array(ref.extend({ capacity: z.int(), kind: z.string() })),
  /** Weekly meetings of other offerings in rooms. */
  taken: z.array(z.object({ location_id: id, day, from: z.int(), to: z.int(), name: z.string() })),
})
export type MeetingPlaces = z.output<typeof places>

export const offeringSlotCalls = {
  places: call('POST', '/offerings/meeting-places', {
    permission: ['add_offering', 'edit_offering_slots'],
    summary: ['Periods and rooms for meetings, and when rooms are taken', 'الفترات والقاعات للمواعيد ومتى تكون مشغولة'],
    body: z.strictObject({
      term_id: id,
      /** Whose own meetings do not count. */
      offering_id: id.optional(),
    }),
    response: z.object({ data: places }),
    reads: true,
    example: { term_id: 1 },
  }),
  generate: call('PUT', '/offerings/generate-slots/{id}', {
    permission: 'edit_offering_slots',
    summary: ['Make groups and meetings from the hours of the course', 'إنشاء المجموعات والمواعيد من ساعات المقرر'],
    body: z.strictObject({
      groups: z.int().min(1).max(500),
      /** Seats of a group. Where a type has several sections they share it. */
      quota: z.int().min(1).max(10_000),
      over_quota: z.int().min(0).max(10_000),
      /** By default one section of every type the course has hours in, and as many meetings as the hours fill. */
      types: z
        .array(
          z.strictObject({
            type,
            meetings: z.int().min(1).max(14).optional(),
            sections: z.int().min(1).max(26).default(1),
          }),
        )
        .max(4)
        .optional(),
      /** Begins anew: only meetings with students stay. Else all that is there stays, and what is missing is added. */
      replace: z.boolean().default(false),
      /** Looks for a day, a slot, a room and an instructor for every meeting without a time. */
      place: z.boolean().default(false),
      /** Days on which may be placed; by default all but Friday. */
      days: z.array(day).min(1).max(7).optional(),
    }),
    response: z.object({
      added: z.int(),
      placed: z.int(),
      /** Meetings for which no place was found, and why. */
      unplaced: z.array(
        z.object({
          id,
          group: z.int(),
          type,
          section: z.string().nullable(),
          reason: z.enum(['no_room', 'no_time', 'no_instructor']),
        }),
      ),
    }),
    example: { groups: 2, quota: 60, over_quota: 3, place: true },
  }),
}
