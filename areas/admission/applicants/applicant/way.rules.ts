import type { Reason } from '#kit/contract/issues.ts'
import { applicant } from './applicant.contract.ts'

/** Hundredths of a percent. */
type Hundredths = number

/** What an exam and an interview come to. */
export interface EntranceFacts {
  readonly has_exam: boolean
  readonly has_interview: boolean
  /** The exam is passed from here on. */
  readonly min_exam: Hundredths
  readonly exam_result: Hundredths | null
  readonly interview_passed: boolean | null
}

/** What a step with an application looks at. */
export interface ApplicantWayFacts extends EntranceFacts {
  /** Comments that the applicant has not answered yet. */
  readonly comments: number
  /** It is for a transfer from another university. */
  readonly transfer: boolean
  /** What was passed at the other university is settled for the program that was given, or nothing was. */
  readonly equivalent: boolean
  /** The fee of the attempt that comes: not asked of this applicant, not settled, settled. */
  readonly exam_fee: FeeStanding
  readonly final_fee: FeeStanding
  /** A program was given. */
  readonly assigned: boolean
  /** What a student's record cannot be without, and was not written: names of fields. */
  readonly missing: readonly string[]
  /** Where it stands, for what a transfer has to go through first. */
  readonly status: string
}
export type FeeStanding = 'none' | 'due' | 'paid'

/** Whoever gets an application back is told what to mend, where it stands. */
export const checkSendingBack = ({ comments }: ApplicantWayFacts): Reason[] =>
  comments ? [] : [{ code: 'applicant_no_comment' }]

export const checkAskingExamFee = ({ has_exam, exam_fee }: ApplicantWayFacts): Reason[] =>
  has_exam ? (exam_fee === 'none' ? [{ code: 'applicant_no_exam_fee' }] : []) : [{ code: 'applicant_no_exam' }]

/** Whether the admission asks applicants to come to anything: an exam, an interview, or both. */
const isExamined = ({ has_exam, has_interview }: EntranceFacts): boolean => has_exam || has_interview

export const checkAskingExam = (facts: ApplicantWayFacts): Reason[] =>
  isExamined(facts)
    ? facts.exam_fee === 'due'
      ? [{ code: 'applicant_exam_unpaid' }]
      : []
    : [{ code: 'applicant_no_exam' }]

/** What an exam and an interview came to: every reason why it is not passed, and what is missing until it can be said. */
function resultOf({ has_exam, exam_result, min_exam, has_interview, interview_passed }: EntranceFacts): {
  missing: Reason[]
  failed: Reason[]
} {
  const missing: Reason[] = []
  const failed: Reason[] = []
  if (has_exam) {
    if (exam_result === null) missing.push({ code: 'applicant_no_result' })
    else if (exam_result < min_exam)
      failed.push({
        code: 'applicant_result_below',
        data: { result: printed(exam_result), needed: printed(min_exam) },
      })
  }
  if (has_interview) {
    if (interview_passed === null) missing.push({ code: 'applicant_no_interview' })
    else if (!interview_passed) failed.push({ code: 'applicant_interview_failed' })
  }
  return { missing, failed }
}
const printed = (hundredths: Hundredths): string => String(hundredths / 100)

export const checkPassing = (facts: ApplicantWayFacts): Reason[] => {
  const { missing, failed } = resultOf(facts)
  return [...missing, ...failed]
}
/** Failed with an exam or an interview that was not passed; what else is missing changes nothing. */
export const checkFailing = (facts: ApplicantWayFacts): Reason[] => {
  const { missing, failed } = resultOf(facts)
  return failed.length ? [] : missing.length ? missing : [{ code: 'applicant_passed' }]
}

/** The step that a result leads to: failed as soon as one part was not passed, passed once all were, else it waits for the rest. */
export function examOutcome(facts: EntranceFacts): 'pass_exam' | 'fail_exam' | 'waits' {
  const { missing, failed } = resultOf(facts)
  return failed.length ? 'fail_exam' : missing.length ? 'waits' : 'pass_exam'
}

/** A result that a seat was given for stands. */
export const checkCorrectingExam = (facts: ApplicantWayFacts): Reason[] => {
  const { assigned } = facts
  if (!isExamined(facts)) return [{ code: 'applicant_no_exam' }]
  return assigned ? [{ code: 'applicant_seat_given' }] : []
}

/** Without an exam and an interview an application goes to the distribution once it is reviewed. */
export const checkGoingToDistribution = (facts: ApplicantWayFacts): Reason[] =>
  isExamined(facts) ? [{ code: 'applicant_exam_first' }] : []

/** What a transfer brings is settled for the program that it was given. */
export const checkEquivalence = ({ transfer, assigned, equivalent }: ApplicantWayFacts): Reason[] => {
  if (!transfer) return [{ code: 'applicant_no_transfer' }]
  const reasons: Reason[] = []
  if (!assigned) reasons.push({ code: 'applicant_no_program' })
  if (!equivalent) reasons.push({ code: 'applicant_not_settled' })
  return reasons
}

/** What a transfer brings is settled, and was not opened again since. */
const unsettled = ({ transfer, equivalent }: ApplicantWayFacts): Reason[] =>
  transfer && !equivalent ? [{ code: 'applicant_not_settled' }] : []

export const checkOffering = (facts: ApplicantWayFacts): Reason[] => {
  const { assigned, transfer, status } = facts
  const reasons: Reason[] = []
  if (!assigned) reasons.push({ code: 'applicant_no_program' })
  if (transfer && status !== 'EQUIVALENCE_DONE') reasons.push({ code: 'applicant_equivalence_first' })
  return [...reasons, ...unsettled(facts)]
}

export const checkApproving = ({ final_fee }: ApplicantWayFacts): Reason[] =>
  final_fee === 'due' ? [{ code: 'applicant_final_unpaid' }] : []

/** A record of a student needs these; the desk completes them. */
export const checkBecomingStudent = (facts: ApplicantWayFacts): Reason[] => [
  ...facts.missing.map((name) => {
    const [what, what_local] = applicant.fields[name as 'name'].label
    return { code: 'applicant_field_missing', data: { what, what_local } }
  }),
  ...unsettled(facts),
]
