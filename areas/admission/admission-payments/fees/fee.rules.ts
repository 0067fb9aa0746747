/** What of an applicant's fees can be paid now, how each stands, and which are taken back. Amounts in minor units. */
import type { Reason } from '#kit/contract/issues.ts'
import type { ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'

export const FEE_KINDS = ['application', 'exam', 'final'] as const
export type FeeKind = (typeof FEE_KINDS)[number]

/** A fee that the admission asks of this applicant. */
export interface AskedFee {
  readonly fee: FeeKind
  readonly currency: string
  readonly amount: number
}
/** A fee that was charged and is not taken back. */
export interface ChargedFee {
  readonly invoice_id: number
  readonly fee: FeeKind
  readonly attempt: number
  readonly currency: string
  readonly charged: number
  readonly open: number
}
export interface PayingFacts {
  readonly status: ApplicantStatus
  /** Whether the form can still be sent in. */
  readonly writable: boolean
  /** The attempt at the exam that comes or is under way. */
  readonly exam_attempt: number
  readonly asked: readonly AskedFee[]
  readonly charged: readonly ChargedFee[]
}
export interface PayableFee {
  readonly fee: FeeKind
  /** null: it is charged when the applicant asks to pay. */
  readonly invoice_id: number | null
  readonly currency: string
  readonly amount: number
}

/** Applications that nothing is paid for any more. */
const ENDED: readonly ApplicantStatus[] = ['REJECTED', 'CANCELLED']
/** Where an application stands when a fee is asked for that was not charged yet. */
const ASKED_IN: Readonly<Record<FeeKind, readonly ApplicantStatus[]>> = {
  application: ['INCOMPLETE'],
  exam: ['EXAM_FEES_REQUIRED', 'EXAM_FAILS'],
  final: ['FINAL_FEES_REQUIRED'],
}

/** The charge of a fee that counts now: of the exam, that of the present attempt. */
export const currentCharge = ({ charged, exam_attempt }: PayingFacts, fee: FeeKind): ChargedFee | undefined =>
  charged.find((one) => one.fee === fee && (fee !== 'exam' || one.attempt === exam_attempt))

/** The fees that can be paid now, in the order in which they come. */
export function payableFees(facts: PayingFacts): PayableFee[] {
  const { status, writable, asked } = facts
  if (ENDED.includes(status)) return []
  return FEE_KINDS.flatMap((fee): PayableFee[] => {
    const charge = currentCharge(facts, fee)
    if (charge)
      return charge.open > 0
        ? [{ fee, invoice_id: charge.invoice_id, currency: charge.currency, amount: charge.open }]
        : []
    const of = asked.find((one) => one.fee === fee)
    return of && ASKED_IN[fee].includes(status) && (fee !== 'application' || writable)
      ? [{ fee, invoice_id: null, currency: of.currency, amount: of.amount }]
      : []
  })
}

/** Why a fee, or anything at all, cannot be paid now. */
export function checkPaying(facts: PayingFacts, fee: FeeKind | undefined): Reason[] {
  const payable = payableFees(facts)
  if (fee === undefined ? payable.length > 0 : payable.some((one) => one.fee === fee)) return []
  if (ENDED.includes(facts.status)) return [{ code: 'admission_fee_ended' }]
  const charge = fee && currentCharge(facts, fee)
  return [{ code: charge && charge.open <= 0 ? 'admission_fee_settled' : 'admission_fee_not_due' }]
}

export interface FeeMove {
  readonly from: ApplicantStatus
  readonly to: ApplicantStatus
}
/**
 * Whether a charged fee is taken back when an application is put on hold or cancelled. On hold: what is not settled; it is charged anew
 * afterwards. Cancelled: that, and what was paid for and not had: an application that was not sent in, an exam that was not sat, a seat.
 */
export function isTakenBack(
  { from, to }: FeeMove,
  { fee, attempt, settled }: { readonly fee: FeeKind; readonly attempt: number; readonly settled: boolean },
  exam_attempt: number,
): boolean {
  if (to !== 'REJECTED' && to !== 'CANCELLED') return false
  if (!settled) return true
  if (to === 'REJECTED') return false
  if (fee === 'application') return from === 'INCOMPLETE'
  if (fee === 'final') return true
  return attempt === exam_attempt && (from === 'exam required' || ASKED_IN.exam.includes(from))
}

/** The fee that is charged when an application comes to a status; null: none. */
export const feeOfStatus = (to: ApplicantStatus): FeeKind | null =>
  to === 'EXAM_FEES_REQUIRED' ? 'exam' : to === 'FINAL_FEES_REQUIRED' ? 'final' : null

/** The step by which an application goes on once a fee is settled; null: it stays where it is. */
export function stepOfSettled(
  fee: FeeKind,
  attempt: number,
  { status, exam_attempt }: { readonly status: ApplicantStatus; readonly exam_attempt: number },
): 'ask_exam' | 'approve' | null {
  if (fee === 'final') return status === 'FINAL_FEES_REQUIRED' ? 'approve' : null
  return fee === 'exam' && attempt === exam_attempt && ASKED_IN.exam.includes(status) ? 'ask_exam' : null
}
