import { z } from 'zod'
import { call, id, idParam, ref, safeText } from '#kit/contract/index.ts'

const answer = z.object({ data: z.object({ id, scholarship: ref.nullable() }) })
const reason = safeText(500, 3)

/** Scholarships that take the whole fee of the seat, and are granted to the student that the applicant becomes. */
export const fullScholarshipCalls = {
  offered: call('GET', '/admission/full-scholarships/{id}', {
    permission: 'grant_scholarship',
    summary: ['Full scholarships that an applicant can be given', 'المنح الكاملة المتاحة لمتقدم'],
    response: z.object({ data: z.object({ given: ref.nullable(), scholarships: z.array(ref) }) }),
  }),
  change: call('POST', '/admission/changeFullScholarship/{id}', {
    permission: 'grant_scholarship',
    summary: [
      'Give an applicant the full scholarship that there is, or take it back',
      'منح متقدم المنحة الكاملة أو سحبها',
    ],
    body: z.strictObject({ full: z.boolean().default(true), reason }),
    response: answer,
    example: { reason: 'Decision of the council.' },
  }),
  changeTo: call('POST', '/admission/changeFullScholarship/{id}/{x}', {
    permission: 'grant_scholarship',
    summary: ['Give an applicant a full scholarship (x)', 'منح متقدم منحة كاملة محددة'],
    params: z.object({ id: idParam, x: idParam }),
    body: z.strictObject({ reason }),
    response: answer,
    example: { reason: 'Decision of the council.' },
  }),
}
