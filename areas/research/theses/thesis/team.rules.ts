/** Who may change what of the team of a thesis, and when. */
import type { Reason } from '#kit/contract/issues.ts'
import { SUPERVISING, type ThesisJob, type ThesisTie } from './thesis.rules.ts'

export interface TeamFacts {
  readonly status: string
  /** A discussion is scheduled. */
  readonly scheduled: boolean
  /** The person may change who supervises; may name the committee. */
  readonly supervisors: boolean
  readonly committee: boolean
}
export interface TeamChange {
  readonly before: { readonly job: ThesisJob; readonly tie: ThesisTie } | null
  /** null: taken off. */
  readonly after: { readonly job: ThesisJob; readonly share: number | null; readonly tie: ThesisTie } | null
}
const OPEN: ReadonlySet<string> = new Set(['draft', 'registered', 'approved', 'changing', 'discussed'])

/** Every reason why the team does not change so. */
export function checkTeam(facts: TeamFacts, { before, after }: TeamChange): Reason[] {
  const reasons: Reason[] = []
  if (!OPEN.has(facts.status)) return [{ code: 'thesis_team_closed' }]
  const jobs = [before?.job, after?.job].filter((job) => job !== undefined)
  const moves = before?.job !== after?.job
  const supervising = jobs.some((job) => SUPERVISING.has(job))
  if (supervising && facts.status !== 'draft' && (moves || after?.share !== undefined) && !declares(before, after))
    reasons.push({ code: 'thesis_by_council' })
  if (supervising && !facts.supervisors && !declares(before, after)) reasons.push({ code: 'thesis_team_supervisors' })
  if (jobs.some((job) => !SUPERVISING.has(job)) && !facts.committee && !declares(before, after))
    reasons.push({ code: 'thesis_team_committee' })
  if (facts.scheduled) reasons.push({ code: 'thesis_team_scheduled' })
  if (after && after.share !== null && !SUPERVISING.has(after.job))
    reasons.push({ field: 'share', code: 'thesis_share_job' })
  // What was declared is taken back by those who name the committee.
  if (before && before.tie !== 'none' && after?.tie === 'none' && !facts.committee)
    reasons.push({ field: 'tie', code: 'thesis_tie_declared' })
  return reasons
}
/** Nothing but a tie is declared. */
const declares = (before: TeamChange['before'], after: TeamChange['after']): boolean =>
  before !== null && after !== null && before.job === after.job && before.tie !== after.tie
