import { call, id, ref } from '#kit/contract/index.ts'
import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { otherPayerRef } from '#areas/money/ledger/payer.contract.ts'
import { z } from 'zod'

const waiting = z.object({
  id,
  code: z.string(),
  place: z.int(),
  student: ref.nullable(),
  guest: otherPayerRef.nullable(),
  guest_name: z.string().nullable(),
  priority: z.int(),
  distance_km: z.int().nullable(),
  from_day: z.string(),
  until_day: z.string(),
  asked_at: z.string(),
  /** The bed that giving beds now would give; null: none. */
  bed: z.string().nullable(),
})
export type WaitingBedRow = z.output<typeof waiting>

export const waitingCalls = {
  waitingList: call('GET', '/hotels/waiting', {
    permission: 'confirm_hotel',
    summary: ['Those who wait for a bed, in their order', 'قائمة انتظار الأسرّة بترتيبها'],
    query: cutQuery,
    response: cutAnswer(waiting),
  }),
  giveWaiting: call('POST', '/hotels/waiting/give', {
    permission: 'confirm_hotel',
    summary: ['Give free beds to those who wait, in their order', 'تخصيص الأسرّة المتاحة للمنتظرين بالترتيب'],
    body: z.strictObject({}),
    response: z.object({ data: z.object({ given: z.int(), waiting: z.int() }) }),
    example: {},
  }),
}
