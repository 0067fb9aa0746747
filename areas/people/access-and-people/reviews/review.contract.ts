import { z } from 'zod'
import { bulkResult, call, date, f, id, listOf, listQuery, ref, safeText } from '#kit/contract/index.ts'

/** What became of a right in a review. */
export const DECISIONS = [
  { value: 'open', label: ['Not decided', 'لم يُبت فيها'], tone: 'waiting' },
  { value: 'confirmed', label: ['Confirmed', 'مؤكدة'], tone: 'done' },
  { value: 'revoked', label: ['Taken away', 'سُحبت'], tone: 'refused' },
  { value: 'gone', label: ['Gone meanwhile', 'لم تعد ممنوحة'], tone: 'frozen' },
] as const
export const reviewFields = {
  decision: f.choice(['Decision', 'القرار'], DECISIONS),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
}

const named = z.object({ type: z.string(), id, name: z.string(), name_local: z.string() })
const review = z.object({
  id,
  name: z.string(),
  name_local: z.string(),
  until_date: z.string(),
  closed_at: z.string().nullable(),
  created_at: z.string(),
  by: ref.nullable(),
  rows: z.int(),
  open: z.int(),
  confirmed: z.int(),
  revoked: z.int(),
  gone: z.int(),
})
export type Review = z.output<typeof review>
const row = z.object({
  id,
  user: ref,
  way: z.enum(['role', 'entry', 'direct', 'super']),
  role: ref.nullable(),
  permission: z.string().nullable(),
  scope: named.nullable(),
  valid_from: z.string().nullable(),
  valid_to: z.string().nullable(),
  since: z.string(),
  by: ref.nullable(),
  decision: z.enum(['open', 'confirmed', 'revoked', 'gone']),
  decided_by: ref.nullable(),
  decided_at: z.string().nullable(),
  note: z.string().nullable(),
  /** Which decisions are open to the reader. */
  abilities: z.array(z.enum(['confirm', 'revoke', 'reopen'])),
})
export type ReviewRow = z.output<typeof row>

/** A yearly review: each right that somebody was given is confirmed or taken, by whom and until when. */
export const reviewCalls = {
  listReviews: call('POST', '/rights/reviews', {
    permission: 'review_rights',
    summary: ['Reviews of rights', 'مراجعات الصلاحيات'],
    body: listQuery,
    response: listOf(review),
    reads: true,
  }),
  beginReview: call('PUT', '/rights/reviews', {
    permission: 'review_rights',
    summary: ['Begin a review of all rights that were given', 'بدء مراجعة لكل الصلاحيات الممنوحة'],
    body: z.strictObject({ name: safeText(100, 3), name_local: safeText(100, 3), until_date: date }),
    response: z.object({ data: z.object({ id, rows: z.int() }) }),
    example: { name: 'Review of rights 2099', name_local: 'مراجعة الصلاحيات ٢٠٩٩', until_date: '2099-12-31' },
  }),
  getReview: call('GET', '/rights/reviews/{id}', {
    permission: 'review_rights',
    summary: ['A review of rights', 'مراجعة صلاحيات'],
    response: z.object({ data: review.extend({ abilities: z.array(z.enum(['decide', 'close'])) }) }),
  }),
  reviewRows: call('POST', '/rights/reviews/{id}/rows', {
    permission: 'review_rights',
    summary: ['Rights that a review asks about', 'الصلاحيات محل المراجعة'],
    body: listQuery,
    response: listOf(row),
    reads: true,
  }),
  decide: call('POST', '/rights/reviews/{id}/decide', {
    permission: 'review_rights',
    summary: ['Confirm or take rights in a review', 'تأكيد صلاحيات أو سحبها في المراجعة'],
    body: z.strictObject({
      ids: z.array(id).min(1).max(500),
      /** `reopen`: a confirmation is taken back. */
      decision: z.enum(['confirm', 'revoke', 'reopen']),
      note: safeText(400).nullish(),
    }),
    response: bulkResult,
    example: { ids: [1], decision: 'confirm' },
  }),
  closeReview: call('POST', '/rights/reviews/{id}/close', {
    permission: 'review_rights',
    summary: ['Close a review; what is not decided stays given', 'إغلاق المراجعة، ويبقى ما لم يُبت فيه ممنوحًا'],
    response: z.object({ data: z.object({ id }) }),
  }),
}
