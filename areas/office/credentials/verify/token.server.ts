import { constants, verify } from 'node:crypto'
import { jsonIn, keyAt, keyOfJwk } from './keys.server.ts'
import { isTangled } from './tangled.rules.ts'
import type { FoundKey, Reach } from './keys.server.ts'
import { issuerOf, periodNames, versionOf } from './model.rules.ts'
import { whoSigned } from './proof.server.ts'
import type { ProofsFound } from './proof.server.ts'
import { because, instantOf, isObject, isUrl } from './values.rules.ts'
import type { CredentialReason, JsonObject } from './values.rules.ts'

/** Signature algorithms that are accepted; none of them needs a secret shared with the issuer. */
const ALGORITHMS: Readonly<Record<string, (data: Buffer, { key, curve }: FoundKey, signature: Buffer) => boolean>> = {
  RS256: (data, { key }, signature) => key.asymmetricKeyType === 'rsa' && verify('sha256', data, key, signature),
  PS256: (data, { key }, signature) =>
    key.asymmetricKeyType === 'rsa' &&
    verify('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, signature),
  ES256: (data, { key, curve }, signature) =>
    curve === 'P-256' && verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature),
  ES384: (data, { key, curve }, signature) =>
    curve === 'P-384' && verify('sha384', data, { key, dsaEncoding: 'ieee-p1363' }, signature),
  EdDSA: (data, { key, curve }, signature) => curve === 'Ed25519' && verify(null, data, key, signature),
  Ed25519: (data, { key, curve }, signature) => curve === 'Ed25519' && verify(null, data, key, signature),
}

export interface Token {
  readonly header: JsonObject
  readonly payload: JsonObject
  /** The credential or presentation in it. */
  readonly document: JsonObject
}
/** Reads a JWT; null: it is none. Parts that decode alike but are written differently are not taken: a changed byte would go unseen. */
export function readToken(text: string): Token | null {
  const parts = text.split('.')
  if (parts.length !== 3 || parts.some((part) => Buffer.from(part, 'base64url').toString('base64url') !== part))
    return null
  const written = Buffer.from(parts[1]!, 'base64url').toString('utf8')
  const [header, payload] = [jsonIn(parts[0]!), isTangled(written) ? null : jsonIn(parts[1]!)]
  if (!isObject(header) || !isObject(payload)) return null
  // Version 1.1 puts the credential into a claim of its own, version 2.0 is the payload itself (VC-JOSE-COSE).
  const inside = payload.vc ?? payload.vp
  return { header, payload, document: isObject(inside) ? inside : payload }
}

/** Verifies signature and claims of a token (VC-JWT of data model 1.1, VC-JOSE-COSE, Open Badges 3.0 section 8.2). */
export async function checkToken(
  text: string,
  { header, payload, document }: Token,
  { reach, at, presentation }: { reach: Reach; at: number; presentation: boolean },
): Promise<ProofsFound> {
  const refused = (...reasons: CredentialReason[]): ProofsFound => ({ reasons, notes: [] })
  const alg = String(header.alg)
  const fits = Object.hasOwn(ALGORITHMS, alg) ? ALGORITHMS[alg] : undefined
  if (!fits) return refused(because('vc_algorithm', { alg }))
  if (header.crit !== undefined || header.b64 !== undefined) return refused(because('vc_token'))
  const issuer = presentation ? null : issuerOf(document)
  const name = typeof header.kid === 'string' ? header.kid : 'jwk'
  const found = await tokenKey(header, issuer, reach, presentation)
  if (typeof found === 'string')
    return refused(because(found === 'scheme' ? 'vc_key_scheme' : 'vc_key_unreachable', { key: name }))
  const cut = text.lastIndexOf('.')
  if (!fits(Buffer.from(text.slice(0, cut)), found, Buffer.from(text.slice(cut + 1), 'base64url')))
    return refused(because('vc_signature'))
  const claims = checkClaims(payload, document, at)
  if (claims.length) return refused(...claims)
  return whoSigned(found, issuer, name)
}

async function tokenKey(header: JsonObject, issuer: string | null, reach: Reach, presentation: boolean) {
  if (isObject(header.jwk)) {
    const key = keyOfJwk(header.jwk)
    return key
      ? { ...key, controller: issuer ?? '', notes: [{ code: 'vc_note_key_inside', data: {} }] as const }
      : 'scheme'
  }
  if (typeof header.kid !== 'string') return 'scheme'
  // A key may be named within the document of the issuer.
  const { kid } = header
  const within = issuer !== null && !isUrl(kid)
  const method = within ? `${issuer}#${String(kid).replace(/^#/, '')}` : kid
  return keyAt(method, { reach, purpose: presentation ? 'authentication' : 'assertionMethod' })
}

/** Claims of the token say the same as the credential, and allow it to be used now. */
function checkClaims(payload: JsonObject, document: JsonObject, at: number): CredentialReason[] {
  const reasons: CredentialReason[] = []
  const same = (claim: string, value: unknown) => {
    if (payload[claim] !== undefined && value !== undefined && value !== null && payload[claim] !== value)
      reasons.push(because('vc_claim', { claim }))
  }
  const subject = document.credentialSubject
  same('iss', issuerOf(document))
  same('jti', document.id)
  if (isObject(subject)) same('sub', subject.id)
  const [from, until] = periodNames(versionOf(document) ?? 2)
  for (const [claim, name] of [
    ['nbf', from],
    ['exp', until],
  ] as const) {
    const seconds = payload[claim]
    if (seconds === undefined) continue
    if (typeof seconds !== 'number') reasons.push(because('vc_claim', { claim }))
    else {
      const written = instantOf(document[name])
      if (written !== null && Math.floor(written / 1000) !== Math.floor(seconds))
        reasons.push(because('vc_claim', { claim }))
      const moment = new Date(Math.min(seconds * 1000, 8.64e15)).toISOString()
      if (claim === 'nbf' && seconds * 1000 > at) reasons.push(because('vc_not_yet', { at: moment }))
      if (claim === 'exp' && seconds * 1000 <= at) reasons.push(because('vc_expired', { at: moment }))
    }
  }
  return reasons
}
