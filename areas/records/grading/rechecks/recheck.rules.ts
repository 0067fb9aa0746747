/** Grade rechecks and corrections: when a mark may be asked about, and who may decide on it. Each rule gives every reason. */
import { controlStatusTexts, statusReached, type ControlStatus } from '#areas/common/academics/control.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { Authority } from '../guard.rules.ts'

export type RecheckKind = 'recheck' | 'correction'

export interface Asking {
  readonly kind: RecheckKind
  readonly control_status: ControlStatus
  /** The student still sits in the course, or has sat in it. */
  readonly takes_marks: boolean
  /** null: there is no mark. */
  readonly mark: string | null
  /** The highest there is: counting again gives no more. */
  readonly full: boolean
  readonly names_closed: boolean
  /** The bylaw does not show the mark to its student yet. */
  readonly hidden: boolean
  /** Of a recheck: asked for before, and not taken back. */
  readonly asked: boolean
  /** Some request about this mark waits. */
  readonly running: boolean
  /** The window of rechecks of the term, as it opens to the student; null: there is none. */
  readonly window: { readonly open: boolean; readonly starts_at: string; readonly ends_at: string } | null
}

const statusOf = (status: ControlStatus) => ({
  status: controlStatusTexts[status].en,
  status_local: controlStatusTexts[status].ar,
})

/** Why a mark cannot be asked about now; empty: it can. */
export function checkAsking(one: Asking): Reason[] {
  const reasons: Reason[] = []
  const from: ControlStatus = one.kind === 'recheck' ? 'Published' : 'Submitted'
  if (!statusReached(one.control_status, from) || one.hidden)
    reasons.push({
      code: one.kind === 'recheck' ? 'recheck_not_published' : 'correction_not_submitted',
      data: statusOf(one.control_status),
    })
  if (one.names_closed) reasons.push({ code: 'recheck_names' })
  if (!one.takes_marks) reasons.push({ code: 'recheck_left' })
  if (one.mark === null) reasons.push({ code: 'recheck_no_mark' })
  if (one.kind === 'recheck' && one.full) reasons.push({ code: 'recheck_full' })
  if (one.asked) reasons.push({ code: 'recheck_asked_twice' })
  else if (one.running) reasons.push({ code: 'recheck_runs' })
  if (one.kind === 'recheck' && !one.window) reasons.push({ code: 'recheck_no_window' })
  else if (one.kind === 'recheck' && !one.window!.open)
    reasons.push({ code: 'recheck_window', data: { starts_at: one.window!.starts_at, ends_at: one.window!.ends_at } })
  return reasons
}

export interface RecheckFacts {
  /** Who judges, and who really sits there. */
  readonly people: readonly number[]
  /** Everybody who entered or changed the mark. */
  readonly assessors: readonly number[]
  readonly reviewed_by: number | null
  readonly new_mark: string | null
  readonly old_mark: string
  /** As it stands now. */
  readonly mark: string | null
  readonly takes_marks: boolean
  readonly control_status: ControlStatus
  readonly names_closed: boolean
}

/** Nobody judges the own mark again: neither who reviews nor who decides has entered it. */
export const checkAssessor = ({ people, assessors }: Pick<RecheckFacts, 'people' | 'assessors'>): Reason[] =>
  people.some((one) => assessors.includes(one)) ? [{ code: 'recheck_first_assessor' }] : []

/** On which authority an accepted request changes the mark. */
export const recheckAuthority = (status: ControlStatus): Authority | null =>
  status === 'Draft' ? null : statusReached(status, 'Published') ? 'recheck' : 'correction'

/** Why a request cannot be accepted; empty: it can. */
export function checkDeciding(one: RecheckFacts): Reason[] {
  const reasons = checkAssessor(one)
  if (one.reviewed_by === null || one.new_mark === null) reasons.push({ code: 'recheck_not_reviewed' })
  else if (one.people.includes(one.reviewed_by)) reasons.push({ code: 'recheck_same_person' })
  if (one.new_mark !== null && one.new_mark === one.old_mark) reasons.push({ code: 'recheck_same_mark' })
  if (!one.takes_marks) reasons.push({ code: 'recheck_left' })
  if (one.names_closed) reasons.push({ code: 'recheck_names' })
  if (one.mark !== one.old_mark)
    reasons.push({ code: 'recheck_moved', data: { mark: one.mark ?? '–', asked: one.old_mark } })
  return reasons
}
