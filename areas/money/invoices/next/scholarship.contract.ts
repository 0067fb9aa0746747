import { z } from 'zod'
import { call, id, problem, ref, safeText } from '#kit/contract/index.ts'

const money = z.int()
/** What a scholarship takes off an invoice. */
const applied = z.object({
  scholarship: ref,
  currency: z.string(),
  /** What the invoice charges before and afterwards. */
  before: money,
  after: money,
  /** Of what is paid, what is not charged any more and goes into the wallet. */
  released: money,
  /** What is taken off, by what is charged for. */
  lines: z.array(z.object({ name: z.string(), name_local: z.string(), amount: money })),
  /** Why it is not applied. */
  reasons: z.array(problem),
  /** What was written; null: it was only looked at. */
  grant_id: id.nullable(),
  note: z.string().nullable(),
})
export type ScholarshipApplied = z.output<typeof applied>

export const scholarshipCalls = {
  apply: call('POST', '/payments/scholarship/{id}', {
    permission: 'grant_scholarship',
    summary: [
      'Grant a scholarship to the student of an invoice and take it off by a note, or look at it first',
      'منح طالب الفاتورة منحة وخصمها بإشعار، أو معاينتها',
    ],
    body: z.strictObject({
      scholarship_id: id,
      /** The last year of it; without one it is of the year of the invoice. */
      until_year_id: id.nullish(),
      /** Needed to grant it. */
      reason: safeText(500).nullish(),
      preview: z.boolean().default(false),
    }),
    response: z.object({ data: applied }),
    example: { scholarship_id: 6, preview: true },
  }),
}
