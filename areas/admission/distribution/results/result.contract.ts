import { z } from 'zod'
import { call, id, idParam, ref } from '#kit/contract/index.ts'
import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'
import { ladderRung } from '../runs/run.contract.ts'

const result = z.object({
  id,
  code: z.string(),
  status: z.enum(APPLICANT_STATUSES.map(({ value }) => value)),
  /** Whether a distribution was confirmed and may be told: nothing of it is told before. */
  out: z.boolean(),
  /** From when on it is told; null: as soon as there is one. */
  results_at: z.string().nullable(),
  /** The program that is held for the applicant now. */
  seat: ref.nullable(),
  /** The distribution, and the mark by which programs ranked the applicant: percent with at most six places. */
  run: z.string().nullable(),
  score: z.string().nullable(),
  /** What became of each wish, in their order; empty where the applicant was in no distribution. */
  rungs: z.array(ladderRung),
})
export type OwnResult = z.output<typeof result>

export const distributionResultCalls = {
  own: call('GET', '/admission/{id}/{key}/result', {
    permission: 'public',
    params: z.object({ id: idParam, key: z.string().max(100) }),
    summary: ['The result of an application, to whoever has its key', 'نتيجة طلب التقديم لمن لديه مفتاحه السري'],
    response: z.object({ data: result }),
    reads: true,
  }),
  instance: call('GET', '/distribution-runs/instance/{id}', {
    permission: 'access_distribution',
    summary: ['What a distribution stood on, as a file that can be checked', 'مدخلات تنسيق في ملف قابل للتحقق'],
    file: { name: 'instance.json', type: 'json' },
  }),
  result: call('GET', '/distribution-runs/result/{id}', {
    permission: 'access_distribution',
    summary: ['What a distribution gave, as a file that can be checked', 'نتيجة تنسيق في ملف قابل للتحقق'],
    file: { name: 'result.json', type: 'json' },
  }),
}
