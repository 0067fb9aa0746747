/** When an applicant is given a scholarship that takes the whole fee of the seat. */
import type { Reason } from '#kit/contract/issues.ts'
import type { ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'

/** From when an application was sent in until the seat is taken up. */
const GIVEN_IN: readonly ApplicantStatus[] = [
  'SUBMITTED',
  'FEEDBACK',
  'UPDATED',
  'REVIEWED',
  'EXAM_FEES_REQUIRED',
  'exam required',
  'EXAM_FAILS',
  'DISTRIBUATION_REQUIRED',
  'EQUIVALENCE_DONE',
  'FINAL_FEES_REQUIRED',
]

export interface FullScholarshipFacts {
  readonly status: ApplicantStatus
  /** The scholarship that the applicant has; null: none. */
  readonly given: number | null
  /** The fee of the seat is paid. */
  readonly seat_settled: boolean
}

/** Why it is not given, or not taken back (`wanted` null), now: all of it. `percent`: hundredths that the scholarship takes off. */
export function checkFullScholarship(
  wanted: { readonly id: number; readonly percent: number | null } | null,
  { status, given, seat_settled }: FullScholarshipFacts,
): Reason[] {
  const reasons: Reason[] = []
  if (!GIVEN_IN.includes(status)) reasons.push({ code: 'full_scholarship_not_now' })
  else if (seat_settled) reasons.push({ code: 'admission_fee_settled' })
  if (wanted === null && given === null) reasons.push({ code: 'full_scholarship_none' })
  if (wanted !== null && given === wanted.id) reasons.push({ code: 'full_scholarship_given' })
  if (wanted !== null && wanted.percent !== 10_000) reasons.push({ code: 'full_scholarship_percent' })
  return reasons
}
