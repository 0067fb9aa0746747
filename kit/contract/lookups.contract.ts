import { z } from 'zod'
import { call } from './call.ts'
import { id, option } from './schema.ts'

/** What is asked of a lookup; `ids` asks for those records whatever else is asked, to show what is chosen. */
const asked = {
  search: z.string().trim().max(200).default(''),
  ids: z.array(id).max(500).optional(),
  /** Narrows the options, e.g. `{faculty_id: 3}`. */
  filters: z.record(z.string(), z.unknown()).default({}),
  page: z.int().min(1).max(10_000).default(1),
  limit: z.int().min(1).max(500).default(50),
}
/** Kinds of records that are searched at once: more than there are (`tests/menu.test.ts`). */
export const MOST_SEARCHED = 300
const named = z.strictObject({ name: z.string().max(60), ...asked })
/** `more`: there are further options; type to find them. */
const options = z.object({ data: z.array(option), more: z.boolean() })

/** Options of lookups: any named resource the reader may list. */
export const lookupCalls = {
  getLookup: call('POST', '/lookups/get', {
    permission: 'signed_in',
    summary: ['Options of a lookup', 'خيارات قائمة اختيار'],
    body: named,
    response: options,
    reads: true,
    example: { name: 'faculty', search: '' },
  }),
  getLookups: call('POST', '/lookups/index', {
    permission: 'signed_in',
    summary: ['Options of several lookups at once', 'خيارات عدة قوائم اختيار معًا'],
    body: z.strictObject({ lookups: z.array(named).min(1).max(30) }),
    response: z.object({ data: z.record(z.string(), z.array(option)) }),
    reads: true,
    example: { lookups: [{ name: 'faculty' }] },
  }),
  findRecords: call('POST', '/search', {
    permission: 'signed_in',
    summary: ['Records of several kinds by name or code', 'سجلات من أنواع عدة بالاسم أو الكود'],
    body: z.strictObject({
      names: z.array(z.string().max(60)).min(1).max(MOST_SEARCHED),
      search: z.string().trim().min(2).max(200),
      limit: z.int().min(1).max(20).default(6),
    }),
    response: z.object({ data: z.array(z.object({ name: z.string(), data: z.array(option) })) }),
    reads: true,
    example: { names: ['faculty'], search: 'an' },
  }),
  getLookupByLink: call('POST', '/{link}', {
    permission: 'signed_in',
    summary: ['Options of a lookup by its link', 'خيارات قائمة اختيار برابطها'],
    params: z.object({ link: z.string().max(60) }),
    body: z.strictObject(asked),
    response: options,
    reads: true,
    example: { search: '' },
  }),
}
