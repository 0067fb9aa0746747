import { call, id, ref } from '#kit/contract/index.ts'
import { z } from 'zod'

/**
 * What can be found: a break in the chain, a link that is not the one that was written or was not written by the program,
 * an end that was noted and stands there no more; a signed sheet or row that was changed; a sheet that is approved and not
 * signed, or signed and no longer approved; another mark scheme; a registration that came or went; and a single cell. Of records
 * beside the sheets: a link that does not hold those it was sealed with, one that was never sealed, came, went, or differs.
 */
const FINDINGS = [
  'chain',
  'link',
  'seal',
  'noted',
  'row',
  'sheet',
  'unsigned',
  'status',
  'scheme',
  'added',
  'gone',
  'records',
  'unsealed',
  'cell',
] as const

/** What else than a sheet a finding is about. */
export const ABOUT = ['term', 'credit', 'grace', 'level', 'offering', 'history', 'student'] as const

const finding = z.object({
  kind: z.enum(FINDINGS),
  /** Number of the link. */
  link: z.number().optional(),
  offering: ref.nullable(),
  student: ref.nullable(),
  registration_id: id.optional(),
  /** Of a record: of what kind, and of which term or credited course. */
  about: z.enum(ABOUT).optional(),
  term: ref.nullable(),
  course: ref.nullable(),
  /** Of a cell: which, what was signed, and what stands there. */
  field: z.string().optional(),
  category: ref.nullable(),
  signed: z.string().nullable().optional(),
  stands: z.string().nullable().optional(),
})
export type SigningFinding = z.output<typeof finding>

const chainHead = z.object({ number: z.number(), hash: z.string(), at: z.string() })
const hash = z.string().regex(/^[0-9a-f]{64}$/)

export const verified = z.object({
  /** The end of the chain: noted elsewhere, it proves later that nothing before it was written anew. */
  head: chainHead.nullable(),
  sheets: z.int(),
  registrations: z.int(),
  /** Records that are sealed beside the sheets. */
  records: z.int(),
  /** The first 200 of `count`. */
  findings: z.array(finding),
  count: z.int(),
})
export type Verified = z.output<typeof verified>

/** Signed grade sheets: their chain, and whether what stands is what was signed. */
export const signingCalls = {
  head: call('GET', '/control/grade-sheets/head', {
    permission: ['verify_grades', 'access_control'],
    summary: ['The end of the chain of signed grade sheets', 'نهاية سلسلة كشوف الدرجات الموقَّعة'],
    response: z.object({ data: chainHead.nullable() }),
  }),
  verify: call('POST', '/control/grade-sheets/verify', {
    permission: 'verify_grades',
    summary: ['Verify that marks are those that were signed', 'التحقق من أن الدرجات هي التي وُقِّعت'],
    body: z.strictObject({
      /** An end of the chain that was noted earlier. */
      noted: z.strictObject({ number: z.int().min(1), hash }).optional(),
    }),
    response: z.object({ job_id: z.string() }),
    example: {},
  }),
}
