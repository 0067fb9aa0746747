/** What a device's answer has to be, and by what somebody proves again who sits there. */
import type { Reason } from '#kit/contract/issues.ts'

/** What an answer says of itself. It is signed: who changes it breaks the signature. */
export interface Answered {
  /** The challenge was given out here, to this browser and for this purpose, minutes ago, and not used since. */
  readonly ours: boolean
  /** The site that the browser asked for, and whether it stood in a frame of another one. */
  readonly origin: string
  readonly framed: boolean
  /** The device made the key for this site. */
  readonly ownKey: boolean
  /** The device has asked for a finger, a face or a PIN. */
  readonly verified: boolean
}

/** Everything for which an answer is refused before its signature is looked at. */
export function judgeAnswer({ ours, origin, framed, ownKey, verified }: Answered, own: string): Reason[] {
  const reasons: Reason[] = []
  if (origin !== own || framed || !ownKey)
    reasons.push({ code: 'passkey_site', data: { site: origin.slice(0, 100), own } })
  if (!ours) reasons.push({ code: 'passkey_challenge' })
  if (!verified) reasons.push({ code: 'passkey_unverified' })
  return reasons
}

/** What a person has to show. */
export interface Shows {
  readonly password: boolean
  /** An authenticator app is set up. */
  readonly app: boolean
  readonly passkeys: number
  /** Recovery codes that were not used. */
  readonly recovery_codes: number
  /** A role of the person demands a second factor, or what is about to be done does. */
  readonly demanded: boolean
}
/** A way to prove again who sits there. */
export type ProofWay = 'passkey' | 'password' | 'password_and_code' | 'code'

/**
 * The ways that are open to somebody. A passkey is two factors in one. A password is enough where no role demands more,
 * or where there is nothing more yet. Who has no password shows a code of the app.
 */
export function proofWays({ password, app, passkeys, recovery_codes, demanded }: Shows): ProofWay[] {
  const code = app || (passkeys > 0 && recovery_codes > 0)
  return [
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(password && !(demanded && (app || passkeys > 0)) ? (['password'] as const) : []),
    ...(password && demanded && code ? (['password_and_code'] as const) : []),
    ...(!password && app ? (['code'] as const) : []),
  ]
}

/** What stands after a passkey is taken off. */
export interface Left {
  readonly password: boolean
  readonly app: boolean
  /** Passkeys besides this one. */
  readonly others: number
  readonly identities: number
  readonly demanded: boolean
}
/** Why a passkey stays: nobody shuts the own last door, or goes without what a role demands. */
export const judgeRemoval = ({ password, app, others, identities, demanded }: Left): Reason[] => [
  ...(demanded && !app && others === 0 ? [{ code: 'passkey_last_factor' }] : []),
  ...(!password && others === 0 && identities === 0 ? [{ code: 'passkey_only_way' }] : []),
]
