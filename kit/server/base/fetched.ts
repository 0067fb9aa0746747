/** What others publish, asked for by the server: never our own machines, never without an end. */
import { lookup } from 'node:dns'
import type { LookupAddress, LookupOptions } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { BlockList, isIP } from 'node:net'
import { isLocal } from './web-address.ts'

/** Milliseconds that somebody else's server is given, and bytes that are read of it. */
const PATIENCE = 5000
const MOST = 1_048_576

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

/** What became of asking: the document, or why there is none. */
export type AskedJson =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly why: 'slow' | 'down' | 'not_found' | 'too_often' | 'refused' | 'garbled' }

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds for the whole answer. */
  readonly patience?: number
  /** Bytes of it. */
  readonly most?: number
  /**
   * The address is the operator's, from the environment: it may be on this machine (a simulator). Every other address is asked
   * over HTTPS only, and only where its name leads to no private network.
   */
  readonly configured?: boolean
}

/**
 * Asks for a JSON document. It ends: a server that answers slowly, drop by drop or never is left. Redirects are not followed:
 * they would lead where nobody has looked.
 */
export const askJson = (url: string, options: AskOptions = {}): Promise<AskedJson> =>
  new Promise((resolve) => {
    const no = (why: Extract<AskedJson, { ok: false }>['why']): void => resolve({ ok: false, why })
    if (!URL.canParse(url)) return no('refused')
    const { protocol, hostname, port, username } = new URL(url)
    const bare = hostname.replace(/^\[|\]$/g, '')
    const own = options.configured === true && isLocal(hostname)
    if (
      !own &&
      (protocol !== 'https:' || username || (port && port !== '443') || (isIP(bare) && !isPublicAddress(bare)))
    )
      return no('refused')
    const signal = AbortSignal.timeout(options.patience ?? PATIENCE)
    const request = (protocol === 'http:' ? http : https).get(
      url,
      {
        ...(!own && { lookup: publicLookup }),
        signal,
        agent: false,
        headers: { accept: 'application/json', ...options.headers },
      },
      (answer) => {
        if (answer.statusCode !== 200) {
          answer.destroy()
          return no(answer.statusCode === 404 ? 'not_found' : answer.statusCode === 429 ? 'too_often' : 'down')
        }
        const parts: Buffer[] = []
        let size = 0
        answer.on('data', (part: Buffer) => {
          size += part.length
          if (size > (options.most ?? MOST)) {
            no('garbled')
            answer.destroy()
          } else parts.push(part)
        })
        answer.on('error', () => no(signal.aborted ? 'slow' : 'down'))
        answer.on('close', () => no(signal.aborted ? 'slow' : 'down'))
        answer.on('end', () => {
          try {
            resolve({ ok: true, json: JSON.parse(Buffer.concat(parts).toString('utf8')) })
          } catch {
            no('garbled')
          }
        })
      },
    )
    request.on('error', () => no(signal.aborted ? 'slow' : 'down'))
  })

/** Asks for a JSON document that a stranger named, over HTTPS. null: there is none to be had. */
export async function fetchedJson(url: string): Promise<unknown> {
  const asked = await askJson(url, { headers: { accept: 'application/vc, application/did+json, application/json' } })
  return asked.ok ? asked.json : null
}
