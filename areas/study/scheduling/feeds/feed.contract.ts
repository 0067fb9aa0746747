import { z } from 'zod'
import { call, saved } from '#kit/contract/index.ts'

const own = { permission: 'signed_in', personal: 'always' } as const

export const feedCalls = {
  showFeed: call('GET', '/calendar-feed', {
    ...own,
    summary: ['Whether my calendar has an address', 'هل لتقويمي عنوان'],
    response: z.object({ data: z.object({ created_at: z.string() }).nullable() }),
  }),
  createFeed: call('POST', '/calendar-feed', {
    ...own,
    summary: ['A new secret address for my calendar; the one before is dead', 'عنوان سري جديد لتقويمي، ويبطل ما قبله'],
    // The address is answered this once.
    response: z.object({ data: z.object({ address: z.string(), created_at: z.string() }) }),
  }),
  revokeFeed: call('DELETE', '/calendar-feed', {
    ...own,
    summary: ['Revoke the address of my calendar', 'إلغاء عنوان تقويمي'],
    response: saved,
  }),
}
