/**
 * In which order a program takes applicants: a formula and conditions, declared as data, and the rule for equals.
 *
 * Every quantity is a whole number of ten-thousandths (95.25 % is 952500, a weight of 0.7 is 7000), and a score is the sum of
 * their products: nothing is rounded, and whoever has the same sum is equal. Equals are told apart by the declared rule alone.
 */
import type { Reason } from '#kit/contract/issues.ts'

/** A decimal with four places as a whole number: 95.25 is 952500. */
export type TenThousandths = number

const ONE = 10_000
const DECIMAL = /^(-?)(\d{1,9})(?:\.(\d{1,4}))?$/

/** Reads a decimal with at most four places; null where the text is none. */
export function parseTenThousandths(text: string): TenThousandths | null {
  const match = DECIMAL.exec(text.trim())
  if (match === null) return null
  const value = Number(match[2]) * ONE + Number((match[3] ?? '').padEnd(4, '0'))
  return match[1] === '-' && value !== 0 ? -value : value
}

const printed = (value: number, places: number): string => {
  const digits = String(Math.abs(value)).padStart(places + 1, '0')
  const whole = `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, '')
  return value < 0 ? `-${whole}` : whole
}
/** Writes ten-thousandths without needless zeros: 952500 is '95.25'. */
export const printTenThousandths = (value: TenThousandths): string => printed(value, 4)
/** Writes a score, which has eight places, exactly: 9525000000 is '95.25'. */
export const printScore = (score: number): string => printed(score, 8)

/** A school subject, a type of certificate, a group of nationalities, as it is called. */
export interface RankingTerm {
  readonly id: number
  readonly name: string
  readonly name_local: string
}

/** What decides between equals, one rule after the other. */
export type TieRule =
  | { readonly by: 'certificate' | 'exam' | 'older' | 'earlier' }
  | { readonly by: 'subject'; readonly subject: RankingTerm }
  /** By the applicant's lot, which anybody can work out from the seed (`lottery.server.ts`). */
  | { readonly by: 'lottery'; readonly seed: string }

/** Weights add up to 1, so that a score is a percentage like what it is made of. */
export interface RankingFormula {
  readonly certificate: TenThousandths
  readonly exam: TenThousandths
  readonly subjects: readonly { readonly subject: RankingTerm; readonly weight: TenThousandths }[]
  readonly ties: readonly TieRule[]
}

/** What a program asks of whomever it ranks; null: anything will do. */
export interface AdmissionConditions {
  readonly certificate: TenThousandths | null
  readonly exam: TenThousandths | null
  readonly subjects: readonly { readonly subject: RankingTerm; readonly min: TenThousandths }[]
  /** Whole years on a day (YYYY-MM-DD). */
  readonly age: { readonly on: string; readonly min: number | null; readonly max: number | null } | null
  readonly certificateTypes: readonly RankingTerm[] | null
  readonly genders: readonly string[] | null
  readonly nationalityGroups: readonly RankingTerm[] | null
}

/** What is known of an application. Percentages are ten-thousandths; null: not known. */
export interface ApplicationFacts {
  readonly id: number
  readonly certificate: TenThousandths | null
  readonly certificateType: number | null
  readonly exam: TenThousandths | null
  /** By subject. */
  readonly subjects: ReadonlyMap<number, TenThousandths>
  /** YYYY-MM-DD */
  readonly birthDate: string | null
  readonly gender: string | null
  readonly nationalityGroup: number | null
  /** When it was submitted, in microseconds since 1970. */
  readonly submitted: number
  /** What the lottery drew for it: `lotOf` of the seed and the id. */
  readonly lot: string
}

/** Every reason why a formula cannot be used. */
export function formulaProblems({ certificate, exam, subjects, ties }: RankingFormula): Reason[] {
  const reasons: Reason[] = []
  const weights = [certificate, exam, ...subjects.map(({ weight }) => weight)]
  if (weights.some((weight) => !Number.isSafeInteger(weight) || weight < 0))
    reasons.push({ field: 'weights', code: 'ranking_weight_wrong' })
  else {
    const sum = weights.reduce((all, weight) => all + weight, 0)
    if (sum !== ONE)
      reasons.push({ field: 'weights', code: 'ranking_weights_sum', data: { sum: printTenThousandths(sum) } })
  }
  const again = <T>(list: readonly T[]): T[] => list.filter((one, i) => list.indexOf(one) < i)
  for (const id of new Set(again(subjects.map(({ subject }) => subject.id)))) {
    const { name, name_local } = subjects.find(({ subject }) => subject.id === id)!.subject
    reasons.push({
      field: 'weights',
      code: 'ranking_subject_twice',
      data: { school_subject: name, school_subject_local: name_local },
    })
  }
  if (again(ties.map((tie) => (tie.by === 'subject' ? `subject ${tie.subject.id}` : tie.by))).length)
    reasons.push({ field: 'ties', code: 'ranking_tie_twice' })
  const lottery = ties.findIndex(({ by }) => by === 'lottery')
  if (lottery < 0) reasons.push({ field: 'ties', code: 'ranking_no_lottery' })
  else if (lottery < ties.length - 1) reasons.push({ field: 'ties', code: 'ranking_after_lottery' })
  if (ties.some((tie) => tie.by === 'lottery' && tie.seed.trim() === ''))
    reasons.push({ field: 'ties', code: 'ranking_no_seed' })
  return reasons
}

/** One part of a score, to be shown with it. */
export interface ScorePart {
  readonly of: 'certificate' | 'exam' | RankingTerm
  readonly weight: TenThousandths
  readonly value: TenThousandths
}

/** What a program makes of an application: its score in hundred-millionths, or every reason why it is not ranked. */
export type RankingVerdict =
  | { readonly score: number; readonly parts: readonly ScorePart[]; readonly reasons: readonly [] }
  | { readonly score: null; readonly parts: readonly ScorePart[]; readonly reasons: readonly Reason[] }

/** Judges an application by a formula and the conditions of a program. */
export function judgeApplication(
  facts: ApplicationFacts,
  formula: RankingFormula,
  conditions: AdmissionConditions,
): RankingVerdict {
  const parts: ScorePart[] = []
  const reasons: Reason[] = []
  const counts = (of: ScorePart['of'], weight: TenThousandths, value: TenThousandths | null | undefined): void => {
    if (weight > 0 && value != null) parts.push({ of, weight, value })
  }
  counts('certificate', formula.certificate, facts.certificate)
  counts('exam', formula.exam, facts.exam)
  for (const { subject, weight } of formula.subjects) counts(subject, weight, facts.subjects.get(subject.id))

  const least = (code: string, missing: string, value: number | null, min: number | null, weight: number): void => {
    if (value === null) {
      if (min !== null || weight > 0) reasons.push({ code: missing })
    } else if (min !== null && value < min)
      reasons.push({ code, data: { needed: printTenThousandths(min), value: printTenThousandths(value) } })
  }
  least('ranking_certificate', 'ranking_no_certificate', facts.certificate, conditions.certificate, formula.certificate)
  least('ranking_exam', 'ranking_no_exam', facts.exam, conditions.exam, formula.exam)
  // Each subject once, whether the formula weighs it or a condition asks for it.
  const asked = new Map<number, { subject: RankingTerm; min: TenThousandths | null }>()
  for (const { subject, weight } of formula.subjects) if (weight > 0) asked.set(subject.id, { subject, min: null })
  for (const { subject, min } of conditions.subjects)
    asked.set(subject.id, { subject, min: Math.max(min, asked.get(subject.id)?.min ?? min) })
  for (const { subject, min } of asked.values()) {
    const called = { school_subject: subject.name, school_subject_local: subject.name_local }
    const value = facts.subjects.get(subject.id)
    if (value === undefined) reasons.push({ code: 'ranking_no_subject', data: called })
    else if (min !== null && value < min)
      reasons.push({
        code: 'ranking_subject',
        data: { ...called, needed: printTenThousandths(min), value: printTenThousandths(value) },
      })
  }
  reasons.push(...ageProblems(facts.birthDate, conditions.age))
  const among = (code: string, allowed: readonly RankingTerm[] | null, value: number | null): void => {
    if (allowed === null || allowed.some(({ id }) => id === value)) return
    const names = allowed.map(({ name }) => name).join(', ')
    const namesLocal = allowed.map((one) => one.name_local).join('، ')
    reasons.push({ code, data: { allowed: names, allowed_local: namesLocal } })
  }
  among('ranking_certificate_type', conditions.certificateTypes, facts.certificateType)
  among('ranking_nationality_group', conditions.nationalityGroups, facts.nationalityGroup)
  if (conditions.genders !== null && !(facts.gender !== null && conditions.genders.includes(facts.gender)))
    reasons.push({ code: 'ranking_gender' })

  if (reasons.length) return { score: null, parts, reasons }
  return { score: parts.reduce((sum, { weight, value }) => sum + weight * value, 0), parts, reasons: [] }
}

/** Whole years from a birth date to a day, both YYYY-MM-DD. Born on 29 February, one is a year older on 1 March of other years. */
export function yearsOn(birthDate: string, day: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthDate.slice(0, 4))
  return day.slice(5) < birthDate.slice(5) ? years - 1 : years
}

function ageProblems(birthDate: string | null, age: AdmissionConditions['age']): Reason[] {
  if (age === null || (age.min === null && age.max === null)) return []
  if (birthDate === null) return [{ code: 'ranking_no_birth_date' }]
  const years = yearsOn(birthDate, age.on)
  if (age.min !== null && years < age.min)
    return [{ code: 'ranking_too_young', data: { years, needed: age.min, on: age.on } }]
  if (age.max !== null && years > age.max)
    return [{ code: 'ranking_too_old', data: { years, needed: age.max, on: age.on } }]
  return []
}

/** An application that is ranked, with its score. */
export interface ScoredApplication {
  readonly score: number
  readonly facts: ApplicationFacts
}

/** The more the better; not known comes last, and two that are not known are equal. */
const more = (a: number | null | undefined, b: number | null | undefined): number =>
  a == null ? (b == null ? 0 : 1) : b == null ? -1 : b - a
const before = (a: string | null, b: string | null): number =>
  a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1

/** Below 0: the first has the better right. 0: score and rule do not tell them apart. */
export function comesFirst(ties: readonly TieRule[], a: ScoredApplication, b: ScoredApplication): number {
  let order = b.score - a.score
  for (let i = 0; order === 0 && i < ties.length; i++) order = byTie(ties[i]!, a.facts, b.facts)
  return order
}

function byTie(tie: TieRule, a: ApplicationFacts, b: ApplicationFacts): number {
  switch (tie.by) {
    case 'certificate':
      return more(a.certificate, b.certificate)
    case 'exam':
      return more(a.exam, b.exam)
    case 'subject':
      return more(a.subjects.get(tie.subject.id), b.subjects.get(tie.subject.id))
    case 'older':
      return before(a.birthDate, b.birthDate)
    case 'earlier':
      return a.submitted - b.submitted
    case 'lottery':
      return before(a.lot, b.lot)
  }
}
/**
 * The ranking of a program, the best first, as places in the list. Where the rule leaves two equal, every such pair of neighbours is
 * a reason: the order of a database never decides.
 */
export function rankingOrder(
  ties: readonly TieRule[],
  list: readonly ScoredApplication[],
): { readonly order: Int32Array; readonly reasons: readonly Reason[] } {
  const order = Int32Array.from(list.keys()).sort((i, j) => comesFirst(ties, list[i]!, list[j]!))
  const reasons: Reason[] = []
  for (let k = 1; k < order.length; k++) {
    const [one, other] = [list[order[k - 1]!]!, list[order[k]!]!]
    if (comesFirst(ties, one, other) === 0)
      reasons.push({ code: 'ranking_equal', data: { one: one.facts.id, other: other.facts.id } })
  }
  return { order, reasons }
}
