import { z } from 'zod'
import { ref } from '#kit/contract/index.ts'

/** Who pays and is no student: an applicant, a sponsor, who works here, a guest. */
export const otherPayerRef = ref.extend({ kind: z.enum(['applicant', 'sponsor', 'staff', 'guest']) })
export type OtherPayer = z.output<typeof otherPayerRef>
