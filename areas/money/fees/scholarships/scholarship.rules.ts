/** What may stand in a scholarship, who has an automatic one, and what of it is lost. */
import type { Reason } from '#kit/contract/issues.ts'

export type Basis = 'manual' | 'percentage' | 'gpa' | 'rank' | 'sibling'
/** What a scholarship says. */
export interface ScholarshipTerms {
  readonly basis: Basis
  readonly from_value: number | null
  readonly to_value: number | null
  readonly percent: number | null
  readonly amount: number | null
  readonly currency: string | null
}

/** Between what the condition of a scholarship lies. */
const LIMITS: Partial<Record<Basis, readonly [min: number, max: number]>> = {
  gpa: [0, 4],
  percentage: [0, 100],
  rank: [1, 1000],
  sibling: [1, 30],
}

/** Why a scholarship cannot be so: all of it. */
export function checkTerms(terms: ScholarshipTerms): Reason[] {
  const reasons: Reason[] = []
  if (terms.basis === 'manual' && (terms.from_value !== null || terms.to_value !== null))
    reasons.push({ field: 'from_value', code: 'scholarship_manual_condition' })
  if (terms.basis !== 'manual' && terms.from_value === null) reasons.push({ field: 'from_value', code: 'required' })
  const limits = LIMITS[terms.basis]
  for (const field of ['from_value', 'to_value'] as const) {
    const value = terms[field]
    if (limits && value !== null && (value < limits[0] || value > limits[1]))
      reasons.push({ field, code: 'out_of_range', data: { min: limits[0], max: limits[1] } })
  }
  if (terms.percent !== null && (terms.percent <= 0 || terms.percent > 100))
    reasons.push({ field: 'percent', code: 'out_of_range', data: { min: 0.01, max: 100 } })
  if (terms.from_value !== null && terms.to_value !== null && terms.to_value < terms.from_value)
    reasons.push({ field: 'to_value', code: 'scholarship_from_to' })
  if ((terms.percent === null) === (terms.amount === null))
    reasons.push({ field: 'percent', code: 'scholarship_one_of' })
  if ((terms.amount === null) !== (terms.currency === null))
    reasons.push({ field: 'currency', code: 'scholarship_amount_currency' })
  if (
    (terms.basis === 'rank' || terms.basis === 'sibling') &&
    terms.from_value !== null &&
    !Number.isInteger(terms.from_value)
  )
    reasons.push({ field: 'from_value', code: 'not_an_integer' })
  return reasons
}

/** What automatic scholarships ask of a student. */
export interface ScholarshipFacts {
  readonly student_id: number
  readonly bylaw_id: number
  readonly faculty_id: number
  readonly level: number
  /** Percent of the school certificate. */
  readonly percentage: number | null
  readonly gpa: number | null
  /** Place within program and level, by GPA; equal ones share the better place. */
  readonly rank: number | null
  /** Which child of the family at the university, by siblings that are proven; the one that came first is the first. Null: without any. */
  readonly child: number | null
  /** The same by those too who have only the telephone of a parent in common. */
  readonly likely: number | null
  /** The currency in which the student pays; null: the nationality is not known. */
  readonly pays_in: string | null
}
export interface Automatic {
  readonly basis: Basis
  readonly from_value: number | null
  readonly to_value: number | null
  readonly bylaw_id: number | null
  readonly faculty_id: number | null
  readonly level: number | null
  /** Of an amount; a percentage has none. */
  readonly currency: string | null
}
/** An amount in a currency takes nothing off what is charged in another one. */
const takesNothing = (rule: Pick<Automatic, 'currency'>, pays_in: string | null): boolean =>
  rule.currency !== null && pays_in !== null && rule.currency !== pays_in
const valueOf = (basis: Basis, student: ScholarshipFacts): number | null =>
  basis === 'percentage'
    ? student.percentage
    : basis === 'gpa'
      ? student.gpa
      : basis === 'rank'
        ? student.rank
        : basis === 'sibling'
          ? student.child
          : null

/** On what a scholarship of siblings stands: that they are proven, or the telephone alone. */
export type SiblingsBy = 'family' | 'household'
export interface Deserved {
  readonly has: boolean
  /** By what value; of one that is proposed, that one. */
  readonly value: number | null
  /** Not had by itself, but by all that is known: a person decides. */
  readonly proposed: boolean
}
/** Whether a student has an automatic scholarship, and by what value. Both ends count. Siblings by the telephone alone are proposed. */
export function deserves(rule: Automatic, student: ScholarshipFacts): Deserved {
  const within =
    (rule.bylaw_id === null || rule.bylaw_id === student.bylaw_id) &&
    (rule.faculty_id === null || rule.faculty_id === student.faculty_id) &&
    (rule.level === null || rule.level === student.level) &&
    !takesNothing(rule, student.pays_in)
  const fits = (value: number | null): boolean =>
    within &&
    value !== null &&
    rule.from_value !== null &&
    value >= rule.from_value &&
    (rule.to_value === null || value <= rule.to_value)
  const value = valueOf(rule.basis, student)
  const has = fits(value)
  const proposed = !has && rule.basis === 'sibling' && fits(student.likely)
  return { has, value: proposed ? student.likely : value, proposed }
}
/**
 * Whether who has one by a rule keeps it. What a person gave for the telephone alone stays as long as that is so, as does what was given
 * before anybody asked by what (`by` null); what stood on proven siblings does not turn into that by itself.
 */
export const keepsIt = ({ has, proposed }: Deserved, by: SiblingsBy | null): boolean =>
  has || (proposed && by !== 'family')

/** What a scholarship is given by hand with. */
export interface GivenScholarship extends Automatic {
  readonly is_active: boolean
  readonly year_id: number | null
}
/** Why somebody cannot be granted a scholarship by hand: all of it. */
export function checkGrant(
  rule: GivenScholarship,
  student: {
    readonly bylaw_id: number
    readonly faculty_id: number
    readonly level: number
    readonly status: string
    readonly year_id: number
    readonly pays_in: string | null
    /** Who grants it is the student. */
    readonly own: boolean
  },
): Reason[] {
  const reasons: Reason[] = []
  if (student.own) reasons.push({ code: 'scholarship_own' })
  if (student.status !== 'studying') reasons.push({ code: 'scholarship_not_studying' })
  // That two are of one family is often known by papers alone.
  if (rule.basis !== 'manual' && rule.basis !== 'sibling')
    reasons.push({ field: 'scholarship_id', code: 'scholarship_is_automatic' })
  if (!rule.is_active) reasons.push({ field: 'scholarship_id', code: 'scholarship_not_active' })
  if (rule.year_id !== null && rule.year_id !== student.year_id)
    reasons.push({ field: 'year_id', code: 'scholarship_other_year' })
  if (
    (rule.bylaw_id !== null && rule.bylaw_id !== student.bylaw_id) ||
    (rule.faculty_id !== null && rule.faculty_id !== student.faculty_id) ||
    (rule.level !== null && rule.level !== student.level)
  )
    reasons.push({ field: 'scholarship_id', code: 'scholarship_not_for' })
  if (takesNothing(rule, student.pays_in))
    reasons.push({
      field: 'scholarship_id',
      code: 'scholarship_pays_otherwise',
      data: { currency: rule.currency, pays_in: student.pays_in },
    })
  return reasons
}
