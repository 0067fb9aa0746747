import { call, date, id, idParam, problem, ref } from '#kit/contract/index.ts'
import { z } from 'zod'

const closing = z.object({
  id,
  closed_through: z.string(),
  note: z.string().nullable(),
  closed_at: z.string(),
  closed_by: ref,
  reopened_at: z.string().nullable(),
  reopened_by: ref.nullable(),
  reopen_reason: z.string().nullable(),
})
export type Closing = z.output<typeof closing>

const preview = z.object({
  /** The first day of the period: the one after what is closed, or of the first entry. */
  from: z.string().nullable(),
  closed_through: z.string(),
  entries: z.int(),
  sums: z.array(z.object({ currency: z.string(), amount: z.number() })),
  /** What is still on its way and will be booked on the first day that is open. */
  waiting: z.object({ transactions: z.int(), slips: z.int(), lines: z.int() }),
  /** Why it cannot be closed so; none: it can. */
  reasons: z.array(problem),
})
export type ClosingPreview = z.output<typeof preview>

/** Periods of the books: through which day they are closed. */
export const periodCalls = {
  list: call('GET', '/ledger/periods', {
    permission: ['close_ledger', 'access_ledger'],
    summary: ['Periods of the books that are closed', 'فترات الدفاتر المقفلة'],
    response: z.object({
      data: z.object({
        closed_through: z.string().nullable(),
        /** The university's day. */
        today: z.string(),
        closings: z.array(closing),
      }),
    }),
  }),
  preview: call('POST', '/ledger/periods/preview', {
    permission: 'close_ledger',
    summary: ['What closing a period would come to', 'ما يترتب على إقفال فترة'],
    body: z.strictObject({ closed_through: date }),
    response: z.object({ data: preview }),
    reads: true,
    example: { closed_through: '2026-01-31' },
  }),
  close: call('POST', '/ledger/periods/close', {
    permission: 'close_ledger',
    summary: ['Close the books through a day', 'إقفال الدفاتر حتى يوم'],
    body: z.strictObject({ closed_through: date, note: z.string().trim().max(500).nullish() }),
    response: z.object({ data: z.object({ id, closed_through: z.string() }) }),
    example: { closed_through: '2026-01-31' },
  }),
  reopen: call('POST', '/ledger/periods/reopen/{id}', {
    permission: 'close_ledger',
    summary: ['Take back the last closing of the books', 'التراجع عن آخر إقفال للدفاتر'],
    params: z.object({ id: idParam }),
    body: z.strictObject({ reason: z.string().trim().min(3).max(500) }),
    response: z.object({ data: z.object({ id, closed_through: z.string() }) }),
    example: { reason: 'An invoice of December was forgotten' },
  }),
}
