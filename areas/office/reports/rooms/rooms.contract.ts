import { z } from 'zod'
import { FIRST_ROWS, most } from '#kit/contract/cut.ts'
import { call, id, paperLanguage, ref } from '#kit/contract/index.ts'
import { LOCATION_TYPES } from '#areas/study/scheduling/places/place.contract.ts'

/** Rooms that are somewhere: what is held online needs none. */
export const ROOM_TYPES = LOCATION_TYPES.filter((one) => one.value !== 'online')
const roomType = z.enum(ROOM_TYPES.map((one) => one.value))
export const ROOM_GROUPS = ['building', 'room', 'faculty'] as const
export type RoomGroup = (typeof ROOM_GROUPS)[number]
/** Rooms that are used less than this share of their time could be freed; a room of so many times the class is too large. */
export const USUAL_SHARE = 20
export const USUAL_TIMES = 3

/** What somebody asks of the use of rooms; nothing said: of the current term, of the whole week. */
export const roomUseAsked = z.strictObject({
  term_id: id.optional(),
  building_id: id.optional(),
  /** Whose meetings are counted; the rooms that are there stay all of them. */
  faculty_id: id.optional(),
  location_type: roomType.optional(),
  /** 0 Saturday … 6 Friday. */
  day: z.int().min(0).max(6).optional(),
  /** From this full hour to the next. */
  hour: z.int().min(0).max(23).optional(),
  times: z.int().min(2).max(50).optional(),
})
export type RoomUseAsked = z.output<typeof roomUseAsked>

/** Minutes of use over all days of the term; those of seats are minutes by students. */
const used = { minutes: z.int(), seat_minutes: z.int() }
const group = z.object({
  /** Null: meetings of offerings of the whole university. */
  of: ref.nullable(),
  /** Rooms and seats that are there; of a faculty those of all. */
  rooms: z.int(),
  seats: z.int(),
  meetings: z.int(),
  ...used,
})
export type RoomUseGroup = z.output<typeof group>
const roomUse = z.object({
  term: ref.nullable(),
  /** How often each day of the week is a day of lectures in the term. */
  days: z.array(z.int()).length(7),
  /** The day of lectures, in minutes since midnight. */
  from: z.int(),
  to: z.int(),
  rooms: z.int(),
  seats: z.int(),
  cells: z.array(z.object({ day: z.int(), hour: z.int(), rooms: z.int(), ...used })),
  building: z.array(group),
  room: z.array(group),
  faculty: z.array(group),
  /** Weekly meetings in rooms that are much larger than the class. */
  wide: z.object({
    count: z.int(),
    rows: z.array(
      z.object({
        id,
        offering_id: id,
        course: ref,
        type: z.enum(['Lecture', 'Lab', 'Tutorial', 'Clinic']),
        group: z.int(),
        day: z.int(),
        from: z.string(),
        to: z.string(),
        room: ref,
        capacity: z.int(),
        taken: z.int(),
      }),
    ),
  }),
})
export type RoomUse = z.output<typeof roomUse>
export type RoomUseCell = RoomUse['cells'][number]
export type WideMeeting = RoomUse['wide']['rows'][number]

const permission = 'access_report_rooms'
export const roomUseCalls = {
  read: call('POST', '/reports/room-use', {
    heavy: true,
    permission,
    summary: ['Use of rooms by day and hour', 'إشغال القاعات حسب اليوم والساعة'],
    body: roomUseAsked.extend({ most: most.default(FIRST_ROWS) }),
    response: z.object({ data: roomUse }),
    reads: true,
    example: { day: 3, hour: 10 },
  }),
  file: call('POST', '/reports/room-use/download/{lang}/{type}', {
    heavy: true,
    permission,
    summary: ['Use of rooms as PDF or XLSX', 'إشغال القاعات بصيغة PDF أو XLSX'],
    params: z.object({ lang: paperLanguage, type: z.enum(['pdf', 'xlsx']) }),
    body: roomUseAsked.extend({
      by: z.enum(ROOM_GROUPS).optional(),
      share: z.int().min(1).max(100).optional(),
      seats: z.boolean().optional(),
    }),
    file: { name: 'Use of rooms.pdf', type: 'pdf' },
    reads: true,
    example: { by: 'building' },
  }),
}
