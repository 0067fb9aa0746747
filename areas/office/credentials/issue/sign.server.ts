import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { canonicalRdf, sha256Of } from '../verify/contexts.server.ts'
import { toBase58 } from '../verify/keys.server.ts'
import type { JsonObject } from '../verify/values.rules.ts'

/** A key pair by which credentials are signed (Ed25519). */
export interface SigningKey {
  readonly key: KeyObject
  /** The public half as Multikey writes it; names the key as well. */
  readonly multibase: string
}

/** @param secret the 32 bytes from which the pair is made @throws {Error} when there are more or fewer */
export function signingKey(secret: Uint8Array): SigningKey {
  if (secret.length !== 32) throw new Error('A key of Ed25519 has 32 bytes')
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return { key, multibase: multibaseOf(Buffer.from(x!, 'base64url')) }
}
const multibaseOf = (key: Uint8Array): string => `z${toBase58(Buffer.concat([Buffer.from('ed01', 'hex'), key]))}`

/** Signs a document with a Data Integrity proof of the suite `eddsa-rdfc-2022`. */
export async function signed<D extends JsonObject>(
  document: D,
  { key, method, created }: { key: KeyObject; method: string; created: Date },
): Promise<D & { proof: JsonObject }> {
  const options = {
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-rdfc-2022',
    created: `${created.toISOString().slice(0, 19)}Z`,
    verificationMethod: method,
    proofPurpose: 'assertionMethod',
  }
  const [written, content] = await Promise.all([
    canonicalRdf({ ...options, '@context': document['@context'] }),
    canonicalRdf(document),
  ])
  const value = sign(null, Buffer.concat([sha256Of(written), sha256Of(content)]), key)
  return { ...document, proof: { ...options, proofValue: `z${toBase58(value)}` } }
}

/** Signs a credential as a token (VC-JOSE-COSE; its claims are those of Open Badges 3.0, 8.2). @param issuer as the credential names it */
export function signedToken(
  document: JsonObject,
  { key, method, issuer, subject }: { key: KeyObject; method: string; issuer: string; subject: string },
): string {
  const seconds = (name: string): number => Math.floor(Date.parse(String(document[name])) / 1000)
  const head = { alg: 'EdDSA', typ: 'vc+jwt', cty: 'vc', kid: method }
  const claims = {
    iss: issuer,
    jti: document.id,
    sub: subject,
    nbf: seconds('validFrom'),
    ...(document.validUntil !== undefined && { exp: seconds('validUntil') }),
  }
  const written = [head, { ...document, ...claims }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  return `${written}.${sign(null, Buffer.from(written), key).toString('base64url')}`
}
