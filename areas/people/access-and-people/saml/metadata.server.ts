/** What the provider of SAML says of itself, and how XML is read here. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { DOMParser } from '@xmldom/xmldom'
import type { Config } from '#kit/server/base/config.ts'

type Settings = NonNullable<Config['saml']>
const MD = 'urn:oasis:names:tc:SAML:2.0:metadata'
const DS = 'http://www.w3.org/2000/09/xmldsig#'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
/** Milliseconds for which what was read counts: a key that is changed there is known here within the hour. */
const KEPT = 3_600_000
/** Milliseconds that an address may take for it, and bytes of it. */
const PATIENCE = 10_000
const MOST_BYTES = 20_000_000

/** The provider, as far as we need it. */
export interface SamlProvider {
  readonly entityId: string
  /** Where people are sent. */
  readonly url: string
  /** Keys it may sign with, in PEM: the next one stands beside the present one. */
  readonly certificates: readonly string[]
  /** Where it is told of a session that ended here, and gets its answers; null: nowhere. */
  readonly logout: { readonly url: string; readonly answers: string } | null
}

/** XML without a document type: nothing of it is looked up or replaced. @throws {Error} when it is none */
export function readXml(text: string): Document {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw new Error('XML with a document type')
  const fail = (message: string) => {
    throw new Error(message)
  }
  return new DOMParser({ errorHandler: { warning: () => {}, error: fail, fatalError: fail } }).parseFromString(
    text,
    'text/xml',
  )
}

const all = (of: Document | Element, space: string, name: string): Element[] =>
  Array.from(of.getElementsByTagNameNS(space, name))

/** One provider out of metadata, which may be those of a whole federation. @throws {Error} in words for who sets it up */
export function providerIn(text: string, entityId: string | null): SamlProvider {
  const document = readXml(text)
  const found = all(document, MD, 'EntityDescriptor').filter(
    (one) =>
      (entityId === null || one.getAttribute('entityID') === entityId) && all(one, MD, 'IDPSSODescriptor').length > 0,
  )
  if (found.length !== 1)
    throw new Error(
      `The metadata tell of ${found.length} providers${entityId ? ` named ${entityId}` : '; SAML_IDP_ENTITY_ID says which'}`,
    )
  const [role] = all(found[0]!, MD, 'IDPSSODescriptor')
  const url = all(role!, MD, 'SingleSignOnService')
    .find((one) => one.getAttribute('Binding') === REDIRECT)
    ?.getAttribute('Location')
  const certificates = all(role!, MD, 'KeyDescriptor')
    .filter((key) => key.getAttribute('use') !== 'encryption')
    .flatMap((key) => all(key, DS, 'X509Certificate'))
    .map((one) => pem(one.textContent ?? ''))
  if (!url || !/^https?:/.test(url)) throw new Error('The metadata tell no address for sign-in by redirect')
  if (!certificates.length) throw new Error('The metadata tell no key that the provider signs with')
  const ends = all(role!, MD, 'SingleLogoutService').find((one) => one.getAttribute('Binding') === REDIRECT)
  const [logoutUrl, answers] = [ends?.getAttribute('Location'), ends?.getAttribute('ResponseLocation')]
  const logout = web(logoutUrl) ? { url: logoutUrl, answers: web(answers) ? answers : logoutUrl } : null
  return { entityId: found[0]!.getAttribute('entityID')!, url, certificates, logout }
}

const web = (url: string | null | undefined): url is string => Boolean(url && /^https?:/.test(url))
const pem = (base64: string): string => new X509Certificate(Buffer.from(base64.replace(/\s/g, ''), 'base64')).toString()

const found = new Map<string, { readonly until: number; readonly asked: Promise<SamlProvider> }>()
/** The provider of this installation. What was known before stays while its metadata cannot be read anew. */
export function providerOf({ provider }: Settings): Promise<SamlProvider> {
  const key = JSON.stringify(provider)
  const known = found.get(key)
  if (known && performance.now() < known.until) return known.asked
  const asked = read(provider).catch((error: unknown) => {
    if (!known) found.delete(key)
    else return known.asked
    throw error
  })
  found.set(key, { until: performance.now() + KEPT, asked })
  return asked
}

async function read(provider: Settings['provider']): Promise<SamlProvider> {
  if ('url' in provider) {
    const { entityId, url, logout } = provider
    const certificates = await Promise.all(
      provider.certificates.map(async (file) => new X509Certificate(await readFile(file)).toString()),
    )
    return { entityId, url, certificates, logout: logout === null ? null : { url: logout, answers: logout } }
  }
  const { metadata, entityId } = provider
  if (!/^https:/i.test(metadata)) return providerIn(await readFile(metadata, 'utf8'), entityId)
  const answer = await fetch(metadata, { signal: AbortSignal.timeout(PATIENCE) })
  const text = await answer.text()
  if (!answer.ok || text.length > MOST_BYTES) throw new Error(`${metadata} answers ${answer.status}`)
  return providerIn(text, entityId)
}
