import { checkBadge, isBadge } from './badge.rules.ts'
import { carriedIn, carriedInText, isCarriedToken } from './carrier.server.ts'
import type { Carried } from './carrier.server.ts'
import { checkContextTerms } from './contexts.server.ts'
import type { Reach } from './keys.server.ts'
import { checkCredential, checkEnvelope, checkPresentation, isEnvelope, periodNames, versionOf } from './model.rules.ts'
import { checkProof } from './proof.server.ts'
import { checkCredentialStatus } from './status.server.ts'
import { checkToken } from './token.server.ts'
import { because, instantOf, isObject, listed, textOf, typesOf } from './values.rules.ts'
import type { CredentialNote, CredentialReason, JsonObject } from './values.rules.ts'

/** What was found of a credential or presentation that somebody handed in. */
export interface JudgedCredential {
  /** Why it is refused; none: it is valid. */
  readonly reasons: readonly CredentialReason[]
  /** What could not be looked at. */
  readonly notes: readonly CredentialNote[]
  /** Whether somebody's signature holds; without it only the form was judged. */
  readonly signed: boolean
  /** null: it could not be read. */
  readonly document: JsonObject | null
}
export interface Judging {
  readonly reach: Reach
  /** Milliseconds of the moment for which it is judged. */
  readonly at?: number
  /** See `checkPresentation`. */
  readonly placeholder?: string | null
}
/** Reaches nothing. */
export const nowhere: Reach = async () => null
/** Lists within lists would go on for ever. */
const DEEPEST = 2

/** Judges a file: a credential or a presentation, with everything that can be known of it. */
export function judgeFile(content: Uint8Array, judging: Judging): Promise<JudgedCredential> {
  const carried = carriedIn(content)
  return carried ? judgeCredential(carried, judging) : Promise.resolve(unreadable)
}
const unreadable: JudgedCredential = { reasons: [because('vc_unreadable')], notes: [], signed: false, document: null }

const isPresentation = (document: JsonObject): boolean => typesOf(document).includes('VerifiablePresentation')

/** Judges a credential or presentation. */
export async function judgeCredential(carried: Carried, judging: Judging, depth = 0): Promise<JudgedCredential> {
  const { reach, at = Date.now(), placeholder = null } = judging
  const { document } = carried
  if (isEnvelope(document)) return judgeEnvelope(document, judging, depth)
  const presentation = isPresentation(document)
  const token = 'text' in carried
  const secured = token || document.proof !== undefined
  // What has neither issuer nor a key that it names has been issued by nobody: it is judged as a form. A badge is always somebody's.
  const draft =
    !token && !presentation && !isBadge(document) && !hasIssuer(document) && !listed(document.proof).some(namesKey)
  const terms = await checkContextTerms(withTerms(carried, draft))
  const form = [
    ...(presentation ? checkPresentation(document, { placeholder }) : checkCredential(document, { draft })),
    ...(!presentation && isBadge(document) ? checkBadge(document) : []),
    ...(presentation
      ? listed(document.verifiableCredential).flatMap((one) => (isObject(one) && isBadge(one) ? checkBadge(one) : []))
      : []),
    // Data model 2.0 knows the older context only in what was signed by it.
    ...(versionOf(document) === 1 && !secured && !isBadge(document) ? [because('vc_context_first')] : []),
  ]
  const notes: CredentialNote[] = schemaNotes(document)
  if (form.length || terms.length) return { reasons: [...form, ...terms], notes, signed: false, document }
  const inside = presentation ? await judgeInside(document, judging, depth) : { reasons: [], notes: [] }
  if (draft || !secured)
    return {
      reasons: [...inside.reasons, ...(isBadge(document) ? [because('vc_unsigned')] : [])],
      notes: [...notes, ...inside.notes, { code: 'vc_note_unsigned', data: {} }],
      signed: false,
      document,
    }
  const proven = token
    ? await checkToken(carried.text, carried, { reach, at, presentation })
    : await checkProof(document, { reach, at, presentation })
  const reasons = [
    ...proven.reasons,
    ...inside.reasons,
    ...(presentation ? [] : checkMoment(document, at)),
    ...(presentation || proven.reasons.length
      ? []
      : await checkCredentialStatus(document, { reach, at, verify: (list) => isValidList(list, judging, depth) })),
  ]
  return {
    reasons: unique(reasons),
    notes: unique([...notes, ...proven.notes, ...inside.notes]),
    signed: !proven.reasons.length,
    document,
  }
}
/** Claims of a token, which say nothing of the contexts. */
const CLAIMS = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'cnf'])
/**
 * What the contexts have to define. Options of a proof are looked at with its signature, so that a further proof of an unknown kind
 * does no harm; where nobody signed, at least the kind has to be defined.
 */
function withTerms(carried: Carried, draft: boolean): JsonObject {
  const { proof, ...rest } = carried.document
  if ('text' in carried) return Object.fromEntries(Object.entries(rest).filter(([key]) => !CLAIMS.has(key)))
  if (!draft || proof === undefined) return rest
  return { ...rest, proof: listed(proof).map((one) => (isObject(one) ? { type: one.type } : one)) }
}
const hasIssuer = ({ issuer }: JsonObject): boolean =>
  issuer !== undefined && !(isObject(issuer) && issuer.id === undefined)
const namesKey = (proof: unknown): boolean => isObject(proof) && proof.verificationMethod !== undefined
const unique = <T extends { code: string; data: object }>(all: readonly T[]): T[] => [
  ...new Map(all.map((one) => [`${one.code} ${JSON.stringify(one.data)}`, one])).values(),
]

async function isValidList(list: unknown, judging: Judging, depth: number): Promise<boolean> {
  if (!isObject(list) || depth >= DEEPEST) return false
  const { reasons, signed } = await judgeCredential({ document: list }, judging, depth + 1)
  return signed && !reasons.length
}

/** What is valid only later, or no more. */
function checkMoment(document: JsonObject, at: number): CredentialReason[] {
  const [from, until] = periodNames(versionOf(document) ?? 2)
  const [begins, ends] = [instantOf(document[from]), instantOf(document[until])]
  return [
    ...(begins !== null && begins > at ? [because('vc_not_yet', { at: String(document[from]) })] : []),
    ...(ends !== null && ends <= at ? [because('vc_expired', { at: String(document[until]) })] : []),
  ]
}

/** The credentials of a presentation, each by itself. Those without proof are secured with the presentation. */
async function judgeInside(
  presentation: JsonObject,
  judging: Judging,
  depth: number,
): Promise<Pick<JudgedCredential, 'reasons' | 'notes'>> {
  const reasons: CredentialReason[] = []
  const notes: CredentialNote[] = []
  if (depth >= DEEPEST) return { reasons: [because('vc_unreadable')], notes }
  for (const one of listed(presentation.verifiableCredential)) {
    if (!isObject(one)) continue
    if (one.proof === undefined && !isEnvelope(one)) continue
    const judged = await judgeCredential({ document: one }, judging, depth + 1)
    reasons.push(...judged.reasons)
    notes.push(...judged.notes)
  }
  return { reasons, notes }
}

/** What stands in a `data:` address. Where its key cannot be read only the form of the envelope is judged, and that is said. */
async function judgeEnvelope(envelope: JsonObject, judging: Judging, depth: number): Promise<JudgedCredential> {
  const reasons = [...checkEnvelope(envelope, ''), ...(await checkContextTerms(envelope))]
  const id = textOf(envelope.id) ?? ''
  const carried =
    !reasons.length && depth < DEEPEST && /\+jwt[;,]/.test(id) ? carriedInText(id.slice(id.indexOf(',') + 1)) : null
  const unread: JudgedCredential = {
    reasons,
    notes: [{ code: 'vc_note_envelope', data: {} }],
    signed: false,
    document: envelope,
  }
  if (!carried || !isCarriedToken(carried) || isEnvelope(carried.document)) return unread
  const { reach, at = Date.now() } = judging
  const { reasons: faults } = await checkToken(carried.text, carried, {
    reach,
    at,
    presentation: isPresentation(carried.document),
  })
  // What nobody can be held to by a key is not judged by its form either.
  if (faults.some(({ code }) => code === 'vc_key_scheme' || code === 'vc_key_unreachable')) return unread
  return judgeCredential(carried, judging, depth + 1)
}

const schemaNotes = (document: JsonObject): CredentialNote[] => [
  ...listed(document.credentialSchema).flatMap((schema) =>
    isObject(schema) && typeof schema.id === 'string' && !schema.id.startsWith('https://purl.imsglobal.org/spec/ob/')
      ? [{ code: 'vc_note_schema', data: { url: schema.id } } as const]
      : [],
  ),
  ...(JSON.stringify(document).includes('"EndorsementCredential"') &&
  !typesOf(document).includes('EndorsementCredential')
    ? [{ code: 'vc_note_endorsement', data: {} } as const]
    : []),
]
