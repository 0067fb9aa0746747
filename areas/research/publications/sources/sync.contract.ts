import { call, id } from '#kit/contract/index.ts'
import { z } from 'zod'

export const syncCalls = {
  /** By a DOI at once; all works of the own ORCID iD as a job. */
  sync: call('POST', '/publications/sync-publications', {
    permission: 'add_publication',
    summary: [
      'Fetch publications: one by its DOI, or all of the own ORCID iD',
      'جلب المنشورات: واحد بمعرف DOI أو كل ما يخص معرف ORCID الخاص بك',
    ],
    body: z.strictObject({
      doi: z.string().trim().min(1).max(300).optional(),
      source: z.enum(['orcid', 'openalex']).optional(),
      /** Also what has not changed since the last time. */
      everything: z.boolean().optional(),
    }),
    response: z.object({
      data: z.object({
        publication_id: id.nullable(),
        added: z.int(),
        known: z.int(),
        job: z.string().nullable(),
      }),
    }),
    example: { doi: '10.1000/182' },
  }),
  sources: call('GET', '/publications/sources', {
    permission: 'add_publication',
    summary: ['Where publications can be fetched from', 'الجهات التي يمكن جلب المنشورات منها'],
    response: z.object({
      data: z.object({
        crossref: z.boolean(),
        orcid: z.boolean(),
        openalex: z.boolean(),
        /** The own iD; null: none was given. */
        iD: z.string().nullable(),
        synced_at: z.string().nullable(),
      }),
    }),
  }),
}
