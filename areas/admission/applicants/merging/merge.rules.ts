import type { Reason } from '#kit/contract/issues.ts'

/** An application as merging looks at it. */
export interface MergingApplicant {
  readonly id: number
  readonly code: string
  readonly admission_id: number
  readonly status: string
  /** A fee was paid, or the seat. */
  readonly paid: boolean
}

/** Every reason why one application cannot go into another. `apart`: the reason for which they were said to be of two people. */
export function mergingProblems(kept: MergingApplicant, merged: MergingApplicant, apart: string | null): Reason[] {
  if (kept.id === merged.id) return [{ code: 'applicants_same' }]
  const reasons: Reason[] = []
  const both = [kept, merged]
  if (kept.admission_id !== merged.admission_id) reasons.push({ code: 'applicants_other_admission' })
  for (const { status, code } of both) {
    if (status === 'CANCELLED') reasons.push({ code: 'applicants_one_cancelled', data: { number: code } })
    if (status === 'accepted') reasons.push({ code: 'applicants_one_accepted', data: { number: code } })
  }
  if (kept.paid && merged.paid) reasons.push({ code: 'applicants_both_paid' })
  else if (merged.paid) reasons.push({ code: 'applicants_paid_goes', data: { number: merged.code } })
  if (apart !== null) reasons.push({ code: 'applicants_two_people', data: { reason: apart } })
  return reasons
}
