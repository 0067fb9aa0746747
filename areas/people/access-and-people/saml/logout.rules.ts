/** Whether a request to end a session, whose signature is right, is meant for us and now. */
import type { Reason } from '#kit/contract/issues.ts'
import { TOLERANCE } from './assertion.rules.ts'

/** Milliseconds for which such a request counts that does not say so itself. */
const FRESH = 300_000

/** What the signed request says. Instants in milliseconds; null: not told, NaN: not readable. */
export interface LogoutAsked {
  readonly id: string
  readonly issuer: string
  readonly destination: string | null
  readonly issuedAt: number
  readonly notOnOrAfter: number | null
  readonly nameId: string
}

/** Until when it counts. */
export const countsUntil = ({ issuedAt, notOnOrAfter }: LogoutAsked): number =>
  (notOnOrAfter === null ? issuedAt + FRESH : notOnOrAfter) + TOLERANCE

/** Everything that is wrong with it; each code once. */
export function logoutReasons(
  asked: LogoutAsked,
  expected: { readonly issuer: string; readonly here: string; readonly now: number },
): Reason[] {
  const codes: string[] = []
  if (asked.issuer !== expected.issuer || !asked.id || !asked.nameId) codes.push('provider_answer')
  // What is signed says for whom it is: else one for another application would do here.
  if (asked.destination !== expected.here) codes.push('saml_elsewhere')
  // NaN compares as false: what cannot be read is no permission.
  if (!(expected.now >= asked.issuedAt - TOLERANCE && expected.now < countsUntil(asked))) codes.push('provider_clock')
  return codes.map((code) => ({ code }))
}
