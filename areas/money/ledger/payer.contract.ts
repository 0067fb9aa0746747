import { z } from 'zod'
import { ref } from '#kit/contract/index.ts'

/** Who pays and is no student: an applicant or a sponsor. */
export const otherPayerRef = ref.extend({ kind: z.enum(['applicant', 'sponsor']) })
export type OtherPayer = z.output<typeof otherPayerRef>
