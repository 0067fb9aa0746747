/** Certificate types: what counts in one adds up. */
import { Refusal } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { certificateType } from './certificate-type.contract.ts'
import { checkCertificateType } from './certificate-type.rules.ts'

const hundredths = (value: unknown): number => Math.round(Number(value ?? 0) * 100)

export const certificateTypes = workings(certificateType, {
  beforeWrite: (_ctx, _tx, merged) => {
    const subjects = (merged.subjects ?? []) as {
      certificate_subject_id: number
      max_mark: string
      is_counted: boolean
    }[]
    const reasons = checkCertificateType(
      hundredths(merged.max_total),
      subjects.map((one) => ({ ...one, max_mark: hundredths(one.max_mark) })),
    )
    if (reasons.length) throw new Refusal(422, reasons)
  },
})
