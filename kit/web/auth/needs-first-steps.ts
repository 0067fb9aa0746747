import { may } from './me.ts'

/** What decides whether somebody can begin to work. */
export interface Beginner {
  readonly removed?: boolean
  /** How far the account is; null where the reader does not read it. */
  readonly account_state?: string | null
  /** Absent where the invitation gives them. */
  readonly roles?: readonly unknown[] | null
}

/** Whether somebody is still to be invited, or lacks a role, and the reader can do something about it. */
export const needsFirstSteps = (person: unknown): boolean => {
  const { removed, account_state: state, roles } = person as Beginner
  if (removed || state === 'account_blocked' || state === 'in_use') return false
  return (
    ((state === 'not_invited' || state === 'invited') && may('invite_person')) ||
    (roles?.length === 0 && may('user_access_users'))
  )
}
