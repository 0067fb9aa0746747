import type { Reason } from '#kit/contract/issues.ts'

/** What steps of a project look at. */
export interface ProjectFacts {
  readonly leaders: number
  readonly lines: number
  readonly open_milestones: number
  readonly final_reports: number
}
/** Why a project cannot run yet. */
export const checkProjectApproved = ({ leaders, lines }: ProjectFacts): Reason[] => [
  ...(leaders === 0 ? [{ code: 'project_leader_missing' }] : []),
  ...(lines === 0 ? [{ code: 'project_budget_missing' }] : []),
]
/** Why a project is not finished yet. */
export const checkFinished = ({ open_milestones, final_reports }: ProjectFacts): Reason[] => [
  ...(open_milestones > 0 ? [{ code: 'project_milestones_open', data: { count: open_milestones } }] : []),
  ...(final_reports === 0 ? [{ code: 'project_report_missing' }] : []),
]

interface WrittenProject {
  readonly start_date?: unknown
  readonly end_date?: unknown
  readonly members?: unknown
  readonly milestones?: unknown
}
interface Row {
  readonly user_id?: number | null
  readonly name?: string | null
  readonly job?: string
  readonly from_date?: string | null
  readonly until_date?: string | null
  readonly start_date?: string | null
  readonly due_date?: string | null
  readonly done_on?: string | null
}
const rows = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as Row[]) : [])
/** Every reason why a project cannot be kept as it is written. */
export function checkProject(of: WrittenProject, today: string): Reason[] {
  const reasons: Reason[] = []
  const [start, end] = [String(of.start_date), String(of.end_date)]
  if (of.start_date && of.end_date && end < start) reasons.push({ field: 'end_date', code: 'project_span' })
  const members = rows(of.members)
  if (members.some((one) => (one.user_id == null) === (one.name == null || one.name === '')))
    reasons.push({ field: 'members', code: 'project_member_named' })
  const people = members.flatMap(({ user_id }) => (user_id == null ? [] : [user_id]))
  if (new Set(people).size < people.length) reasons.push({ field: 'members', code: 'project_member_twice' })
  if (members.filter(({ job }) => job === 'leader').length > 1)
    reasons.push({ field: 'members', code: 'project_leader_twice' })
  if (members.some(({ from_date, until_date }) => from_date && until_date && until_date < from_date))
    reasons.push({ field: 'members', code: 'project_member_span' })
  for (const one of rows(of.milestones)) {
    const name = one.name ?? ''
    if (one.start_date && one.due_date && one.due_date < one.start_date)
      reasons.push({ field: 'milestones', code: 'project_milestone_span', data: { name } })
    if (one.due_date && (one.due_date < start || one.due_date > end))
      reasons.push({ field: 'milestones', code: 'project_milestone_outside', data: { name } })
    if (one.done_on && one.done_on > today)
      reasons.push({ field: 'milestones', code: 'project_milestone_ahead', data: { name } })
  }
  return reasons
}

export interface LineLeft {
  readonly name: string
  readonly amount: number
  readonly spent: number
}
/** What stands against spending from a line; more than is left only with a reason. */
export function checkSpending(
  line: LineLeft | undefined,
  spending: { readonly amount: number; readonly over_reason?: string | null | undefined },
): Reason[] {
  if (!line) return [{ field: 'line_id', code: 'reference_missing' }]
  if (spending.amount === 0) return [{ field: 'amount', code: 'project_amount_zero' }]
  const left = line.amount - line.spent
  if (spending.amount > left && !spending.over_reason)
    return [{ field: 'over_reason', code: 'project_line_over', data: { name: line.name } }]
  // A correction gives back at most what was spent.
  if (spending.amount < 0 && -spending.amount > line.spent)
    return [{ field: 'amount', code: 'project_correction_large', data: { name: line.name } }]
  return []
}
