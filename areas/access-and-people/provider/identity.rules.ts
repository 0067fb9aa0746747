/** Whose account an identity is, by what the provider vouches for. */

/** What the provider says of who signed in there. */
export interface Claims {
  readonly email: string | null
  readonly verified: boolean
}

/**
 * The address by which an account may be found the first time: one that the provider has verified, in a domain of the
 * university's own. Any other could be claimed by whoever likes, at whichever provider.
 */
export function vouchedEmail({ email, verified }: Claims, domains: readonly string[]): string | null {
  if (!email || !verified) return null
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).toLowerCase()
  return at > 0 && domains.includes(domain) ? email : null
}
