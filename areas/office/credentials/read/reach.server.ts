import { lookup } from 'node:dns'
import type { LookupAddress, LookupOptions } from 'node:dns'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import type { Reach } from '../verify/keys.server.ts'

/** Milliseconds that somebody else's server is given, and bytes that are read of it. */
const PATIENCE = 5000
const MOST = 1_048_576
/** Addresses asked for one file at most. */
const MOST_ASKED = 8

/** Networks in which only our own machines are: whoever sends a file must not reach them by us. */
const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6')

/** Whether an address may be asked on behalf of a stranger. IPv4 within IPv6 is looked at as what it is. */
export function isPublicAddress(address: string): boolean {
  const inside = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (inside) return isPublicAddress(inside)
  const kind = isIP(address)
  if (kind === 0 || /^::ffff:/i.test(address)) return false
  return !PRIVATE.check(address, kind === 4 ? 'ipv4' : 'ipv6')
}

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void
/** Looks up a name, and refuses where any of its addresses is our own: the connection goes to what was looked at. */
function publicLookup(host: string, options: LookupOptions, found: Found): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return found(error ?? new Error('no address'), '')
    if (!addresses.every(({ address }) => isPublicAddress(address))) return found(new Error('a private address'), '')
    return options.all ? found(null, addresses) : found(null, first.address, first.family)
  })
}

/** Asks for a JSON document over HTTPS: no redirects, no private addresses, limits of time and size. null: there is none to be had. */
export const fetchedJson = (url: string): Promise<unknown> =>
  new Promise((resolve) => {
    const none = (): void => resolve(null)
    if (!URL.canParse(url)) return none()
    const { protocol, hostname, port, username } = new URL(url)
    const bare = hostname.replace(/^\[|\]$/g, '')
    if (protocol !== 'https:' || username || (port && port !== '443') || (isIP(bare) && !isPublicAddress(bare)))
      return none()
    const request = https.get(
      url,
      {
        lookup: publicLookup,
        signal: AbortSignal.timeout(PATIENCE),
        agent: false,
        headers: { accept: 'application/vc, application/did+json, application/json' },
      },
      (answer) => {
        if (answer.statusCode !== 200) {
          answer.destroy()
          return none()
        }
        const parts: Buffer[] = []
        let size = 0
        answer.on('data', (part: Buffer) => {
          size += part.length
          if (size > MOST) answer.destroy()
          else parts.push(part)
        })
        answer.on('error', none)
        answer.on('close', none)
        answer.on('end', () => {
          try {
            resolve(JSON.parse(Buffer.concat(parts).toString('utf8')))
          } catch {
            none()
          }
        })
      },
    )
    request.on('error', none)
  })

/** Reaches what others publish; `own`: what this university publishes itself, which it need not ask the network for. */
export function publicReach(own: Reach): Reach {
  let asked = 0
  return async (url) => {
    const found = await own(url)
    if (found !== null) return found
    return ++asked > MOST_ASKED ? null : fetchedJson(url.replace(/#.*$/s, ''))
  }
}
