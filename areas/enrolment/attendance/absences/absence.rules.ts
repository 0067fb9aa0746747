import type { Reason } from '#kit/contract/issues.ts'

/** The rule of a bylaw on absences; shares in hundredths of a percent, null: it has none. */
export interface AbsenceRule {
  readonly warn: number | null
  readonly ban: number | null
  readonly excused_counts: boolean
  /** So many times late are one absence; 0: none. */
  readonly lates: number
}
/** How often a student was absent, excused and late, and how many meetings the term has for the student. */
export interface AbsenceCounts {
  readonly absent: number
  readonly excused: number
  readonly late: number
  readonly planned: number
}
export interface Absence {
  /** Absences as the rule counts them. */
  readonly absences: number
  /** Of all meetings of the term, in hundredths of a percent: it only grows by being absent again. */
  readonly share: number
  readonly level: 'none' | 'warn' | 'ban'
}

/** What absences come to by the rule. A limit is passed when the share reaches it. */
export function judgeAbsence({ absent, excused, late, planned }: AbsenceCounts, rule: AbsenceRule): Absence {
  const absences = absent + (rule.excused_counts ? excused : 0) + (rule.lates > 0 ? Math.floor(late / rule.lates) : 0)
  const share = planned > 0 ? Math.min(10_000, Math.floor((absences * 10_000) / planned)) : 0
  const reaches = (limit: number | null): boolean => limit !== null && absences > 0 && share >= limit
  return { absences, share, level: reaches(rule.ban) ? 'ban' : reaches(rule.warn) ? 'warn' : 'none' }
}

/** States of what absences led to. */
export type CaseState = 'warned' | 'proposed' | 'banned' | 'waived' | 'closed'
/** What a new count makes of a case; null: it stays. What somebody decided is not decided again by counting. */
export function nextCase(state: CaseState | null, level: Absence['level']): CaseState | null {
  if (state === 'banned' || state === 'waived') return null
  const next = level === 'ban' ? 'proposed' : level === 'warn' ? 'warned' : state === null ? null : 'closed'
  return next === state ? null : next
}

/** What is known of a registration when its ban is decided. */
export interface BanFacts {
  readonly state: 'Registered' | 'Banned' | 'other'
  readonly course: string
}
/** Why a student cannot be banned from the exam of a course now; the registration itself says what else is in the way. */
export const checkBan = ({ state, course }: BanFacts): Reason[] =>
  state === 'other' ? [{ code: 'ban_not_registered', data: { course } }] : []
