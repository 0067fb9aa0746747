import type { Reason } from '#kit/contract/issues.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'

/** Rights over people and their access are nobody's to hand on. */
const NEVER: ReadonlySet<PermissionKey> = new Set<PermissionKey>([
  'assign_super_admin',
  'user_access_users',
  'review_rights',
  'add_role',
  'edit_role',
  'remove_role',
  'restore_role',
  'login_as_user',
  'login_as_student',
  'change_as_other',
  'reset_password',
  'end_sessions',
  'remove_second_factor',
  'require_second_factor',
  'access_security_log',
])
/** The longest that somebody can be stood in for without deciding again. */
const MOST_DAYS = 366

export const mayDelegate = (key: PermissionKey): boolean => !NEVER.has(key)

/** Every reason why rights cannot be delegated so. Days as `YYYY-MM-DD`. */
export function checkDelegation({
  today,
  from_date,
  until_date,
  permissions,
  holds,
  to,
}: {
  today: string
  from_date: string
  until_date: string
  permissions: readonly string[]
  /** Whether the person holds a right now. */
  holds: (key: string) => boolean
  /** Whom the address names; null: nobody. */
  to: { readonly self: boolean; readonly staff: boolean } | null
}): Reason[] {
  const reasons: Reason[] = []
  if (!to?.staff) reasons.push({ field: 'email', code: 'delegate_unknown' })
  else if (to.self) reasons.push({ field: 'email', code: 'delegate_self' })
  if (until_date < from_date) reasons.push({ field: 'until_date', code: 'delegation_backwards' })
  else if (until_date < today) reasons.push({ field: 'until_date', code: 'delegation_past' })
  else if (Date.parse(until_date) - Date.parse(from_date) > MOST_DAYS * 86_400_000)
    reasons.push({ field: 'until_date', code: 'delegation_long', data: { days: MOST_DAYS } })
  const lacking = permissions.filter((key) => !holds(key) || !mayDelegate(key as PermissionKey))
  if (lacking.length)
    reasons.push({ field: 'permissions', code: 'delegation_not_held', data: { keys: lacking.join(', ') } })
  return reasons
}
