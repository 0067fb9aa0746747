/** Rules of theses: what each step needs. Each returns every reason against it. */
import { addMonths } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { lastDayOf } from './clock.rules.ts'

export const THESIS_JOBS = ['leader', 'member', 'committee', 'observe', 'reviewers'] as const
export type ThesisJob = (typeof THESIS_JOBS)[number]
/** Those who supervise share the supervision; those who judge sit in the committee. */
export const SUPERVISING: ReadonlySet<string> = new Set<ThesisJob>(['leader', 'member'])
export type ThesisTie = 'none' | 'relative' | 'coauthor'
/** Academic titles from which somebody may lead a thesis, and judge one. */
export const RANKS: ReadonlySet<string> = new Set(['professor', 'associate_professor', 'lecturer'])
const JUDGES: ReadonlySet<string> = new Set(['professor', 'associate_professor', 'expert'])

export interface ThesisMember {
  readonly name: string
  readonly name_local: string
  readonly job: ThesisJob
  readonly external: boolean
  readonly academic_title: string | null
  readonly share: number | null
  readonly tie: ThesisTie
  /** Works here no more. */
  readonly gone: boolean
  /** Other theses that the person supervises now. */
  readonly load: number
}
/** What a bylaw asks of theses; months from the day of registration, and of approval. */
export interface ThesisRules {
  readonly approve_months: number
  readonly min_months: number
  readonly max_months: number
  readonly extension_months: number
  readonly max_extensions: number
  readonly report_months: number
  readonly min_seminars: number
  readonly min_publications: number
  readonly needs_language: boolean
  readonly max_similarity: number
  readonly min_committee: number
  readonly min_external: number
  readonly max_supervised: number
}
/** Where a bylaw says nothing. */
export const USUAL_RULES: ThesisRules = {
  approve_months: 6,
  min_months: 6,
  max_months: 36,
  extension_months: 6,
  max_extensions: 2,
  report_months: 6,
  min_seminars: 1,
  min_publications: 0,
  needs_language: false,
  max_similarity: 25,
  min_committee: 3,
  min_external: 1,
  max_supervised: 10,
}

export interface ThesisClock {
  readonly kind: 'extension' | 'suspension'
  readonly from_date: string
  readonly until_date: string
}
export interface ThesisDiscussionFacts {
  readonly begins_on: string
  readonly over: boolean
  readonly result: 'accepted' | 'changes' | 'refused' | null
  readonly changes_due: string | null
  readonly changes_done_on: string | null
}
export interface ThesisFacts {
  readonly status: string
  readonly today: string
  readonly registered_on: string | null
  readonly approved_on: string | null
  readonly title: boolean
  readonly postgraduate: boolean
  readonly studying: boolean
  readonly graduated: boolean
  readonly members: readonly ThesisMember[]
  readonly rules: ThesisRules
  readonly clock: readonly ThesisClock[]
  /** The decision that was recorded with this step, and its day. */
  readonly decided_on: string | null
  /** A change that waits for the council. */
  readonly change: boolean
  /** It is one of supervisors. */
  readonly change_team: boolean
  /** The last decision was one on a change. */
  readonly changed_last: boolean
  readonly reports: number
  readonly seminars: number
  readonly publications: number
  readonly language: boolean
  readonly similarity: number | null
  readonly manuscript: boolean
  readonly discussion: ThesisDiscussionFacts | null
  readonly deposited: boolean
}

const named = ({ name, name_local }: ThesisMember) => ({ name, name_local })

/** What is wrong with who supervises. */
export function checkSupervisors({ members, rules }: Pick<ThesisFacts, 'members' | 'rules'>): Reason[] {
  const reasons: Reason[] = []
  const supervising = members.filter(({ job }) => SUPERVISING.has(job))
  const leader = supervising.find(({ job }) => job === 'leader')
  if (!leader) reasons.push({ code: 'thesis_leader_missing' })
  else if (!RANKS.has(leader.academic_title ?? '') || leader.external)
    reasons.push({ code: 'thesis_leader_rank', data: named(leader) })
  const sum = supervising.reduce((all, { share }) => all + (share ?? 0), 0)
  if (supervising.length && sum !== 100) reasons.push({ code: 'thesis_shares', data: { sum } })
  for (const one of supervising) {
    if (one.gone) reasons.push({ code: 'thesis_supervisor_gone', data: named(one) })
    if (one.tie === 'relative') reasons.push({ code: 'thesis_supervisor_relative', data: named(one) })
    if (!one.external && one.load >= rules.max_supervised)
      reasons.push({ code: 'thesis_load', data: { ...named(one), count: one.load, most: rules.max_supervised } })
  }
  return reasons
}

/** Registering: the student may, the team is whole. */
export function checkRegistration(facts: ThesisFacts): Reason[] {
  const reasons: Reason[] = []
  if (!facts.postgraduate) reasons.push({ code: 'thesis_undergraduate' })
  if (!facts.studying) reasons.push({ code: 'thesis_not_studying' })
  return [...reasons, ...checkSupervisors(facts)]
}

/** Who may not sit in a committee, and whom it lacks. */
export function checkCommittee({ members, rules }: Pick<ThesisFacts, 'members' | 'rules'>): Reason[] {
  const reasons: Reason[] = []
  const committee = members.filter(({ job }) => job === 'committee')
  if (committee.length < rules.min_committee)
    reasons.push({ code: 'thesis_committee_small', data: { count: committee.length, least: rules.min_committee } })
  const external = committee.filter((one) => one.external).length
  if (external < rules.min_external)
    reasons.push({ code: 'thesis_committee_external', data: { count: external, least: rules.min_external } })
  for (const one of committee) {
    if (one.tie !== 'none') reasons.push({ code: `thesis_committee_${one.tie}`, data: named(one) })
    if (!JUDGES.has(one.academic_title ?? '')) reasons.push({ code: 'thesis_committee_rank', data: named(one) })
    if (one.gone) reasons.push({ code: 'thesis_committee_gone', data: named(one) })
  }
  return reasons
}

/** What has to be there before the discussion. */
export function checkConditions(facts: ThesisFacts): Reason[] {
  const { rules } = facts
  const reasons: Reason[] = []
  const least = (code: string, count: number, asked: number) => {
    if (count < asked) reasons.push({ code, data: { count, least: asked } })
  }
  if (!facts.manuscript) reasons.push({ code: 'thesis_manuscript_missing' })
  else if (facts.similarity === null) reasons.push({ code: 'thesis_similarity_missing' })
  else if (facts.similarity > rules.max_similarity)
    reasons.push({ code: 'thesis_similarity', data: { percent: facts.similarity, most: rules.max_similarity } })
  least('thesis_seminars_missing', facts.seminars, rules.min_seminars)
  least('thesis_publications_missing', facts.publications, rules.min_publications)
  if (rules.needs_language && !facts.language) reasons.push({ code: 'thesis_language_missing' })
  return reasons
}

/** Setting the day of a discussion: the committee, what has to be there, and the earliest and the latest day. */
export function checkSchedule(facts: ThesisFacts, day: string): Reason[] {
  const reasons: Reason[] = []
  if (facts.status !== 'approved') return [{ code: 'thesis_schedule_state' }]
  const earliest = facts.approved_on && addMonths(facts.approved_on, facts.rules.min_months)
  if (earliest && day < earliest) reasons.push({ code: 'thesis_too_early', data: { day: earliest } })
  const latest = lastDayOf(facts)
  if (latest && day > latest) reasons.push({ code: 'thesis_too_late', data: { day: latest } })
  if (day < facts.today) reasons.push({ code: 'thesis_schedule_past' })
  if (suspendedOn(facts.clock, day)) reasons.push({ code: 'thesis_suspended' })
  return [...reasons, ...checkSupervisors(loadless(facts)), ...checkCommittee(facts), ...checkConditions(facts)]
}
/** Whether the clock stands still on a day. */
export const suspendedOn = (clock: readonly ThesisClock[], day: string): boolean =>
  clock.some((one) => one.kind === 'suspension' && one.from_date <= day && day < one.until_date)
/** Whoever supervises it already is not refused because of a load that came later. */
const loadless = (facts: ThesisFacts): ThesisFacts => ({
  ...facts,
  members: facts.members.map((one) => ({ ...one, load: 0 })),
})

/** A decision of the council: with its data, not in the future, in time. */
export function checkThesisDecision(facts: ThesisFacts): Reason[] {
  const reasons: Reason[] = []
  if (!facts.decided_on) return [{ code: 'thesis_decision_missing' }]
  if (facts.decided_on > facts.today) reasons.push({ field: 'decided_on', code: 'thesis_decision_future' })
  if (facts.status === 'registered') {
    if (facts.registered_on && facts.decided_on < facts.registered_on)
      reasons.push({ field: 'decided_on', code: 'thesis_decision_early', data: { day: facts.registered_on } })
    const latest = lastDayOf(facts)
    if (latest && facts.decided_on > latest)
      reasons.push({ field: 'decided_on', code: 'thesis_too_late', data: { day: latest } })
    if (suspendedOn(facts.clock, facts.decided_on)) reasons.push({ field: 'decided_on', code: 'thesis_suspended' })
    return [...reasons, ...checkRegistration(facts)]
  }
  if (facts.status === 'discussed') return [...reasons, ...checkThesisGrant(facts)]
  return reasons
}

/** Granting the degree: the discussion was passed, and what it asked for is done. */
export function checkThesisGrant({ discussion, decided_on }: ThesisFacts): Reason[] {
  if (!discussion?.result) return [{ code: 'thesis_not_discussed' }]
  if (discussion.result === 'refused') return [{ code: 'thesis_refused' }]
  if (discussion.result === 'changes' && !discussion.changes_done_on) return [{ code: 'thesis_changes_open' }]
  return decided_on && decided_on < discussion.begins_on
    ? [{ field: 'decided_on', code: 'thesis_decision_early', data: { day: discussion.begins_on } }]
    : []
}

/** Recording the discussion: it was held, with its result. */
export function checkDiscussion({ discussion }: ThesisFacts): Reason[] {
  if (!discussion) return [{ code: 'thesis_not_scheduled' }]
  if (!discussion.over) return [{ code: 'thesis_not_held' }]
  if (!discussion.result) return [{ code: 'thesis_result_missing' }]
  if (discussion.changes_due && discussion.changes_due <= discussion.begins_on)
    return [{ field: 'changes_due', code: 'thesis_changes_due_early' }]
  return []
}

/** Asking for a change: something is asked for, and who supervises stays while a discussion is scheduled. */
export function checkThesisChange({ change, change_team, discussion }: ThesisFacts): Reason[] {
  if (!change) return [{ code: 'thesis_change_missing' }]
  return change_team && discussion && !discussion.result
    ? [{ field: 'supervisors', code: 'thesis_team_scheduled' }]
    : []
}

/** Taking a step back: nothing rests on it. */
export function checkUndo(facts: ThesisFacts): Reason[] {
  const reasons: Reason[] = []
  if (facts.status === 'approved' && facts.discussion && !facts.discussion.result)
    reasons.push({ code: 'thesis_undo_scheduled' })
  if (facts.status === 'approved' && facts.changed_last) reasons.push({ code: 'thesis_undo_changed' })
  if (facts.status === 'granted' && facts.graduated) reasons.push({ code: 'thesis_undo_graduated' })
  if (facts.status === 'granted' && facts.deposited) reasons.push({ code: 'thesis_undo_deposited' })
  return reasons
}
