import { z } from 'zod'
import { call } from '#kit/contract/index.ts'

/** What stands on a page in one language. */
export const pageCalls = {
  updatePage: call('POST', '/archive/update_page/{id}', {
    permission: 'edit_archive',
    summary: ['Write a page in one language', 'كتابة نص صفحة بإحدى اللغتين'],
    body: z.strictObject({
      body: z.string().max(100_000),
      language: z.enum(['ar', 'en']),
      /** The version of this text that was read; another means that somebody wrote meanwhile. */
      version: z.int().min(0).max(2_147_483_647).optional(),
    }),
    maxBody: 600_000,
    response: z.object({ data: z.object({ body: z.string(), version: z.int() }) }),
    example: { body: '<p>Approved by the University Council.</p>', language: 'en' },
  }),
}
