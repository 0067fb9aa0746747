import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import jsonld from 'jsonld'
import { because, isObject, isUrl, listed, textOf } from './values.rules.ts'
import type { CredentialReason, JsonObject } from './values.rules.ts'

/** The contexts that are known, by address, with the file beside this one. Their sources stand in the area's README. */
const FILES: Readonly<Record<string, string>> = {
  'https://www.w3.org/2018/credentials/v1': 'credentials-v1',
  'https://www.w3.org/ns/credentials/v2': 'credentials-v2',
  'https://www.w3.org/ns/credentials/examples/v2': 'examples-v2',
  'https://www.w3.org/ns/credentials/undefined-terms/v2': 'undefined-terms-v2',
  'https://w3id.org/security/data-integrity/v1': 'data-integrity-v1',
  'https://w3id.org/security/data-integrity/v2': 'data-integrity-v2',
  'https://w3id.org/security/suites/ed25519-2020/v1': 'ed25519-2020-v1',
  'https://purl.imsglobal.org/spec/ob/v3p0/context.json': 'badges-3.0.0',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.1.json': 'badges-3.0.1',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.2.json': 'badges-3.0.2',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json': 'badges-3.0.3',
  'https://purl.imsglobal.org/spec/ob/v3p0/extensions.json': 'badges-extensions',
}
const read = new Map<string, unknown>()
function contextAt(url: string): unknown {
  const file = FILES[url]
  if (file === undefined) return null
  const known = read.get(url)
  if (known) return known
  const document: unknown = JSON.parse(readFileSync(new URL(`./contexts/${file}.json`, import.meta.url), 'utf8'))
  read.set(url, document)
  return document
}

class ContextUnknown extends Error {
  readonly url: string
  constructor(url: string) {
    super(`unknown context ${url}`)
    this.url = url
  }
}
const OPTIONS = {
  /** Contexts are never fetched: who controls an address would say what a credential means. */
  documentLoader: async (url: string) => {
    const document = contextAt(url)
    if (document === null) throw new ContextUnknown(url)
    return { documentUrl: url, document }
  },
  base: null,
  // What a context does not define would be left out of the signature silently.
  safe: true,
} as const

/** What the contexts of a document do not allow: every reason that the processor tells, which is the first. */
export async function checkContextTerms(document: JsonObject): Promise<CredentialReason[]> {
  try {
    // The processor takes whatever has a colon for an address.
    const expanded = await jsonld.expand(document, OPTIONS)
    const [wrong] = typesIn(expanded).filter((type) => !isUrl(type))
    return wrong === undefined ? [] : [because('vc_type_unknown', { type: wrong })]
  } catch (error) {
    return [reasonOf(error)]
  }
}

/** Every type in an expanded document. */
function typesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(typesIn)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inside]) =>
    key === '@type' ? listed(inside).flatMap((type) => textOf(type) ?? []) : key === '@value' ? [] : typesIn(inside),
  )
}

/**
 * The canonical form of a document as RDF (RDFC-1.0): one text for all ways to write the same.
 *
 * @throws {TermsError} with the reason
 */
export async function canonicalRdf(document: JsonObject): Promise<string> {
  try {
    return await jsonld.canonize(document, { ...OPTIONS, algorithm: 'RDFC-1.0', format: 'application/n-quads' })
  } catch (error) {
    throw new TermsError(reasonOf(error))
  }
}
export class TermsError extends Error {
  readonly reason: CredentialReason
  constructor(reason: CredentialReason) {
    super(reason.code)
    this.reason = reason
  }
}
export const sha256Of = (text: string | Uint8Array): Buffer => createHash('sha256').update(text).digest()

/** The processor's faults in our words. They are nested: what happened is in `details` or in the cause. */
function reasonOf(error: unknown): CredentialReason {
  const found = faultsIn(error)
  const unknown = found.find((one) => one instanceof ContextUnknown)
  if (unknown instanceof ContextUnknown) return because('vc_context_unknown', { url: unknown.url })
  for (const one of found) {
    const details = detailsOf(one)
    const event = recordOf(recordOf(details).event)
    if (event.code === 'relative @type reference')
      return because('vc_type_unknown', { type: String(recordOf(event.details).type) })
    if (event.code === 'invalid property')
      return because('vc_term_undefined', { at: String(recordOf(event.details).property) })
    if (details.code === 'protected term redefinition') return because('vc_term_redefined')
  }
  const [last] = found
  const details = detailsOf(last)
  const event = recordOf(recordOf(details).event)
  return because('vc_json_ld', { fault: String(event.code ?? details.code ?? 'invalid') })
}
const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
const detailsOf = (error: unknown): Record<string, unknown> => recordOf(recordOf(error).details)
function faultsIn(error: unknown, depth = 0): unknown[] {
  if (typeof error !== 'object' || error === null || depth > 8) return []
  const { cause } = error instanceof Error ? error : { cause: undefined }
  return [error, ...faultsIn(cause, depth + 1), ...faultsIn(detailsOf(error).cause, depth + 1)]
}
