/** What of a student's term stands out, by the rules of the university: every reason, with what it stands on. */

/** Figures of a student at a day of a term. Nothing is known where a figure is null. */
export interface RiskFacts {
  /** Meetings that count, without excused ones, and those attended; of them the last three weeks. */
  readonly attendance: { attended: number; recorded: number; late_attended: number; late_recorded: number }
  /** Courses of the term with marks before the final exam, and those with less than half; the same of marks that are out. */
  readonly marks: { below: number; of: number; own_below: number; own_of: number }
  /** Figures of finished terms that are out; not told to a student whose results are held. */
  readonly record: {
    gpa: number | null
    term_gpa: number | null
    term_gpa_before: number | null
    failed: number
    warnings: number
    passed_hours: number
    planned_hours: number | null
    told: boolean
  }
  /** Courses of the term, and days since it began. */
  readonly term: { courses: number; days: number }
  readonly unpaid_days: number | null
  /** The model's word: how many of a hundred like this one have a hard term. */
  readonly probability: number | null
}

export const RISK_KINDS = [
  'attendance_low',
  'attendance_fell',
  'marks_low',
  'gpa_low',
  'gpa_fell',
  'failed',
  'hours_behind',
  'not_registered',
  'unpaid',
  'warned',
  'model',
] as const
export type RiskKind = (typeof RISK_KINDS)[number]
export type RiskCode = `risk_${RiskKind}`
export interface RiskRule {
  readonly kind: RiskKind
  readonly threshold: number
  readonly points: number
}
export interface RiskReason {
  readonly code: RiskCode
  readonly data: Readonly<Record<string, number>>
  readonly points: number
}
export type RiskLevel = 'high' | 'watch'
/** From how many points on. */
export interface RiskLimits {
  readonly watch: number
  readonly high: number
}
export interface Risk {
  readonly level: RiskLevel | null
  readonly points: number
  readonly reasons: readonly RiskReason[]
}

/** Fewer meetings than these say nothing yet: all of the term, and of the last three weeks. */
const MEETINGS = 4
const LAST_MEETINGS = 3

const percent = (part: number, whole: number) => Math.round((100 * part) / whole)
const hours = (value: number) => Math.round(value * 100) / 100

type Data = Record<string, number>
/** By kind: what is told where the rule speaks, else null. */
const SPEAKS: Readonly<Record<RiskKind, (facts: RiskFacts, threshold: number) => Data | null>> = {
  attendance_low({ attendance: { attended, recorded } }, threshold) {
    if (recorded < MEETINGS) return null
    return attended * 100 < threshold * recorded ? { share: percent(attended, recorded) } : null
  },
  attendance_fell({ attendance: { attended, recorded, late_attended, late_recorded } }, threshold) {
    const before = recorded - late_recorded
    if (before < MEETINGS || late_recorded < LAST_MEETINGS) return null
    const [was, is] = [(100 * (attended - late_attended)) / before, (100 * late_attended) / late_recorded]
    return was - is >= threshold ? { before: Math.round(was), last: Math.round(is) } : null
  },
  marks_low: ({ marks: { below, of } }, threshold) => (below > 0 && below >= threshold ? { below, of } : null),
  gpa_low: ({ record: { gpa } }, threshold) => (gpa !== null && gpa < threshold ? { gpa } : null),
  gpa_fell({ record: { term_gpa: last, term_gpa_before: before } }, threshold) {
    if (last === null || before === null || last >= before) return null
    return Math.round((before - last) * 100) >= Math.round(threshold * 100) ? { before, last } : null
  },
  failed: ({ record: { failed } }, threshold) => (failed > 0 && failed >= threshold ? { count: failed } : null),
  hours_behind({ record: { passed_hours: passed, planned_hours: planned } }, threshold) {
    if (planned === null || passed >= planned) return null
    return planned - passed >= threshold ? { passed: hours(passed), planned: hours(planned) } : null
  },
  not_registered: ({ term: { courses, days } }, threshold) =>
    courses === 0 && days > 0 && days >= threshold ? { days } : null,
  unpaid: ({ unpaid_days: days }, threshold) => (days !== null && days >= threshold ? { days } : null),
  warned: ({ record: { warnings } }, threshold) => (warnings > 0 && warnings >= threshold ? { count: warnings } : null),
  model: ({ probability }, threshold) =>
    probability !== null && probability * 100 >= threshold ? { share: Math.round(probability * 100) } : null,
}

/**
 * Judges a student by the rules that are switched on. Of rules of one kind the heaviest that speaks counts: attendance below 60 % is
 * below 75 % as well. What weighs most comes first.
 */
export function riskOf(facts: RiskFacts, rules: readonly RiskRule[], limits: RiskLimits): Risk {
  const heaviest = new Map<RiskKind, RiskReason>()
  for (const { kind, threshold, points } of rules) {
    const data = SPEAKS[kind](facts, threshold)
    if (data && points > (heaviest.get(kind)?.points ?? 0)) heaviest.set(kind, { code: `risk_${kind}`, data, points })
  }
  const reasons = [...heaviest.values()].toSorted(
    (a, b) => b.points - a.points || RISK_KINDS.indexOf(kindOf(a)) - RISK_KINDS.indexOf(kindOf(b)),
  )
  const points = reasons.reduce((sum, reason) => sum + reason.points, 0)
  const level = points === 0 ? null : points >= limits.high ? 'high' : points >= limits.watch ? 'watch' : null
  return { level, points, reasons }
}
const kindOf = ({ code }: RiskReason) => code.slice('risk_'.length) as RiskKind

/**
 * What a student may be told of: marks that are out, figures unless they are held back. The model's word is left out, because it rests on
 * all marks.
 */
export function ownFacts(facts: RiskFacts): RiskFacts {
  const { marks, record } = facts
  return {
    ...facts,
    marks: { ...marks, below: marks.own_below, of: marks.own_of },
    record: record.told
      ? record
      : { ...record, gpa: null, term_gpa: null, term_gpa_before: null, failed: 0, warnings: 0, planned_hours: null },
    probability: null,
  }
}
