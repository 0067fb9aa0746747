import { call, id, problem, ref } from '#kit/contract/index.ts'
import { z } from 'zod'
import { inDays } from '../days.contract.ts'
import { bedWish } from '../stays/stay.contract.ts'

const own = z.object({
  id,
  version: z.int(),
  code: z.string(),
  status: z.string(),
  from_day: z.string(),
  until_day: z.string(),
  unit: z.string(),
  kind: ref.nullable(),
  hostel: ref.nullable(),
  room: z.string().nullable(),
  bed: z.string().nullable(),
  /** Where it stands among those who wait. */
  place: z.int().nullable(),
  mates: z.array(ref.extend({ mutual: z.boolean() })),
  invoice: z.object({ id, number: z.string(), open: z.int(), currency: z.string() }).nullable(),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem).optional(),
})
export type OwnStay = z.output<typeof own>

export const ownBedCalls = {
  ownBeds: call('GET', '/hotels/own', {
    permission: 'ask_hotel',
    summary: ['My reservations of beds', 'حجوزاتي للسكن'],
    response: z.object({
      data: z.object({
        stays: z.array(own),
        hostels: z.array(ref),
        kinds: z.array(ref),
        terms: z.array(ref.extend({ start_date: z.string(), end_date: z.string() })),
      }),
    }),
  }),
  askForBed: call('POST', '/hotels/own/ask', {
    permission: 'ask_hotel',
    summary: ['Ask for a bed', 'طلب سرير'],
    body: bedWish,
    response: z.object({ data: z.object({ id, version: z.int(), code: z.string() }) }),
    example: { from_day: inDays(900), until_day: inDays(903) },
  }),
}
