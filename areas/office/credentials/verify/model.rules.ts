/**
 * The rules of the W3C data model for credentials and presentations: version 2.0 (W3C Recommendation of 15 May 2025), and
 * 1.1 where the first context says so. Each function adds every reason it finds.
 */
import { because, instantOf, isLanguage, isObject, isUrl, listed, typesOf } from './values.rules.ts'
import type { CredentialReason, JsonObject } from './values.rules.ts'

export const CONTEXT_V2 = 'https://www.w3.org/ns/credentials/v2'
export const CONTEXT_V1 = 'https://www.w3.org/2018/credentials/v1'

export type ModelVersion = 1 | 2
/** By its first context; null: by none. */
export const versionOf = (document: JsonObject): ModelVersion | null => {
  const first = listed(document['@context'])[0]
  return first === CONTEXT_V2 ? 2 : first === CONTEXT_V1 ? 1 : null
}

/** The sets of objects a credential may have, and what each of them needs besides being an object (sections 4.10 to 4.12 and 5). */
const PARTS: Readonly<Record<string, { readonly id: boolean; readonly type: boolean }>> = {
  credentialStatus: { id: false, type: true },
  credentialSchema: { id: true, type: true },
  refreshService: { id: false, type: true },
  termsOfUse: { id: false, type: true },
  evidence: { id: false, type: true },
}

/** `draft`: nobody has issued it yet, so that it may lack its issuer. */
export function checkCredential(
  credential: JsonObject,
  { at = '', draft = false }: { at?: string; draft?: boolean } = {},
): CredentialReason[] {
  const version = versionOf(credential)
  const path = (name: string) => (at ? `${at}.${name}` : name)
  return [
    ...checkContext(credential['@context'], path('@context')),
    ...checkType(credential.type, path('type'), 'VerifiableCredential'),
    ...checkIds(credential, at),
    ...checkNames(credential, at),
    ...checkIssuer(credential.issuer, path('issuer'), draft),
    ...checkSubjects(credential.credentialSubject, path('credentialSubject')),
    ...checkPeriod(credential, version ?? 2, path),
    ...Object.entries(PARTS).flatMap(([name, needs]) => checkParts(credential[name], path(name), needs, version ?? 2)),
    ...checkRelated(credential.relatedResource, path('relatedResource')),
    ...checkProofs(credential.proof, path('proof')),
  ]
}

/** A set in order whose first is the base context; the others are addresses or contexts written out (section 4.3). */
export function checkContext(value: unknown, at: string): CredentialReason[] {
  if (value === undefined) return [because('vc_missing', { at })]
  if (!Array.isArray(value)) return [because(value === CONTEXT_V2 ? 'vc_wrong_value' : 'vc_context_first', { at })]
  const [first] = value
  return [
    ...(first === CONTEXT_V2 || first === CONTEXT_V1 ? [] : [because('vc_context_first')]),
    ...value.flatMap((one: unknown, i) =>
      typeof one === 'string'
        ? isUrl(one)
          ? []
          : [because('vc_not_url', { at: `${at}[${i}]` })]
        : isObject(one)
          ? []
          : [because('vc_wrong_value', { at: `${at}[${i}]` })],
    ),
  ]
}

/** One type or several, each a text; whether they are defined only the contexts tell (section 4.5). */
export function checkType(value: unknown, at: string, needed?: string): CredentialReason[] {
  if (value === undefined) return [because('vc_missing', { at })]
  const types = listed(value)
  if (!types.length || types.some((one) => typeof one !== 'string' || one === ''))
    return [because('vc_wrong_value', { at })]
  return needed === undefined || types.includes(needed)
    ? []
    : [because('vc_wrong_type', { at: at.replace(/\.?type$/, '') || 'The document', type: needed })]
}

/** Wherever an identifier stands it is one address (section 4.4). Contexts have ids of their own, which mean something else. */
export function checkIds(value: unknown, at: string): CredentialReason[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown, i) => checkIds(one, `${at}[${i}]`))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, one]) => {
    const place = at ? `${at}.${key}` : key
    if (key === '@context') return []
    if (key === 'id' || key === '@id') return isUrl(one) ? [] : [because('vc_not_url', { at: place })]
    return checkIds(one, place)
  })
}

/** Names and descriptions are texts, texts with a language, or several of these (section 4.6 and 11.1). */
function checkNames(of: JsonObject, at: string): CredentialReason[] {
  return ['name', 'description'].flatMap((key) => {
    const value = of[key]
    const place = at ? `${at}.${key}` : key
    if (value === undefined || typeof value === 'string') return []
    const values = listed(value)
    return values.length && values.every(isLanguageValue) ? [] : [because('vc_not_language_value', { at: place })]
  })
}
const isLanguageValue = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['@value'] === 'string' &&
  Object.keys(value).every((key) => ['@value', '@language', '@direction'].includes(key)) &&
  (value['@language'] === undefined || isLanguage(value['@language'])) &&
  (value['@direction'] === undefined || value['@direction'] === 'ltr' || value['@direction'] === 'rtl')

/** An address, or an object that has one as its id (section 4.7). */
function checkIssuer(value: unknown, at: string, draft: boolean): CredentialReason[] {
  if (value === undefined) return draft ? [] : [because('vc_missing', { at })]
  if (typeof value === 'string') return isUrl(value) ? [] : [because('vc_not_url', { at })]
  if (!isObject(value)) return [because('vc_wrong_value', { at })]
  // A wrong id is told with all others.
  return [
    ...(value.id === undefined && !draft ? [because('vc_missing', { at: `${at}.id` })] : []),
    ...checkNames(value, at),
  ]
}

/** One subject or several, about each of whom something is said (section 4.8). */
function checkSubjects(value: unknown, at: string): CredentialReason[] {
  if (value === undefined) return [because('vc_missing', { at })]
  const subjects = listed(value)
  return subjects.length && subjects.every((one) => isObject(one) && Object.keys(one).length > 0)
    ? []
    : [because('vc_not_object', { at })]
}

/** Moments with a zone, the end not before the beginning (section 4.9). Version 1.1 names them differently, and needs the first. */
function checkPeriod(of: JsonObject, version: ModelVersion, path: (name: string) => string): CredentialReason[] {
  const [from, until] = periodNames(version)
  const moments = [...new Set([from, until, 'validFrom', 'validUntil'])].flatMap((name) =>
    of[name] !== undefined && instantOf(of[name]) === null ? [because('vc_not_date', { at: path(name) })] : [],
  )
  const begins = instantOf(of[from])
  const ends = instantOf(of[until])
  return [
    ...moments,
    ...(version === 1 && of[from] === undefined ? [because('vc_missing', { at: path(from) })] : []),
    ...(begins !== null && ends !== null && ends < begins ? [because('vc_period')] : []),
  ]
}
/** How the versions name beginning and end of the validity. */
export const periodNames = (version: ModelVersion): readonly [string, string] =>
  version === 1 ? ['issuanceDate', 'expirationDate'] : ['validFrom', 'validUntil']

function checkParts(
  value: unknown,
  at: string,
  needs: { readonly id: boolean; readonly type: boolean },
  version: ModelVersion,
): CredentialReason[] {
  if (value === undefined) return []
  const parts = listed(value)
  if (!parts.length) return [because('vc_not_object', { at })]
  return parts.flatMap((part, i) => {
    const place = Array.isArray(value) ? `${at}[${i}]` : at
    if (!isObject(part)) return [because('vc_not_object', { at: place })]
    // Version 1.1 wants an id of these two as well.
    const id = needs.id || (version === 1 && /(credentialStatus|refreshService)$/.test(at))
    return [
      ...(id && part.id === undefined ? [because('vc_missing', { at: `${place}.id` })] : []),
      ...(needs.type ? checkType(part.type, `${place}.type`) : []),
    ]
  })
}

const DIGEST_SRI = /^sha(256|384|512)-[A-Za-z\d+/]+={0,2}$/
/** Resources elsewhere by their digest, each once (section 5.3). */
function checkRelated(value: unknown, at: string): CredentialReason[] {
  if (value === undefined) return []
  const resources = listed(value)
  if (!resources.length) return [because('vc_not_object', { at })]
  const known = new Set<unknown>()
  return resources.flatMap((one, i) => {
    const place = Array.isArray(value) ? `${at}[${i}]` : at
    if (!isObject(one)) return [because('vc_not_object', { at: place })]
    const twice = known.has(one.id)
    known.add(one.id)
    const { digestSRI, digestMultibase, mediaType } = one
    return [
      ...(one.id === undefined ? [because('vc_missing', { at: `${place}.id` })] : []),
      ...(twice ? [because('vc_wrong_value', { at: `${place}.id` })] : []),
      ...(digestSRI === undefined && digestMultibase === undefined
        ? [because('vc_missing', { at: `${place}.digestSRI` })]
        : []),
      ...(digestSRI !== undefined && !(typeof digestSRI === 'string' && DIGEST_SRI.test(digestSRI))
        ? [because('vc_wrong_value', { at: `${place}.digestSRI` })]
        : []),
      ...(digestMultibase !== undefined &&
      !(typeof digestMultibase === 'string' && /^[uz][\w-]+$/.test(digestMultibase))
        ? [because('vc_wrong_value', { at: `${place}.digestMultibase` })]
        : []),
      ...(mediaType !== undefined && !(typeof mediaType === 'string' && /^[\w.+-]+\/[\w.+-]+/.test(mediaType))
        ? [because('vc_wrong_value', { at: `${place}.mediaType` })]
        : []),
    ]
  })
}

/** Proofs are objects with a type; what they prove is for `proof.server.ts`. */
function checkProofs(value: unknown, at: string): CredentialReason[] {
  if (value === undefined) return []
  const proofs = listed(value)
  if (!proofs.length) return [because('vc_not_object', { at })]
  return proofs.flatMap((proof, i) => {
    const place = Array.isArray(value) ? `${at}[${i}]` : at
    if (!isObject(proof)) return [because('vc_not_object', { at: place })]
    return [
      ...checkType(proof.type, `${place}.type`),
      ...(['created', 'expires'] as const).flatMap((name) =>
        proof[name] !== undefined && instantOf(proof[name]) === null
          ? [because('vc_not_date', { at: `${place}.${name}` })]
          : [],
      ),
    ]
  })
}

/** Credentials in an envelope are named by a `data:` address of one of these kinds (section 4.13.1). */
const ENVELOPE = /^data:application\/(vc|vp|vc-ld|vp-ld|vc\+ld|vp\+ld)(\+(jwt|sd-jwt|cose))(;[^,]*)?,\S+$/
export const isEnvelope = (value: JsonObject): boolean =>
  typesOf(value).some((type) => /^EnvelopedVerifiable(Credential|Presentation)$/.test(type))
/** What stands for a credential or presentation that is secured as a whole. */
export function checkEnvelope(envelope: JsonObject, at: string): CredentialReason[] {
  const path = (name: string) => (at ? `${at}.${name}` : name)
  const first = listed(envelope['@context'])[0]
  return [
    ...(first === undefined
      ? [because('vc_missing', { at: path('@context') })]
      : first === CONTEXT_V2
        ? []
        : [because('vc_context_first')]),
    ...(typeof envelope.id === 'string' && ENVELOPE.test(envelope.id)
      ? []
      : [because(envelope.id === undefined ? 'vc_missing' : 'vc_not_url', { at: path('id') })]),
  ]
}

/** A presentation and the credentials in it (section 4.13). `placeholder`: an issuer that stands for one yet to issue it. */
export function checkPresentation(
  presentation: JsonObject,
  { placeholder = null }: { placeholder?: string | null } = {},
): CredentialReason[] {
  const { holder, verifiableCredential } = presentation
  const { verifiableCredential: _, ...own } = presentation
  const holderUrl = holderOf(presentation)
  return [
    ...checkContext(presentation['@context'], '@context'),
    ...checkType(presentation.type, 'type', 'VerifiablePresentation'),
    ...checkIds(own, ''),
    ...(holder === undefined
      ? []
      : isObject(holder)
        ? holder.id === undefined
          ? [because('vc_missing', { at: 'holder.id' })]
          : []
        : isUrl(holder)
          ? []
          : [because('vc_not_url', { at: 'holder' })]),
    ...checkProofs(presentation.proof, 'proof'),
    ...listed(verifiableCredential).flatMap((one, i) => {
      const at = Array.isArray(verifiableCredential) ? `verifiableCredential[${i}]` : 'verifiableCredential'
      if (!isObject(one)) return [because('vc_not_object', { at })]
      if (isEnvelope(one)) return checkEnvelope(one, at)
      return [
        ...checkCredential(one, { at }),
        // Without a proof of its own it is secured, if at all, with the presentation: whoever holds it says it (section 4.13.3).
        ...(one.proof === undefined &&
        issuerOf(one) !== holderUrl &&
        (placeholder === null || issuerOf(one) !== placeholder)
          ? [because('vc_self_asserted')]
          : []),
      ]
    }),
  ]
}

export const issuerOf = ({ issuer }: JsonObject): string | null =>
  typeof issuer === 'string' ? issuer : isObject(issuer) && typeof issuer.id === 'string' ? issuer.id : null
export const holderOf = ({ holder }: JsonObject): string | null =>
  typeof holder === 'string' ? holder : isObject(holder) && typeof holder.id === 'string' ? holder.id : null
