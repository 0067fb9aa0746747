import type { Reason } from '#kit/contract/issues.ts'
import { isPostgraduate } from '../words.contract.ts'

/** A fee, as far as its rule looks. */
interface Fee {
  readonly fee: string
  readonly asked_of: string
}
/** What the rule of an admission looks at. Weights are hundredths of a percent; instants are milliseconds, days `YYYY-MM-DD`. */
export interface AdmissionFacts {
  readonly applicant_type: number
  readonly opens_at: number
  readonly closes_at: number
  readonly results_at: number | null
  /** The day on which applications close. */
  readonly closing_day: string
  readonly pay_until: string | null
  readonly is_early: boolean
  readonly has_exam: boolean
  readonly min_exam: boolean
  readonly has_scholarships: boolean
  readonly fees: readonly Fee[]
  readonly documents: readonly {
    readonly document_kind_id: number
    readonly asked_of: string
    readonly certificate_type_id: number | null
  }[]
  readonly weight_percentage: number
  readonly weight_exam: number
  readonly subject_weights: readonly { readonly certificate_subject_id: number; readonly weight: number }[]
  readonly ties: readonly { readonly criterion: string; readonly certificate_subject_id: number | null }[]
}

/** Two rows ask the same person for the same thing. */
const overlap = (one: string, other: string): boolean => one === other || one === 'all' || other === 'all'
const HUNDRED = 10_000

/** Every reason why an admission cannot be as it is. */
export function checkAdmission(facts: AdmissionFacts): Reason[] {
  const postgraduate = isPostgraduate(facts.applicant_type)
  return [
    ...(facts.opens_at < facts.closes_at ? [] : [{ field: 'closes_at', code: 'admission_days_order' }]),
    ...(facts.results_at === null || facts.results_at >= facts.closes_at
      ? []
      : [{ field: 'results_at', code: 'admission_results_after' }]),
    ...(facts.pay_until === null || facts.pay_until >= facts.closing_day
      ? []
      : [{ field: 'pay_until', code: 'admission_pay_after', data: { day: facts.closing_day } }]),
    ...(facts.is_early && facts.applicant_type !== 1
      ? [{ field: 'is_early', code: 'admission_early_undergraduate' }]
      : []),
    ...(facts.has_scholarships && postgraduate
      ? [{ field: 'has_scholarships', code: 'admission_scholarships_undergraduate' }]
      : []),
    ...checkExam(facts),
    ...checkFees(facts),
    ...checkDocuments(facts),
    ...checkWeights(facts, postgraduate),
    ...checkTies(facts, postgraduate),
  ]
}

/** What only an exam gives a meaning. */
function checkExam({ has_exam, min_exam, weight_exam, fees, ties }: AdmissionFacts): Reason[] {
  if (has_exam) return []
  return [
    ...(min_exam ? ['min_exam'] : []),
    ...(weight_exam ? ['weight_exam'] : []),
    ...fees.flatMap(({ fee }, i) => (fee === 'exam' ? [`fees.${i}.fee`] : [])),
    ...ties.flatMap(({ criterion }, i) => (criterion === 'exam' ? [`ties.${i}.criterion`] : [])),
  ].map((field) => ({ field, code: 'admission_without_exam' }))
}

const checkFees = ({ fees }: AdmissionFacts): Reason[] =>
  fees.flatMap((one, i) =>
    fees.slice(0, i).some((before) => before.fee === one.fee && overlap(before.asked_of, one.asked_of))
      ? [{ field: `fees.${i}.asked_of`, code: 'admission_fee_twice' }]
      : [],
  )

const checkDocuments = ({ documents }: AdmissionFacts): Reason[] =>
  documents.flatMap((one, i) =>
    documents
      .slice(0, i)
      .some(
        (before) =>
          before.document_kind_id === one.document_kind_id &&
          overlap(before.asked_of, one.asked_of) &&
          (before.certificate_type_id === null ||
            one.certificate_type_id === null ||
            before.certificate_type_id === one.certificate_type_id),
      )
      ? [{ field: `documents.${i}.document_kind_id`, code: 'admission_document_twice' }]
      : [],
  )

function checkWeights(facts: AdmissionFacts, postgraduate: boolean): Reason[] {
  const { subject_weights: subjects, weight_percentage, weight_exam } = facts
  const sum = weight_percentage + weight_exam + subjects.reduce((all, { weight }) => all + weight, 0)
  return [
    ...(sum === HUNDRED
      ? []
      : [{ field: 'weight_percentage', code: 'admission_weights_sum', data: { sum: (sum / 100).toFixed(2) } }]),
    ...(postgraduate && subjects.length
      ? [{ field: 'subject_weights', code: 'admission_subjects_undergraduate' }]
      : []),
    ...subjects.flatMap(({ certificate_subject_id }, i) =>
      subjects.slice(0, i).some((before) => before.certificate_subject_id === certificate_subject_id)
        ? [{ field: `subject_weights.${i}.certificate_subject_id`, code: 'admission_weight_once' }]
        : [],
    ),
  ]
}

function checkTies({ ties }: AdmissionFacts, postgraduate: boolean): Reason[] {
  return ties.flatMap(({ criterion, certificate_subject_id }, i) => [
    ...((criterion === 'subject') === (certificate_subject_id !== null)
      ? []
      : [{ field: `ties.${i}.certificate_subject_id`, code: 'admission_tie_subject' }]),
    ...(criterion === 'subject' && postgraduate
      ? [{ field: `ties.${i}.criterion`, code: 'admission_subjects_undergraduate' }]
      : []),
    ...(ties
      .slice(0, i)
      .some((before) => before.criterion === criterion && before.certificate_subject_id === certificate_subject_id)
      ? [{ field: `ties.${i}.criterion`, code: 'admission_tie_once' }]
      : []),
    // Nobody is equal after a lot: what follows would never be asked.
    ...(criterion === 'lot' && i < ties.length - 1
      ? [{ field: `ties.${i}.criterion`, code: 'admission_lot_last' }]
      : []),
  ])
}
