/** A device that keeps passkeys, as browsers speak to it: made of `node:crypto`, and able to do what no real one would. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()
const b64 = (data: Uint8Array): string => Buffer.from(data).toString('base64url')

/** CBOR (RFC 8949), as far as a key and its statement need it. */
function cbor(value: number | string | Uint8Array | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number): Buffer =>
    n < 24
      ? Buffer.from([(major << 5) | n])
      : n < 256
        ? Buffer.from([(major << 5) | 24, n])
        : Buffer.from([(major << 5) | 25, n >> 8, n & 0xff])
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, inner]) => [cbor(key), cbor(inner as Parameters<typeof cbor>[0])]),
  ])
}

/** What it does otherwise than it should. */
export interface Bent {
  /** The page that asks; the browser writes it down. */
  readonly origin?: string
  readonly framed?: boolean
  /** The site the key is for. */
  readonly rpId?: string
  /** Not unlocked by a finger, a face or a PIN. */
  readonly locked?: boolean
  readonly counter?: number
  readonly challenge?: string
  readonly userHandle?: string
  /** Signed by another key. */
  readonly forged?: boolean
}
interface Held {
  readonly id: Buffer
  readonly key: KeyObject
  readonly rpId: string
  readonly user: string
  counter: number
}

const UP = 1
const UV = 4
const KEY_INCLUDED = 64

export class Authenticator {
  readonly origin: string
  /** Counts uses, as a key on a stick does; those that are kept in step with other devices always say 0. */
  readonly counts: boolean
  readonly keys: Held[] = []
  constructor(origin: string, counts = true) {
    this.origin = origin
    this.counts = counts
  }

  private client(type: string, challenge: string, bent: Bent): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: bent.challenge ?? challenge,
        origin: bent.origin ?? this.origin,
        crossOrigin: bent.framed ?? false,
      }),
    )
  }
  private data(rpId: string, flags: number, counter: number, more = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more])
  }

  /** Makes a key, as `navigator.credentials.create` answers it. */
  // oxlint-disable-next-line no-explicit-any -- options as the server gives them
  make(options: any, bent: Bent = {}) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' })
    const held: Held = {
      id: randomBytes(32),
      key: privateKey,
      rpId: bent.rpId ?? options.rp.id,
      user: options.user.id,
      counter: this.counts ? 1 : 0,
    }
    this.keys.push(held)
    const cose = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    )
    const length = Buffer.alloc(2)
    length.writeUInt16BE(held.id.length)
    const flags = UP | KEY_INCLUDED | (bent.locked ? 0 : UV)
    const authData = this.data(held.rpId, flags, held.counter, Buffer.concat([Buffer.alloc(16), length, held.id, cose]))
    const statement = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    )
    return {
      id: b64(held.id),
      rawId: b64(held.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: b64(this.client('webauthn.create', options.challenge, bent)),
        attestationObject: b64(statement),
        transports: ['internal'],
      },
    }
  }

  /** Signs a challenge, as `navigator.credentials.get` answers it. */
  // oxlint-disable-next-line no-explicit-any -- options as the server gives them
  sign(options: any, bent: Bent = {}, held: Held = this.keys.at(-1)!) {
    if (this.counts) held.counter++
    const client = this.client('webauthn.get', options.challenge, bent)
    const data = this.data(bent.rpId ?? held.rpId, UP | (bent.locked ? 0 : UV), bent.counter ?? held.counter)
    const key = bent.forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : held.key
    return {
      id: b64(held.id),
      rawId: b64(held.id),
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: b64(client),
        authenticatorData: b64(data),
        signature: b64(sign('sha256', Buffer.concat([data, sha256(client)]), key)),
        userHandle: bent.userHandle ?? held.user,
      },
    }
  }
}
