/** When a period of the books may be closed, and when its closing may be taken back. */
import type { Reason } from '#kit/contract/issues.ts'

export interface ClosingFacts {
  /** The university's day. */
  readonly today: string
  /** Through which day the books are closed; null: nothing is. */
  readonly closed_through: string | null
  /** Drawers that were opened on a day of the period and are not counted yet. */
  readonly drawers: readonly string[]
  /** What the last proof of the ledger found; null: there was none since the period ended. */
  readonly findings: number | null
}

/** Reasons against closing through a day: every one of them. */
export function checkClosing(through: string, facts: ClosingFacts): Reason[] {
  const reasons: Reason[] = []
  if (through >= facts.today) reasons.push({ field: 'closed_through', code: 'ledger_closing_day' })
  if (facts.closed_through !== null && through <= facts.closed_through)
    reasons.push({ field: 'closed_through', code: 'ledger_closed_already', data: { day: facts.closed_through } })
  if (facts.drawers.length)
    reasons.push({
      code: 'ledger_drawer_open',
      data: { count: facts.drawers.length, drawers: facts.drawers.join(', ') },
    })
  if (facts.findings === null) reasons.push({ code: 'ledger_not_proven' })
  else if (facts.findings > 0) reasons.push({ code: 'ledger_with_findings', data: { count: facts.findings } })
  return reasons
}

export interface ReopeningFacts {
  readonly closed_through: string
  readonly reopened: boolean
  /** The last day that is closed, by whichever closing. */
  readonly last: string | null
}

/** Reasons against taking a closing back: the last one only, and once. */
export function checkReopeningBooks({ closed_through, reopened, last }: ReopeningFacts): Reason[] {
  if (reopened) return [{ code: 'ledger_closing_stays' }]
  return last !== null && last > closed_through ? [{ code: 'ledger_closed_later', data: { day: last } }] : []
}
