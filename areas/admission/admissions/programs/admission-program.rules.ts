import type { Reason } from '#kit/contract/issues.ts'
import { QUOTA_GROUPS, isPostgraduate } from '../words.contract.ts'

interface Quota {
  readonly quota_group: string
  readonly reserved: number | null
  readonly maximum: number | null
}
/** What the rule of a program of an admission looks at. */
export interface AdmissionProgramFacts {
  readonly applicant_type: number
  /** Whether the admission has an exam. */
  readonly has_exam: boolean
  readonly study_level: string | null
  /** Whether the bylaw of the program takes new students. */
  readonly in_admission: boolean
  readonly capacity: number
  readonly min_exam: boolean
  readonly min_age: number | null
  readonly max_age: number | null
  readonly gender: number | null
  readonly certificates: readonly string[]
  readonly subjects: readonly { readonly certificate_subject_id: number }[]
  readonly quotas: readonly Quota[]
}

/** By what a group tells people apart. */
const dimension = (group: string): string | undefined => QUOTA_GROUPS.find(({ value }) => value === group)?.by

/** Every reason why a program cannot be offered so. */
export function checkAdmissionProgram(facts: AdmissionProgramFacts): Reason[] {
  const postgraduate = isPostgraduate(facts.applicant_type)
  return [
    ...((facts.study_level === 'postgraduate') === postgraduate
      ? []
      : [
          {
            field: 'program_id',
            code: postgraduate ? 'admission_program_postgraduate' : 'admission_program_undergraduate',
          },
        ]),
    ...(facts.in_admission ? [] : [{ field: 'program_id', code: 'admission_program_bylaw' }]),
    ...(facts.min_exam && !facts.has_exam ? [{ field: 'min_exam', code: 'admission_without_exam' }] : []),
    ...(facts.min_age !== null && facts.max_age !== null && facts.min_age > facts.max_age
      ? [{ field: 'max_age', code: 'admission_program_ages' }]
      : []),
    ...(postgraduate && facts.certificates.length
      ? [{ field: 'certificates', code: 'admission_subjects_undergraduate' }]
      : []),
    ...(postgraduate && facts.subjects.length ? [{ field: 'subjects', code: 'admission_subjects_undergraduate' }] : []),
    ...facts.subjects.flatMap(({ certificate_subject_id }, i) =>
      facts.subjects.slice(0, i).some((before) => before.certificate_subject_id === certificate_subject_id)
        ? [{ field: `subjects.${i}.certificate_subject_id`, code: 'admission_program_subject_once' }]
        : [],
    ),
    ...checkQuotas(facts, postgraduate),
  ]
}

function checkQuotas(
  { quotas, capacity, gender, certificates }: AdmissionProgramFacts,
  postgraduate: boolean,
): Reason[] {
  const first = quotas[0] && dimension(quotas[0].quota_group)
  const reserved = quotas.reduce((all, one) => all + (one.reserved ?? 0), 0)
  return [
    ...quotas.flatMap((one, i) => {
      const by = dimension(one.quota_group)
      const at = `quotas.${i}.quota_group`
      return [
        ...(by === first ? [] : [{ field: at, code: 'admission_quota_kinds' }]),
        ...(quotas.slice(0, i).some((before) => before.quota_group === one.quota_group)
          ? [{ field: at, code: 'admission_quota_once' }]
          : []),
        ...(by === 'certificate' && postgraduate ? [{ field: at, code: 'admission_subjects_undergraduate' }] : []),
        // Places for whom the program does not take would stay empty, or mean nothing.
        ...((by === 'gender' && gender !== null) ||
        (by === 'certificate' && certificates.length && !certificates.includes(one.quota_group))
          ? [{ field: at, code: 'admission_quota_excluded' }]
          : []),
        ...(one.reserved === null && one.maximum === null
          ? [{ field: `quotas.${i}.reserved`, code: 'admission_quota_says' }]
          : []),
        ...(one.reserved !== null && one.maximum !== null && one.reserved > one.maximum
          ? [{ field: `quotas.${i}.maximum`, code: 'admission_quota_order' }]
          : []),
      ]
    }),
    ...(reserved > capacity
      ? [{ field: 'capacity', code: 'admission_quota_seats', data: { reserved, capacity } }]
      : []),
  ]
}
