import { verify } from 'node:crypto'
import { canonicalRdf, sha256Of, TermsError } from './contexts.server.ts'
import { fromBase58, keyAt } from './keys.server.ts'
import type { FoundKey, Reach } from './keys.server.ts'
import { holderOf, issuerOf } from './model.rules.ts'
import { because, instantOf, isObject, listed } from './values.rules.ts'
import type { CredentialNote, CredentialReason, JsonObject } from './values.rules.ts'

/** What was found of the proofs of a document. */
export interface ProofsFound {
  readonly reasons: readonly CredentialReason[]
  readonly notes: readonly CredentialNote[]
}
const refused = (...reasons: CredentialReason[]): ProofsFound => ({ reasons, notes: [] })

/** Suites by name of the proof or of its cryptosuite. `eddsa-2022` was the working name of `eddsa-rdfc-2022`. */
const SUITES: Readonly<Record<string, 'eddsa' | 'ecdsa'>> = {
  'eddsa-rdfc-2022': 'eddsa',
  'eddsa-2022': 'eddsa',
  'ecdsa-rdfc-2019': 'ecdsa',
}
const suiteOf = (proof: JsonObject): 'eddsa' | 'ecdsa' | null =>
  proof.type === 'Ed25519Signature2020'
    ? 'eddsa'
    : proof.type === 'DataIntegrityProof' && typeof proof.cryptosuite === 'string'
      ? (SUITES[proof.cryptosuite] ?? null)
      : null
const named = (proof: JsonObject): string =>
  proof.type === 'DataIntegrityProof' ? `DataIntegrityProof ${String(proof.cryptosuite)}` : String(proof.type)

/**
 * Verifies the proofs of a credential or presentation (W3C Data Integrity 1.0): each that is supported has to hold, and one has to be.
 */
export async function checkProof(
  document: JsonObject,
  { reach, at, presentation }: { reach: Reach; at: number; presentation: boolean },
): Promise<ProofsFound> {
  const { proof: given, ...unsecured } = document
  const proofs = listed(given).filter(isObject)
  const supported = proofs.filter((proof) => suiteOf(proof) !== null)
  const [first] = proofs
  if (!supported.length)
    return refused(first ? because('vc_proof_unknown', { type: named(first) }) : because('vc_unsigned'))
  const found: ProofsFound[] = []
  for (const proof of supported) found.push(await checkOneProof(unsecured, proof, { reach, at, presentation }))
  return {
    reasons: found.flatMap((one) => one.reasons),
    notes: [
      ...found.flatMap((one) => one.notes),
      ...proofs
        .filter((proof) => !supported.includes(proof))
        .map((proof) => ({ code: 'vc_note_proof', data: { type: named(proof) } }) as const),
    ],
  }
}

async function checkOneProof(
  document: JsonObject,
  proof: JsonObject,
  { reach, at, presentation }: { reach: Reach; at: number; presentation: boolean },
): Promise<ProofsFound> {
  const { proofValue, ...options } = proof
  const purpose = presentation && proof.proofPurpose === 'authentication' ? 'authentication' : 'assertionMethod'
  if (proof.proofPurpose !== purpose) return refused(because('vc_proof_purpose'))
  const expires = instantOf(proof.expires)
  if (expires !== null && expires <= at) return refused(because('vc_proof_expired'))
  const signature =
    typeof proofValue === 'string' && proofValue.startsWith('z') ? fromBase58(proofValue.slice(1)) : null
  if (!signature) return refused(because('vc_wrong_value', { at: 'proof.proofValue' }))
  const key = await keyAt(proof.verificationMethod, { reach, purpose })
  const name = methodName(proof.verificationMethod)
  if (key === 'scheme') return refused(because('vc_key_scheme', { key: name }))
  if (key === 'unreachable') return refused(because('vc_key_unreachable', { key: name }))
  const suite = suiteOf(proof)
  if ((suite === 'eddsa') !== (key.curve === 'Ed25519') || key.curve === null) return refused(because('vc_signature'))
  try {
    // The options are read with the contexts of the document they belong to.
    const [written, signed] = await Promise.all([
      canonicalRdf({ ...options, '@context': document['@context'] }),
      canonicalRdf(document),
    ])
    const data = Buffer.concat([sha256Of(written), sha256Of(signed)])
    const good =
      key.curve === 'Ed25519'
        ? verify(null, data, key.key, signature)
        : key.curve === 'P-256' && verify('sha256', data, { key: key.key, dsaEncoding: 'ieee-p1363' }, signature)
    if (!good) return refused(because('vc_signature'))
  } catch (error) {
    if (error instanceof TermsError) return refused(error.reason)
    throw error
  }
  return whoSigned(key, presentation ? holderOf(document) : issuerOf(document), name)
}
const methodName = (method: unknown): string =>
  typeof method === 'string' ? method : isObject(method) ? String(method.id) : '–'

/** The key has to be one of whoever the document says it is from. */
export function whoSigned(key: FoundKey, issuer: string | null, name: string): ProofsFound {
  if (issuer === null || key.controller === issuer) return { reasons: [], notes: key.notes }
  // A number is nobody's address, so that no key can be said to be its own.
  if (issuer.startsWith('urn:'))
    return { reasons: [], notes: [...key.notes, { code: 'vc_note_issuer_nobody', data: { issuer } }] }
  return refused(because('vc_key_not_issuer', { key: name, issuer }))
}
