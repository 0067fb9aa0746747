import { z } from 'zod'
import { call, id, listOf, listQuery, ref } from '#kit/contract/index.ts'

/** What somebody did with a record of a person. */
export const LOOKS = [
  { value: 'read', label: ['Opened the record', 'فتح السجل'], tone: 'draft' },
  { value: 'export', label: ['Took out a file', 'استخرج ملفًا'], tone: 'active' },
  { value: 'log_in_as', label: ['Logged in as you', 'دخل بحسابك'], tone: 'waiting' },
] as const

const look = z.object({
  id,
  at: z.string(),
  kind: z.enum(['read', 'export', 'log_in_as']),
  /** Who it was; null: an account that is gone. */
  who: ref.nullable(),
  /** As whom he or she was logged in. */
  as: ref.nullable(),
  /** Roles of who it was, today. */
  roles: z.array(ref),
  /** Somebody without an account whom the student lets see parts of the study, as the student names him or her. */
  guest: z.string().nullable(),
  /** The file that was taken out. */
  file: z.string().nullable(),
})
export type Look = z.output<typeof look>

export const lookerCalls = {
  lookers: call('POST', '/users/lookers', {
    permission: 'signed_in',
    summary: ['Who looked at the own record', 'من اطّلع على سجلي'],
    body: listQuery,
    response: listOf(look),
    reads: true,
    personal: true,
  }),
}
