import type { PermissionKey } from '#access/permissions.contract.ts'
import { decidedMains, isDecided, transitions } from '#areas/common/academics/status.rules.ts'
import type { Action, DecidedMain, MainFlag, StatusCode } from '#areas/common/academics/status.rules.ts'

/** A status that staff set, the right it takes, and the actions by which a registration can come to it. */
interface Choice {
  readonly code: StatusCode
  readonly state: MainFlag | 'Audit'
  readonly right: PermissionKey
  readonly by: readonly (Action | 'audit')[]
}
const STATUS_CHOICES: readonly Choice[] = [
  { code: 5, state: 'Withdrawn', right: 'withdraw_registration', by: ['withdraw'] },
  { code: 14, state: 'ForcedWithdrawn', right: 'withdraw_registration', by: ['force_withdraw'] },
  { code: 8, state: 'Incomplete', right: 'update_registration_status', by: ['incomplete'] },
  { code: 12, state: 'Audit', right: 'update_registration_status', by: ['audit'] },
  { code: 2, state: 'Registered', right: 'undo_registration', by: ['undo', 'undo_incomplete', 'audit'] },
]

/** States that are decided where their case is, and the right of whoever looks for them here. */
const DECIDED: Readonly<Record<DecidedMain, PermissionKey>> = {
  Excused: 'withdraw_registration',
  Absent: 'update_registration_status',
  Banned: 'update_registration_status',
  Punished: 'update_registration_status',
}

/** A registration whose status is to be set. */
export interface StatusOf {
  readonly state: MainFlag
  readonly audit: boolean
  /** The state was decided by a case that stands. */
  readonly by_decision: boolean
  /** What the reader may do with it now; absent: what the rights allow. */
  readonly abilities?: readonly string[]
}
interface StatusWays {
  /** What can be set here. */
  readonly offered: readonly Choice[]
  /** What is decided elsewhere. */
  readonly elsewhere: readonly DecidedMain[]
  /** The state is taken back where it was decided. */
  readonly stands: DecidedMain | null
}

/** Whether a step of staff leads from a state to what is chosen. */
const leads = (of: StatusOf, { state, by }: Choice): boolean =>
  (of.state === 'Registered' && (state === 'Audit' ? !of.audit : state === 'Registered' && of.audit)) ||
  transitions.some(
    ({ from, action, to, who }) =>
      from === of.state &&
      to === state &&
      by.includes(action) &&
      who.some((one) => one !== 'student' && one !== 'system'),
  )

/**
 * What may be set, and what only a decision sets or takes back, where that is done.
 *
 * @param of the registration; null: there are several
 */
export function statusWays(can: (right: PermissionKey) => boolean, of: StatusOf | null): StatusWays {
  const stands = of?.by_decision && isDecided(of.state) ? of.state : null
  return {
    offered: STATUS_CHOICES.filter((choice) => {
      if (of && (!leads(of, choice) || (stands && choice.state === 'Registered'))) return false
      return of?.abilities ? choice.by.some((action) => of.abilities!.includes(action)) : can(choice.right)
    }),
    elsewhere: decidedMains.filter(
      (state) => can(DECIDED[state]) && (!of || transitions.some(({ from, to }) => from === of.state && to === state)),
    ),
    stands: stands && can('undo_registration') ? stands : null,
  }
}

/** The rights by which the dialog has something to offer. */
export const STATUS_RIGHTS: readonly PermissionKey[] = [...new Set(STATUS_CHOICES.map((choice) => choice.right))]

/** What was decided: the status, why, and whether a closed stage is passed over. */
export interface StatusAnswer {
  readonly code: StatusCode
  readonly reason: string
  readonly outside: boolean
}

/** What is sent to set one registration to what was decided. */
export const statusInput = (id: number, { code, reason, outside }: StatusAnswer) => ({
  params: { status: code },
  body: { registration_ids: [id], reason, overrides: outside ? [{ code: 'stage_closed' as const, reason }] : [] },
})
