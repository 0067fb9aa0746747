import { z } from 'zod'
import { call, id, jobStarted } from '#kit/contract/index.ts'

const lang = z.enum(['ar', 'en'])
const named = z.object({ id, name: z.string(), name_local: z.string() })
const billFor = z.strictObject({
  term_id: id,
  /** Of these sponsors; of all that took over something of the term otherwise. */
  sponsor_ids: z.array(id).min(1).max(500).optional(),
  /** Sent to the sponsors' addresses. */
  mail: z.boolean().default(false),
})
export type BillFor = z.output<typeof billFor>
export interface BillResult {
  readonly sponsors: number
  readonly issued: {
    readonly id: number
    readonly number: string
    readonly amount: number
    readonly students: number
    readonly currency: string
    readonly mailed: boolean
    readonly sponsor: z.output<typeof named>
  }[]
}

/** Invoices of sponsors. */
export const billingCalls = {
  issue: call('POST', '/sponsors/invoices/issue', {
    permission: 'bill_sponsor',
    summary: [
      'Issue the invoices of sponsors for a term: what is not invoiced yet, by student',
      'إصدار فواتير الجهات الراعية لفصل: ما لم يُفوتر بعد لكل طالب',
    ],
    body: billFor,
    response: jobStarted,
    example: { term_id: 1 },
  }),
  file: call('POST', '/sponsors/invoices/{id}/file', {
    permission: 'show_sponsor',
    summary: ['An invoice of a sponsor as PDF or sheet', 'فاتورة جهة راعية كملف PDF أو جدول'],
    body: z.strictObject({ format: z.enum(['pdf', 'xlsx']), lang: lang.optional() }),
    file: { name: 'Invoice.pdf', type: 'pdf' },
    example: { format: 'pdf' },
    reads: true,
  }),
  mail: call('POST', '/sponsors/invoices/{id}/mail', {
    permission: 'bill_sponsor',
    summary: ['Send an invoice to its sponsor', 'إرسال فاتورة إلى الجهة الراعية'],
    response: z.object({ data: z.object({ to: z.string() }) }),
  }),
}
