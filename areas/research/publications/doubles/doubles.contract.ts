import { call, id, idParam, ref } from '#kit/contract/index.ts'
import { z } from 'zod'

const side = z.object({
  id,
  title: z.string().nullable(),
  title_local: z.string().nullable(),
  kind: z.string(),
  year: z.int().nullable(),
  venue: z.string().nullable(),
  doi: z.string().nullable(),
  status: z.string(),
  members: z.array(z.string()),
  /** The reader may change it. */
  writes: z.boolean(),
})
const pair = z.object({
  id,
  why: z.enum(['doi', 'title', 'near_title', 'place']),
  score: z.int(),
  first: side,
  second: side,
})
export type DoublePair = z.output<typeof pair>
export type DoubleSide = z.output<typeof side>

export const doubleCalls = {
  doubles: call('GET', '/publications/doubles', {
    permission: 'access_publication',
    summary: ['Publications that may be one', 'منشورات قد تكون مكررة'],
    query: z.object({ publication_id: idParam.optional(), page: idParam.optional() }),
    response: z.object({ data: z.object({ pairs: z.array(pair), count: z.int(), found_at: z.string().nullable() }) }),
  }),
  findDoubles: call('POST', '/publications/doubles/find', {
    permission: 'edit_publication',
    summary: ['Look for publications that may be one', 'البحث عن المنشورات المكررة'],
    body: z.strictObject({}),
    response: z.object({ data: z.object({ job: z.string() }) }),
    example: {},
  }),
  /** What the kept one lacks is taken from the other, which stays in the trail and points to it. */
  merge: call('PUT', '/publications/doubles/merge/{id}', {
    permission: 'edit_publication',
    summary: ['Merge two publications that are one', 'دمج منشورين هما عمل واحد'],
    body: z.strictObject({ keep_id: id }),
    response: z.object({ data: z.object({ id, kept: ref }) }),
    example: { keep_id: 1 },
  }),
  apart: call('PUT', '/publications/doubles/apart/{id}', {
    permission: 'edit_publication',
    summary: ['Say that two publications are two', 'تأكيد أن المنشورين مختلفان'],
    body: z.strictObject({}),
    response: z.object({ data: z.object({ id }) }),
    example: {},
  }),
}
/** Pairs on one page. */
export const PAIRS_ON_PAGE = 25
