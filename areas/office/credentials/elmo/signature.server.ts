import { createHash, createPublicKey, sign, verify, X509Certificate } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { DOMParser } from '@xmldom/xmldom'
import { SignedXml } from 'xml-crypto'
import { keyAt } from '../verify/keys.server.ts'
import type { Reach } from '../verify/keys.server.ts'
import { MOST_BYTES } from '../verify/carrier.server.ts'
import { because, isUrl } from '../verify/values.rules.ts'
import type { CredentialNote, CredentialReason } from '../verify/values.rules.ts'
import { ELMO_NAMESPACE } from './elmo.rules.ts'

/** Ed25519 as RFC 9231 names it for XML signatures. */
const ED25519 = 'http://www.w3.org/2021/04/xmldsig-more#eddsa-ed25519'
const DIGEST = 'http://www.w3.org/2001/04/xmlenc#sha256'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'

/** How XML is signed by Ed25519: the library brings RSA alone. */
class Ed25519 {
  getSignature = (text: unknown, key: unknown): string =>
    sign(null, Buffer.from(String(text)), key as KeyObject).toString('base64')
  verifySignature = (text: string, key: unknown, value: string): boolean =>
    verify(null, Buffer.from(text), key as KeyObject, Buffer.from(value, 'base64'))
  getAlgorithmName = (): string => ED25519
}

/**
 * Signs ELMO as a whole, the signature within it. Every issued transcript carries such a file, and a library that reads what was just
 * written takes 12 ms for it: here the text is canonical already (`elmoOf`), and so is what is signed of it. Tests verify by the library.
 *
 * @param xml as `elmoOf` writes it
 * @param method names the key: an address in the document of the issuer's DID
 */
export function signedElmo(xml: string, { key, method }: { key: KeyObject; method: string }): string {
  const root = xml.slice(xml.indexOf('<elmo'))
  const digest = createHash('sha256').update(root).digest('base64')
  const named = (name: string, algorithm: string): string => `<${name} Algorithm="${algorithm}"></${name}>`
  const info =
    named('CanonicalizationMethod', EXCLUSIVE) +
    named('SignatureMethod', ED25519) +
    `<Reference URI=""><Transforms>${named('Transform', ENVELOPED)}${named('Transform', EXCLUSIVE)}</Transforms>` +
    `${named('DigestMethod', DIGEST)}<DigestValue>${digest}</DigestValue></Reference>`
  const value = sign(null, Buffer.from(`<SignedInfo xmlns="${DSIG}">${info}</SignedInfo>`), key).toString('base64')
  const signature =
    `<Signature xmlns="${DSIG}"><SignedInfo>${info}</SignedInfo><SignatureValue>${value}</SignatureValue>` +
    `<KeyInfo><KeyName>${method}</KeyName></KeyInfo></Signature>`
  return xml.replace(/<\/elmo>$/, () => `${signature}</elmo>`)
}

/** What was found of a signed ELMO document; `signed`: the part of it that is signed, canonical. */
export interface ElmoJudged {
  readonly reasons: readonly CredentialReason[]
  readonly notes: readonly CredentialNote[]
  /** null: nothing of it can be relied on. */
  readonly signed: string | null
}

/** Reads XML that somebody sent, without what could be fetched or grow. null: it is none, or no ELMO. */
export function elmoIn(text: string): Document | null {
  if (text.length > MOST_BYTES || /<!DOCTYPE|<!ENTITY/i.test(text)) return null
  try {
    const stop = (message: string): never => {
      throw new Error(message)
    }
    const parser = new DOMParser({ errorHandler: { warning: () => undefined, error: stop, fatalError: stop } })
    const document = parser.parseFromString(text, 'text/xml')
    const root = document.documentElement as Element | null
    return root?.localName === 'elmo' && root.namespaceURI === ELMO_NAMESPACE ? document : null
  } catch {
    return null
  }
}

/** Verifies the signature of an ELMO document, which has to cover all of it. */
export async function judgeElmo(text: string, { reach }: { reach: Reach }): Promise<ElmoJudged> {
  const refused = (reason: CredentialReason): ElmoJudged => ({ reasons: [reason], notes: [], signed: null })
  const document = elmoIn(text)
  if (!document) return refused(because('vc_unreadable'))
  const signatures = [...listOf(document.getElementsByTagNameNS(DSIG, 'Signature'))]
  const [signature] = signatures
  if (!signature) return refused(because('vc_unsigned'))
  // A second signature, or one somewhere within, could cover something else than what is read.
  if (signatures.length > 1 || signature.parentNode !== document.documentElement) return refused(because('vc_token'))
  const found = await keyOf(signature, reach)
  if ('code' in found) return refused(found)
  const algorithm =
    listOf(signature.getElementsByTagNameNS(DSIG, 'SignatureMethod'))[0]?.getAttribute('Algorithm') ?? ''
  if (algorithm !== ED25519 && !/#rsa-sha(256|384|512)$/.test(algorithm))
    return refused(because('vc_algorithm', { alg: algorithm }))
  if ((algorithm === ED25519) !== (found.key.asymmetricKeyType === 'ed25519')) return refused(because('vc_signature'))
  try {
    const checked = new SignedXml({
      publicCert: (algorithm === ED25519
        ? found.key
        : found.key.export({ type: 'spki', format: 'pem' })) as unknown as Buffer,
      getCertFromKeyInfo: () => null,
    })
    checked.SignatureAlgorithms[ED25519] = Ed25519
    checked.loadSignature(signature)
    if (!checked.checkSignature(text)) return refused(because('vc_signature'))
    const [reference, ...more] = checked.getReferences()
    const [signed] = checked.getSignedReferences()
    if (!reference || more.length || reference.uri !== '' || signed === undefined) return refused(because('vc_token'))
    // Which key it is is not signed itself: it has to be one of whoever the signed part says it is from.
    if (found.controller !== null && !isIssuer(signed, found.controller))
      return refused(
        because('vc_key_not_issuer', { key: found.controller, issuer: issuersIn(signed).join(' ') || '–' }),
      )
    return { reasons: [], notes: found.notes, signed }
  } catch {
    return refused(because('vc_signature'))
  }
}
const listOf = (nodes: HTMLCollectionOf<Element>): Element[] =>
  Array.from({ length: nodes.length }, (_, i) => nodes.item(i)).filter((one) => one !== null)

/** What the issuer of a document calls itself by: identifiers and address. */
function issuersIn(signed: string): string[] {
  const root = elmoIn(signed)?.documentElement
  if (!root) return []
  const issuers = listOf(root.getElementsByTagNameNS(ELMO_NAMESPACE, 'issuer'))
  // Reports of several issuers under one signature are nobody's.
  if (issuers.length !== 1) return []
  return ['identifier', 'url'].flatMap((name) =>
    listOf(issuers[0]!.getElementsByTagNameNS(ELMO_NAMESPACE, name)).flatMap((one) => one.textContent?.trim() ?? []),
  )
}
/** A DID among the identifiers, or one of the host of the address. */
function isIssuer(signed: string, controller: string): boolean {
  const host = /^did:web:([^:]+)/.exec(controller)?.[1]?.replaceAll('%3A', ':')
  return issuersIn(signed).some(
    (one) => one === controller || (host !== undefined && URL.canParse(one) && new URL(one).host === host),
  )
}

/** The key that a signature names, or brings along in a certificate: then whose it is remains to be told by people. */
async function keyOf(
  signature: Element,
  reach: Reach,
): Promise<{ key: KeyObject; controller: string | null; notes: readonly CredentialNote[] } | CredentialReason> {
  const textOf = (name: string) => listOf(signature.getElementsByTagNameNS(DSIG, name))[0]?.textContent?.trim() ?? ''
  const name = textOf('KeyName')
  if (isUrl(name)) {
    const key = await keyAt(name, { reach, purpose: 'assertionMethod' })
    if (typeof key === 'string')
      return because(key === 'scheme' ? 'vc_key_scheme' : 'vc_key_unreachable', { key: name })
    // A key that stands in its own address is anybody's.
    if (key.notes.length) return because('vc_key_unreachable', { key: name })
    return { key: key.key, controller: key.controller, notes: [] }
  }
  try {
    const certificate = new X509Certificate(Buffer.from(textOf('X509Certificate').replaceAll(/\s/g, ''), 'base64'))
    return {
      controller: null,
      key: createPublicKey(certificate.publicKey.export({ type: 'spki', format: 'pem' })),
      notes: [{ code: 'vc_note_certificate', data: { subject: certificate.subject.replaceAll('\n', ', ') } }],
    }
  } catch {
    return because('vc_key_scheme', { key: name || 'X509Certificate' })
  }
}
