import { z } from 'zod'
import { call, id, problem, ref } from '#kit/contract/index.ts'

/** Somebody, or the course itself, that the platform did not take. */
const refused = z.object({
  /** Code of a student or instructor; null: the course. */
  who: z.string().nullable(),
  reason: problem,
})
export type RefusedThere = z.output<typeof refused>

/** What a synchronisation of one offering did there. */
const result = z.object({
  created: z.boolean(),
  /** Accounts made, people taken into the course, people taken out of it. */
  accounts: z.int(),
  enrolled: z.int(),
  removed: z.int(),
  refused: z.array(refused),
})
export type SyncResult = z.output<typeof result>

const row = z.object({
  offering: ref.extend({ course: ref }),
  students: z.int(),
  state: z.enum(['synced', 'partly', 'failed']).nullable(),
  finished_at: z.string().nullable(),
  /** Where the course opens there. */
  address: z.string().nullable(),
  result: result.nullable(),
})
export type PlatformRow = z.output<typeof row>

const begun = z.object({ data: z.object({ job_id: z.string(), offerings: z.int() }) })

export const lmsCalls = {
  sync: call('PUT', '/offerings/sync-offerings-to-lms/{id}', {
    permission: 'sync_lms',
    summary: [
      'Bring an offering, its team and its students to the learning platform',
      'نقل المقرر وفريقه وطلابه إلى منصة التعلم',
    ],
    response: begun,
  }),
  /** As the documents have it a GET; it begins work, so it is refused where nothing may be changed, and to other sites. */
  syncAll: call('GET', '/offerings/syc_all_offerings_current_term', {
    permission: 'sync_lms',
    summary: [
      'Bring all offerings of the current term within reach to the learning platform',
      'نقل كل مقررات الفصل الحالي ضمن نطاقك إلى منصة التعلم',
    ],
    response: begun,
    reads: false,
  }),
  state: call('GET', '/offerings/lms', {
    permission: 'sync_lms',
    summary: ['Show what stands on the learning platform', 'عرض ما نُقل إلى منصة التعلم'],
    query: z.strictObject({ offering_id: z.coerce.number().pipe(id).optional() }),
    response: z.object({
      data: z.object({ platform: z.object({ name: z.string(), url: z.string() }).nullable(), offerings: z.array(row) }),
    }),
  }),
}
