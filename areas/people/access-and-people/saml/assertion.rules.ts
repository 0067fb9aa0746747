/** Whether an assertion whose signature is right is meant for us, now, and for who was sent away. */
import type { Reason } from '#kit/contract/issues.ts'

/** Milliseconds by which the clocks of provider and university may differ. */
export const TOLERANCE = 120_000
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/** What the signed part says. Instants in milliseconds; null: not told, NaN: not readable. */
export interface Assertion {
  readonly id: string
  readonly issuer: string
  readonly nameId: string | null
  readonly nameIdFormat: string | null
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
  /** By which it names the session that began there. */
  readonly sessionIndex: string | null
  readonly notBefore: number | null
  readonly notOnOrAfter: number | null
  /** Each restriction by itself has to be met. */
  readonly audiences: readonly (readonly string[])[]
  readonly confirmations: readonly {
    readonly method: string
    readonly recipient: string | null
    readonly request: string | null
    readonly notBefore: number | null
    readonly notOnOrAfter: number | null
  }[]
  /** Somebody has signed in there; other statements do not say so. */
  readonly signedIn: boolean
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

export interface Expected {
  readonly issuer: string
  readonly audience: string
  /** Where the provider sends people back to. */
  readonly consumer: string
  /** The request that was sent; null: nobody was sent, and that is allowed. */
  readonly request: string | null
  readonly now: number
}

/** Everything that is wrong with it; each code once. */
export function assertionReasons(said: Assertion, expected: Expected): Reason[] {
  const { now } = expected
  const codes = new Set<string>()
  if (said.issuer !== expected.issuer || !said.id || !said.signedIn) codes.add('provider_answer')
  if (!said.audiences.length || !said.audiences.every((some) => some.includes(expected.audience)))
    codes.add('saml_elsewhere')
  // NaN compares as false: what cannot be read is no permission.
  const begun = (at: number | null) => at === null || now >= at - TOLERANCE
  const open = (at: number | null) => at === null || now < at + TOLERANCE
  if (!begun(said.notBefore) || !open(said.notOnOrAfter)) codes.add('provider_clock')

  const bearers = said.confirmations.filter(({ method }) => method === BEARER)
  const here = bearers.filter(({ recipient }) => recipient === expected.consumer)
  // Who was not sent away has no request that could be answered.
  const ours = here.filter(({ request }) => request === expected.request)
  const timely = ours.filter(
    ({ notBefore, notOnOrAfter }) => notOnOrAfter !== null && begun(notBefore) && open(notOnOrAfter),
  )
  if (!bearers.length) codes.add('provider_answer')
  else if (!here.length) codes.add('saml_elsewhere')
  else if (!ours.length) codes.add('provider_state')
  else if (!timely.length) codes.add('provider_clock')
  return [...codes].map((code) => ({ code }))
}

/** Until when it could be taken again, were it not remembered. */
export const usableUntil = (said: Assertion): number =>
  Math.max(0, said.notOnOrAfter ?? 0, ...said.confirmations.map(({ notOnOrAfter }) => notOnOrAfter ?? 0)) + TOLERANCE
