/** Envelopes: what one person answered, sealed so that only who holds the private key of the questionnaire reads it. */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const TAG = 16
/** Bytes of a public key of X25519 in SPKI, which every envelope begins with. */
const POINT = 44
/** A key is used once, so the number of its use is always the same. */
const NONCE = Buffer.alloc(12)

const pointOf = (key: KeyObject): Buffer => key.export({ type: 'spki', format: 'der' })
const readPoint = (point: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.from(point), type: 'spki', format: 'der' })

/** A pair of keys for one questionnaire, as bytes (SPKI and PKCS 8). */
export function newBallotKeys(): { readonly publicKey: Buffer; readonly privateKey: Buffer } {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return { publicKey: pointOf(publicKey), privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }) }
}

const keyOf = (shared: Buffer, once: Uint8Array, whose: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', shared, Buffer.concat([once, whose]), 'questionnaire ballot', 32))

/**
 * Seals answers.
 *
 * @param bytes what every envelope of the form holds: shorter answers are filled up with spaces, which JSON does not mind
 * @throws {RangeError} for answers that are longer
 */
export function sealBallot(answers: unknown, publicKey: Uint8Array, bytes: number): Buffer {
  const plain = Buffer.from(JSON.stringify(answers))
  if (plain.length > bytes) throw new RangeError(`Answers of ${plain.length} bytes do not fit into ${bytes}`)
  const { publicKey: once, privateKey } = generateKeyPairSync('x25519')
  const point = pointOf(once)
  const key = keyOf(diffieHellman({ privateKey, publicKey: readPoint(publicKey) }), point, publicKey)
  const cipher = createCipheriv(CIPHER, key, NONCE)
  const sealed = Buffer.concat([
    cipher.update(Buffer.concat([plain, Buffer.alloc(bytes - plain.length, 0x20)])),
    cipher.final(),
  ])
  return Buffer.concat([point, cipher.getAuthTag(), sealed])
}

/** Opens envelopes with the private key. @throws {Error} for one that was sealed for another key, or changed */
export function ballotOpener(privateKey: Uint8Array): (sealed: Uint8Array) => unknown {
  const own = createPrivateKey({ key: Buffer.from(privateKey), type: 'pkcs8', format: 'der' })
  const whose = pointOf(createPublicKey(own))
  return (sealed) => {
    const point = Buffer.from(sealed.subarray(0, POINT))
    const key = keyOf(diffieHellman({ privateKey: own, publicKey: readPoint(point) }), point, whose)
    const decipher = createDecipheriv(CIPHER, key, NONCE).setAuthTag(sealed.subarray(POINT, POINT + TAG))
    const plain = Buffer.concat([decipher.update(sealed.subarray(POINT + TAG)), decipher.final()])
    return JSON.parse(plain.toString()) as unknown
  }
}
