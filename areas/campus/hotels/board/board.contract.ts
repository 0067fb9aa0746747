import { call, date, id } from '#kit/contract/index.ts'
import { z } from 'zod'

/** Longest time that a board shows, in days. */
const MOST_DAYS = 180

const board = z.object({
  from: z.string(),
  days: z.int(),
  today: z.string(),
  hostels: z.array(z.object({ id, code: z.string(), name: z.string(), name_local: z.string() })),
  /** In their order, with their beds. */
  rooms: z.array(
    z.object({
      id,
      hostel_id: id,
      code: z.string(),
      floor: z.int(),
      gender: z.string(),
      kind: z.string(),
      kind_local: z.string(),
      beds: z.array(z.object({ id, code: z.string() })),
    }),
  ),
  stays: z.array(
    z.object({
      id,
      bed_id: id,
      version: z.int(),
      status: z.string(),
      from: z.string(),
      until: z.string(),
      name: z.string(),
      name_local: z.string(),
    }),
  ),
  closings: z.array(z.object({ bed_id: id, from: z.string(), until: z.string(), reason: z.string() })),
  /** Whether the reader moves stays. */
  movable: z.boolean(),
})
export type BedBoard = z.output<typeof board>

export const bedBoardCalls = {
  bedBoard: call('POST', '/hotels/board', {
    permission: 'access_hotel',
    summary: ['Beds and days, with who sleeps where', 'لوحة الأسرّة والأيام ومن يقيم فيها'],
    body: z.strictObject({
      /** The first day shown; a few days before today unless told. */
      from: date.optional(),
      days: z.int().min(1).max(MOST_DAYS).default(42),
      hostel_id: id.nullish(),
      kind_id: id.nullish(),
    }),
    response: z.object({ data: board }),
    reads: true,
    example: {},
  }),
}
