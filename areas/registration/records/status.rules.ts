import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Action, MainFlag, StatusCode } from '#areas/academics/status.rules.ts'

/** A status that staff set, the right it takes, and the actions by which a registration can come to it. */
interface Choice {
  readonly code: StatusCode
  readonly state: MainFlag | 'Audit'
  readonly right: PermissionKey
  readonly by: readonly (Action | 'audit')[]
}
export const STATUS_CHOICES: readonly Choice[] = [
  { code: 5, state: 'Withdrawn', right: 'withdraw_registration', by: ['withdraw'] },
  { code: 14, state: 'ForcedWithdrawn', right: 'withdraw_registration', by: ['force_withdraw'] },
  { code: 7, state: 'Excused', right: 'withdraw_registration', by: ['excuse'] },
  { code: 10, state: 'Absent', right: 'update_registration_status', by: ['absent'] },
  { code: 13, state: 'Banned', right: 'update_registration_status', by: ['ban'] },
  { code: 11, state: 'Punished', right: 'update_registration_status', by: ['punish'] },
  { code: 8, state: 'Incomplete', right: 'update_registration_status', by: ['incomplete'] },
  { code: 12, state: 'Audit', right: 'update_registration_status', by: ['audit'] },
  { code: 2, state: 'Registered', right: 'undo_registration', by: ['undo', 'undo_incomplete', 'audit'] },
]

/** The rights by which the dialog has something to offer. */
export const STATUS_RIGHTS: readonly PermissionKey[] = [...new Set(STATUS_CHOICES.map((one) => one.right))]

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
