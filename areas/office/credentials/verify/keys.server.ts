import { createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isObject, isUrl, listed } from './values.rules.ts'
import type { CredentialNote, JsonObject } from './values.rules.ts'

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Base 58 as Bitcoin writes it, at most so long as a signature or key may be; null: it is none. */
export function fromBase58(text: string): Buffer | null {
  if (text.length > 700) return null
  let number = 0n
  for (const letter of text) {
    const place = LETTERS.indexOf(letter)
    if (place < 0) return null
    number = number * 58n + BigInt(place)
  }
  const hex = number === 0n ? '' : number.toString(16)
  const zeros = /^1*/.exec(text)![0].length
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')])
}
export function toBase58(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = LETTERS[Number(number % 58n)]! + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

/** A public key with its curve, which says how signatures by it are made. */
export interface VerificationKey {
  readonly key: KeyObject
  readonly curve: 'Ed25519' | 'P-256' | 'P-384' | null
}
const fromJwk = (jwk: JsonObject): VerificationKey | null => {
  try {
    // The private half has no business here; it is left out, not used.
    const { kty, crv, x, y, n, e } = jwk
    const curve = crv === 'Ed25519' || crv === 'P-256' || crv === 'P-384' ? crv : null
    return { key: createPublicKey({ key: { kty, crv, x, y, n, e } as never, format: 'jwk' }), curve }
  } catch {
    return null
  }
}
export const keyOfJwk = (value: unknown): VerificationKey | null => (isObject(value) ? fromJwk({ ...value }) : null)

/** Prefixes by which DER tells what key follows. */
const COMPRESSED = {
  'P-256': Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
  'P-384': Buffer.from('3046301006072a8648ce3d020106052b81040022033200', 'hex'),
} as const
/** A key as Multikey writes it: base 58 of a code and the key itself. */
export function keyOfMultibase(text: string): VerificationKey | null {
  const bytes = text.startsWith('z') ? fromBase58(text.slice(1)) : null
  if (!bytes) return null
  const code = bytes.subarray(0, 2).toString('hex')
  const own = bytes.subarray(2)
  if (code === 'ed01' && own.length === 32) return fromJwk({ kty: 'OKP', crv: 'Ed25519', x: own.toString('base64url') })
  const curve = code === '8024' && own.length === 33 ? 'P-256' : code === '8124' && own.length === 49 ? 'P-384' : null
  if (!curve) return null
  try {
    return {
      key: createPublicKey({ key: Buffer.concat([COMPRESSED[curve], own]), format: 'der', type: 'spki' }),
      curve,
    }
  } catch {
    return null
  }
}

/** Reads documents elsewhere; null: it could not be read. The command line has none that reaches anywhere. */
export type Reach = (url: string) => Promise<unknown>

export interface FoundKey extends VerificationKey {
  /** Who the key belongs to, as far as its address says. */
  readonly controller: string
  readonly notes: readonly CredentialNote[]
}
/** `scheme`: nobody knows how to look such a key up; `unreachable`: it is known how, but nothing answered. */
export type KeyFault = 'scheme' | 'unreachable'

/** Looks up the key of a verification method. */
export async function keyAt(
  method: unknown,
  { reach, purpose }: { reach: Reach; purpose: 'assertionMethod' | 'authentication' },
): Promise<FoundKey | KeyFault> {
  const url = typeof method === 'string' ? method : isObject(method) && typeof method.id === 'string' ? method.id : null
  if (!isUrl(url)) return 'scheme'
  const [controller, fragment] = [url.replace(/#.*$/s, ''), /#(.*)$/s.exec(url)?.[1] ?? null]
  if (controller.startsWith('did:key:')) {
    const written = controller.slice('did:key:'.length)
    if (fragment !== null && fragment !== written) return 'scheme'
    const key = keyOfMultibase(written)
    return key ? { ...key, controller, notes: [] } : 'scheme'
  }
  if (controller.startsWith('did:jwk:')) {
    const key = keyOfJwk(jsonIn(controller.slice('did:jwk:'.length)))
    return key ? { ...key, controller, notes: [] } : 'scheme'
  }
  const address = controller.startsWith('did:web:') ? didWebAddress(controller) : controller
  if (address === null || !/^https?:/.test(address)) return 'scheme'
  const document = await reach(controller.startsWith('did:web:') ? address : url)
  if (isObject(document)) {
    const key = keyIn(document, url, purpose)
    return key ? { ...key, controller, notes: [] } : 'unreachable'
  }
  // Where the key itself is the fragment the signature can be judged; that it is one of the issuer's nobody has said.
  const key = fragment === null ? null : keyOfMultibase(fragment)
  return key
    ? { ...key, controller, notes: [{ code: 'vc_note_issuer_document', data: { issuer: controller } }] }
    : 'unreachable'
}

/** Where the document of a `did:web` is; null: it is written wrongly. */
export function didWebAddress(did: string): string | null {
  const parts = did.slice('did:web:'.length).split(':')
  if (parts.some((part) => !/^[\w.%-]+$/.test(part))) return null
  const [host, ...path] = parts.map((part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return ''
    }
  })
  if (!host || path.some((part) => part === '' || part === '..')) return null
  return `https://${host}/${path.length ? `${path.join('/')}/did.json` : '.well-known/did.json'}`
}

/** The key of that name in a document about keys, when the document lets it be used so; or the document is the key's own. */
function keyIn(document: JsonObject, url: string, purpose: string): VerificationKey | null {
  const fragment = url.slice(url.indexOf('#'))
  const named = (value: unknown) => value === url || value === fragment
  const methods = [...listed(document.verificationMethod), ...listed(document[purpose]), document]
  const method = methods.find((one): one is JsonObject => isObject(one) && named(one.id))
  if (!method || method.revoked !== undefined) return null
  const allowed =
    method === document || listed(document[purpose]).some((one) => named(one) || (isObject(one) && named(one.id)))
  if (!allowed) return null
  return typeof method.publicKeyMultibase === 'string'
    ? keyOfMultibase(method.publicKeyMultibase)
    : keyOfJwk(method.publicKeyJwk)
}

/** JSON in base 64 for addresses; null: it is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
