import { call, id, idParam } from '#kit/contract/index.ts'
import { z } from 'zod'

export const syncCalls = {
  /** By a DOI at once; all works of an ORCID iD as a job. For somebody else by who keeps that researcher’s record. */
  sync: call('POST', '/publications/sync-publications', {
    permission: 'add_publication',
    summary: [
      'Fetch publications: one by its DOI, or all of an ORCID iD, one’s own or those of a researcher',
      'جلب المنشورات: واحد بمعرف DOI أو كل ما يخص معرف ORCID، لنفسك أو لباحث',
    ],
    body: z.strictObject({
      doi: z.string().trim().min(1).max(300).optional(),
      source: z.enum(['orcid', 'openalex']).optional(),
      /** Also what has not changed since the last time. */
      everything: z.boolean().optional(),
      /** Whose they are, by the account; without it one’s own. */
      user_id: id.optional(),
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
    query: z.object({ user_id: idParam.optional() }),
    response: z.object({
      data: z.object({
        crossref: z.boolean(),
        orcid: z.boolean(),
        openalex: z.boolean(),
        /** The person’s iD; null: none was given. */
        iD: z.string().nullable(),
        synced_at: z.string().nullable(),
      }),
    }),
  }),
}
