import { z } from 'zod'
import { call, id, ref, safeText } from '#kit/contract/index.ts'

/** Kinds of accounts that a directory may keep. */
const kinds = z
  .array(z.union([z.literal(1), z.literal(2), z.literal(3)]))
  .min(1)
  .max(3)
const days = z.int().min(1).max(730)

const token = z.object({
  id,
  hint: z.string(),
  by: ref,
  created_at: z.string(),
  expires_at: z.string(),
  last_used_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
})
const group = z.object({ id, name: z.string(), members: z.int(), role_id: id.nullable() })
const directory = z.object({
  id,
  name: z.string(),
  kinds: z.array(z.int()),
  people: z.int(),
  tokens: z.array(token),
  groups: z.array(group),
})
/** Shown once: only its hash is kept. */
const shownOnce = z.object({ data: z.object({ id, token: z.string() }) })
const changed = { permission: 'set_directories', confirm: 'second factor' } as const

/** Directories that keep accounts in step by SCIM, for who connects them. */
export const directoryCalls = {
  directories: call('GET', '/directories', {
    permission: 'set_directories',
    summary: ['Directories that keep accounts', 'أدلة المستخدمين التي تدير الحسابات'],
    response: z.object({
      data: z.array(directory),
      meta: z.object({ address: z.string(), roles: z.array(ref) }),
    }),
  }),
  connectDirectory: call('POST', '/directories', {
    ...changed,
    summary: ['Connect a directory', 'ربط دليل مستخدمين'],
    body: z.strictObject({ name: safeText(100, 1), kinds, days }),
    response: shownOnce,
    example: { name: 'Entra ID', kinds: [2, 1], days: 365 },
  }),
  endDirectory: call('DELETE', '/directories/{id}', {
    ...changed,
    summary: ['End a directory', 'إنهاء ربط دليل مستخدمين'],
    response: z.object({ id }),
  }),
  makeToken: call('POST', '/directories/{id}/tokens', {
    ...changed,
    summary: ['Make a token for a directory', 'إصدار رمز لدليل مستخدمين'],
    body: z.strictObject({ days }),
    response: shownOnce,
    example: { days: 365 },
  }),
  revokeToken: call('DELETE', '/directories/tokens/{id}', {
    ...changed,
    summary: ['Revoke a token of a directory', 'إلغاء رمز دليل مستخدمين'],
    response: z.object({ id }),
  }),
  mapGroup: call('PUT', '/directories/groups/{id}', {
    ...changed,
    summary: ['Say which role the members of a group hold', 'تحديد الدور الذي يحمله أعضاء مجموعة'],
    body: z.strictObject({ role_id: id.nullable() }),
    response: z.object({ data: group }),
    example: { role_id: null },
  }),
}
