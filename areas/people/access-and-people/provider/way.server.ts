/** A way of single sign-on: what its protocol does, and whom it may bring in. */
import type { Ctx } from '#kit/server/base/context.ts'

/** Who it is, as the provider says and signs. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  /** The provider has checked the address. */
  readonly verified: boolean
  /** Code of a student or a member of staff, where the provider vouches for it. */
  readonly code?: string | null
  /** As whom the provider knows what began there, where it can end it. */
  readonly login?: ProviderLogin
}

/** What names a session at the provider. */
export interface ProviderLogin {
  readonly nameId: string
  readonly nameIdFormat: string | null
  readonly nameQualifier: string | null
  readonly spNameQualifier: string | null
  readonly sessionIndex: string | null
}

/** What stays here while somebody is at the provider. */
export interface Sent {
  readonly state: string
  /** What its answer must name: for OpenID Connect the nonce, for SAML the id of the request. */
  readonly nonce: string
  readonly verifier: string | null
}

/** What came back with the browser. */
export type Returned = Readonly<Record<string, string | undefined>>

export interface SignInWay {
  readonly protocol: 'oidc' | 'saml'
  /** Domains of the university's own: a verified address in them is enough to find an account the first time. */
  readonly emailDomains: readonly string[]
  /** Types of users who come in by it. */
  readonly entries: readonly (1 | 2 | 3 | 4)[]
  /** By which name identities of it are kept. */
  issuer(): Promise<string>
  /** Where somebody is sent, and what has to be known when he or she comes back. */
  begin(ctx: Ctx): Promise<Sent & { readonly url: string }>
  /** Exchanges what came back for who it is. @throws {Refusal} 403 with the reason in words */
  finish(ctx: Ctx, given: Returned, sent: Sent): Promise<Identity>
}
