import { z } from 'zod'
import { id, ref } from '#kit/contract/index.ts'

/** Who pays and is no student, and what such a payer is called. */
export const PAYER_KINDS = [
  { value: 'applicant', label: ['Applicant', 'متقدم'] },
  { value: 'sponsor', label: ['Sponsor', 'جهة راعية'] },
  { value: 'staff', label: ['Member of staff', 'عامل بالجامعة'] },
  { value: 'guest', label: ['Guest', 'ضيف'] },
] as const
export const otherPayerRef = ref.extend({ kind: z.enum(PAYER_KINDS.map((kind) => kind.value)) })
export type OtherPayer = z.output<typeof otherPayerRef>

/** Payers that are named by what they are: the account of who works here, or a guest; one of them. */
export const namedPayer = { staff_id: id.optional(), guest_id: id.optional() }
export interface NamedPayer {
  readonly staff_id?: number | undefined
  readonly guest_id?: number | undefined
}
