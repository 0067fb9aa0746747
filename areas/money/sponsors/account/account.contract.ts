import { z } from 'zod'
import { call, date, id, ref } from '#kit/contract/index.ts'

const money = z.int()
const account = z.object({
  sponsor: ref.extend({ currency: z.string() }),
  /** As of this day. */
  until: z.string(),
  /** Students and sums are of those whom the reader reaches. */
  whole: z.boolean(),
  sums: z.object({
    /** What it took over; of that what is invoiced, and what not yet. */
    taken: money,
    billed: money,
    unbilled: money,
    paid: money,
    open: money,
    /** What it paid more than it owes. */
    wallet: money,
  }),
  /** What is open by how late it is: not due, up to 30, 60, 90 days, and more. */
  aging: z.array(z.object({ from: z.int().nullable(), until: z.int().nullable(), amount: money })),
  students: z.array(z.object({ student: ref, faculty: ref, taken: money, billed: money, paid: money, open: money })),
  invoices: z.array(
    z.object({
      id,
      number: z.string(),
      term: ref.nullable(),
      issued_on: z.string(),
      due_date: z.string().nullable(),
      students: z.int(),
      charged: money,
      paid: money,
      open: money,
      reversed: z.boolean(),
    }),
  ),
  payments: z.array(
    z.object({
      id,
      number: z.string(),
      booked_on: z.string().nullable(),
      way: z.string(),
      amount: money,
      note: z.string().nullable(),
    }),
  ),
})
export type SponsorAccount = z.output<typeof account>

export const sponsorAccountCalls = {
  account: call('GET', '/sponsors/{id}/account', {
    permission: 'show_sponsor',
    summary: ['Account of a sponsor, as of any day', 'حساب جهة راعية حتى أي يوم'],
    query: z.strictObject({ until: date.optional() }),
    response: z.object({ data: account }),
  }),
  statement: call('POST', '/sponsors/{id}/statement', {
    permission: 'show_sponsor',
    summary: ['Statement of a sponsor as PDF or sheet', 'كشف حساب جهة راعية كملف PDF أو جدول'],
    body: z.strictObject({
      format: z.enum(['pdf', 'xlsx']),
      lang: z.enum(['ar', 'en']).optional(),
      until: date.optional(),
    }),
    file: { name: 'Statement.pdf', type: 'pdf' },
    example: { format: 'pdf' },
    reads: true,
  }),
}
