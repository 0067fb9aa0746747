import { z } from 'zod'

/** A name of this machine, to which nothing travels over a network. */
export function isLocal(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host)
}

/** An address that can be asked: encrypted, or on this machine. */
export const webAddress = z.string().refine((v) => {
  if (!URL.canParse(v)) return false
  const { protocol, hostname } = new URL(v)
  return protocol === 'https:' || (protocol === 'http:' && isLocal(hostname))
}, 'an address beginning with https://')
