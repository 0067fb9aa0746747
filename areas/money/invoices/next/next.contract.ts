import { z } from 'zod'
import { call, id, problem, ref } from '#kit/contract/index.ts'

const money = z.int()
const draft = z.object({
  type: z.string(),
  currency: z.string(),
  gross: money,
  amount: money,
  lines: z.array(
    z.object({
      account: z.string(),
      item: z.string(),
      name: z.string(),
      name_local: z.string(),
      quantity: z.number(),
      unit_amount: money,
      amount: money,
      words: z.object({ en: z.string(), ar: z.string() }).nullable(),
    }),
  ),
  installments: z.array(z.object({ amount: money, due_date: z.string() })),
})
export type DraftWire = z.output<typeof draft>

/** For whom invoices of a term are computed: students by their ids, or all of a faculty, program or level. */
export const nextFor = z.strictObject({
  term_id: id,
  student_ids: z.array(id).min(1).max(20_000).optional(),
  faculty_id: id.optional(),
  program_id: id.optional(),
  level: z.int().min(0).max(7).optional(),
  /** Nothing is issued: what would be, and what stands against it. */
  preview: z.boolean().default(false),
})
export type NextFor = z.output<typeof nextFor>

/** What became of many. */
export const nextResult = z.object({
  preview: z.boolean(),
  students: z.int(),
  issued: z.int(),
  /** Of what is issued, by currency. */
  sums: z.array(z.object({ currency: z.string(), count: z.int(), gross: money, amount: money })),
  /** Why not, by reason; the students of the first ones. */
  refused: z.array(z.object({ problem, count: z.int(), students: z.array(ref) })),
})
export type NextResult = z.output<typeof nextResult>

export const nextCalls = {
  one: call('POST', '/payments/apply_next_invoice/{id}', {
    permission: 'issue_invoice',
    summary: ['Issue the next invoice of a student, or look at it first', 'إصدار الفاتورة التالية لطالب أو معاينتها'],
    body: z.strictObject({
      /** The term whose fees are asked for; the current one unless told. */
      term_id: id.optional(),
      preview: z.boolean().default(false),
    }),
    response: z.object({
      data: z.object({
        draft: draft.nullable(),
        /** Why it cannot be issued. */
        reasons: z.array(problem),
        /** What was issued; null: it was only looked at. */
        invoice: z.object({ id, number: z.string() }).nullable(),
      }),
    }),
    example: { preview: true },
  }),
  many: call('POST', '/payments/next-invoices', {
    permission: 'issue_invoice',
    summary: ['Issue the next invoices of many students, as a job', 'إصدار الفواتير التالية لطلاب كثيرين'],
    body: nextFor,
    response: z.object({ job_id: z.string() }),
    maxBody: 512 * 1024,
    example: { term_id: 1, preview: true },
  }),
}
