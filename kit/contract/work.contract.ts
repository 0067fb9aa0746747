import { z } from 'zod'
import { call } from './call.ts'

/**
 * An item of waiting work or of today's plan: a sentence by its key in the catalogues (`area.key` of the `ui` texts),
 * its data, and the screen to do it on.
 */
export const workItem = z.object({
  key: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  link: z.string(),
  /** Since when it waits; null where nobody knows. */
  since: z.string().nullable(),
  /** Until when it can be done; null: at any time. */
  until: z.string().nullable(),
})
/** Of today's plan: when, as times `HH:MM` of the university's clock. */
export const todayItem = workItem
  .pick({ key: true, data: true, link: true })
  .extend({ start: z.string(), end: z.string() })

export const workCalls = {
  work: call('GET', '/users/work', {
    permission: 'signed_in',
    summary: ['What waits for me, and my day', 'ما ينتظرني، ويومي'],
    response: z.object({
      data: z.object({
        waiting: z.array(workItem),
        today: z.array(todayItem),
        /** Places of the page in which the reader has put something. */
        besides: z.array(z.string()),
      }),
    }),
  }),
}
