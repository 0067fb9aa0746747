import { may } from './me.ts'

/** Whether somebody has an account with which nobody has signed in, and the reader can do something about it. */
export const needsFirstSteps = (person: unknown): boolean => {
  const { removed, blocked_at, last_login_at } = person as {
    readonly removed?: boolean
    readonly blocked_at?: string | null
    readonly last_login_at?: string | null
  }
  return !removed && !blocked_at && !last_login_at && (may('invite_person') || may('user_access_users'))
}
