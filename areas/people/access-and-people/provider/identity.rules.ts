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

/**
 * A code of a student or a member of staff out of what a provider tells: plain, or the last part of a
 * `schacPersonalUniqueCode`. One that names another home organisation is not ours.
 */
export function vouchedCode(code: string | null | undefined, domains: readonly string[]): string | null {
  if (!code) return null
  const parts = code.split(':')
  if (parts.length > 1) {
    if (!/^urn:schac:personalUniqueCode:/i.test(code)) return null
    const homes = parts.slice(3, -1).filter((part) => part.includes('.'))
    if (homes.some((home) => !domains.includes(home.toLowerCase()))) return null
  }
  const last = parts.at(-1)!
  return /^[\w./-]{1,60}$/.test(last) ? last : null
}
