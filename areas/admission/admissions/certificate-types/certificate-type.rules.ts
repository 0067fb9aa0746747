import type { Reason } from '#kit/contract/issues.ts'

/** A subject of a certificate. Marks are hundredths. */
export interface CertificateSubjectFacts {
  readonly certificate_subject_id: number
  readonly max_mark: number
  readonly is_counted: boolean
}

const shown = (hundredths: number): string => (hundredths / 100).toFixed(2)

/** Every reason why a certificate cannot be so: what counts adds up to its total, where subjects are listed. */
export function checkCertificateType(total: number, subjects: readonly CertificateSubjectFacts[]): Reason[] {
  const counted = subjects.filter(({ is_counted }) => is_counted)
  const sum = counted.reduce((all, { max_mark }) => all + max_mark, 0)
  return [
    ...(counted.length && sum !== total
      ? [{ field: 'max_total', code: 'certificate_total_sum', data: { sum: shown(sum), total: shown(total) } }]
      : []),
    ...subjects.flatMap(({ certificate_subject_id }, i) =>
      subjects.slice(0, i).some((before) => before.certificate_subject_id === certificate_subject_id)
        ? [{ field: `subjects.${i}.certificate_subject_id`, code: 'certificate_subject_once' }]
        : [],
    ),
  ]
}
