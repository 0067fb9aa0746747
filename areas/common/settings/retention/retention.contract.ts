import { z } from 'zod'
import { call, id, ref, safeText } from '#kit/contract/index.ts'
import { KEPT_KINDS } from '#kit/contract/retention.ts'

const kind = z.enum(KEPT_KINDS)
const days = z.int().min(1).max(36_500).nullable()
const due = z.object({ count: z.int(), oldest: z.string().nullable() })
const kept = z.object({
  kind,
  /** null: for ever. */
  days,
  set_by: ref.nullable(),
  set_at: z.string().nullable(),
  /** What the next run erases. */
  due: due.nullable(),
  last_run: z.object({ at: z.string(), erased: z.number() }).nullable(),
})
export type KeptRow = z.output<typeof kept>
const hold = z.object({
  id,
  person: ref,
  reason: z.string(),
  since: z.string(),
  set_by: ref.nullable(),
})
const params = z.object({ kind })

export const retentionCalls = {
  retention: call('GET', '/settings/retention', {
    permission: 'edit_retention',
    summary: ['How long each kind of data is kept', 'مدة الاحتفاظ بكل نوع من البيانات'],
    response: z.object({
      data: z.array(kept),
      meta: z.object({
        /** When the next run begins. */
        next: z.string(),
        holds: z.array(hold),
      }),
    }),
  }),
  previewRetention: call('POST', '/settings/retention/{kind}/preview', {
    permission: 'edit_retention',
    summary: ['What would be erased with another length', 'ما سيُمحى بمدة أخرى'],
    params,
    body: z.strictObject({ days }),
    response: z.object({ data: due }),
    reads: true,
    example: { days: 400 },
  }),
  setRetention: call('PUT', '/settings/retention/{kind}', {
    permission: 'edit_retention',
    summary: ['Set how long a kind of data is kept', 'تحديد مدة الاحتفاظ بنوع من البيانات'],
    params,
    body: z.strictObject({
      days,
      /** How much is erased by it, as the preview told; for a shorter length. */
      seen: z.int().min(0).optional(),
    }),
    response: z.object({ data: z.object({ kind, days }) }),
    example: { days: 400 },
  }),
  holdPerson: call('POST', '/settings/retention/holds', {
    permission: 'edit_retention',
    summary: ['Erase nothing of a person for now', 'وقف محو بيانات شخص'],
    body: z.strictObject({ user_id: id, reason: safeText(500, 3) }),
    response: z.object({ data: z.object({ id }) }),
  }),
  endHold: call('DELETE', '/settings/retention/holds/{id}', {
    permission: 'edit_retention',
    summary: ['End the hold of a person', 'إنهاء وقف محو بيانات شخص'],
    response: z.object({ data: z.object({ id }) }),
  }),
}
