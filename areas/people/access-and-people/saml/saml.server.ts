/**
 * The protocol, by `@node-saml/node-saml`: it writes requests and finds what is signed by the provider. What the signed part
 * says is read from that part alone, and judged by `assertion.rules.ts`.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SAML } from '@node-saml/node-saml'
import type { Config } from '#kit/server/base/config.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { Assertion } from './assertion.rules.ts'
import { readXml } from './metadata.server.ts'
import type { SamlProvider } from './metadata.server.ts'

// Twenty-five megabytes, which no process holds before it is used.
const protocol = () => import('@node-saml/node-saml')

type Settings = NonNullable<Config['saml']>
const SAML_NS = 'urn:oasis:names:tc:SAML:2.0:assertion'
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const DS = 'http://www.w3.org/2000/09/xmldsig#'

/**
 * Whether something in it is signed with what is broken. Asked of what is read: the text can be written in many ways. (The
 * digests by which keys are encrypted are another matter: there SHA-1 is not broken.)
 */
export const isBroken = (document: Document): boolean =>
  [
    ...Array.from(document.getElementsByTagNameNS(DS, 'SignatureMethod')),
    ...Array.from(document.getElementsByTagNameNS(DS, 'Reference')).flatMap((one) =>
      Array.from(one.getElementsByTagNameNS(DS, 'DigestMethod')),
    ),
  ].some((one) => /sha1$|md5|hmac/i.test(one.getAttribute('Algorithm')?.trim() ?? ''))

/** What is encrypted in an answer, in clear. @throws {Refusal} 403 where it is not for our key */
async function openedAt(settings: Settings, answer: Document): Promise<Document[]> {
  const own = await ownKeys(settings)
  const { decryptXml } = await import('@node-saml/node-saml/lib/xml.js')
  const sealed = Array.from(answer.getElementsByTagNameNS(SAML_NS, 'EncryptedAssertion'))
  try {
    if (!own) throw new Error('no key of our own')
    return await Promise.all(sealed.map(async (one) => readXml(await decryptXml(String(one), own.key))))
  } catch (error) {
    throw refused('saml_signature', error)
  }
}

/** Where the provider tells that a session there has ended, and answers when one here has. */
export const logoutAddress = (config: Pick<Config, 'publicUrl'>): string => `${config.publicUrl}/api/saml/slo`
/** Where the provider sends people back to. */
export const consumerAddress = (config: Pick<Config, 'publicUrl'>): string => `${config.publicUrl}/api/saml/acs`

const ownKeys = async ({ own }: Settings) =>
  own && { key: await readFile(own.key, 'utf8'), certificate: await readFile(own.certificate, 'utf8') }

/** The library, told what it has to know; times, audience and whom it answers are judged by our own rules. */
export async function library(
  config: Config,
  settings: Settings,
  provider: SamlProvider,
  { requestId = '', logoutUrl }: { requestId?: string; logoutUrl?: string } = {},
): Promise<SAML> {
  const own = await ownKeys(settings)
  const { SAML, ValidateInResponseTo } = await protocol()
  return new SAML({
    idpCert: [...provider.certificates],
    issuer: settings.entityId,
    callbackUrl: consumerAddress(config),
    entryPoint: provider.url,
    ...(logoutUrl && { logoutUrl }),
    audience: false,
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    // The provider knows best how it tells who somebody is, and how people sign in there.
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    generateUniqueId: () => requestId,
    ...(own && { privateKey: own.key, decryptionPvk: own.key }),
  })
}

/** A request to sign somebody in: its id, and where to send the browser with it. */
export async function requestAt(
  config: Config,
  settings: Settings,
  provider: SamlProvider,
  state: string,
): Promise<{ id: string; url: string }> {
  const id = `_${randomBytes(20).toString('hex')}`
  const saml = await library(config, settings, provider, { requestId: id })
  return { id, url: await saml.getAuthorizeUrlAsync(state, undefined, {}) }
}

/** What we say of ourselves, for the provider. */
export async function ownMetadata(config: Config, settings: Settings): Promise<string> {
  const own = await ownKeys(settings)
  const { generateServiceProviderMetadata } = await protocol()
  const metadata = generateServiceProviderMetadata({
    issuer: settings.entityId,
    callbackUrl: consumerAddress(config),
    // Nobody is signed out by what anybody could have written: both sides sign.
    ...(own && { logoutCallbackUrl: logoutAddress(config) }),
    identifierFormat: PERSISTENT,
    wantAssertionsSigned: true,
    generateUniqueId: () => '_university-ems',
    ...(own && {
      privateKey: own.key,
      publicCerts: own.certificate,
      decryptionPvk: own.key,
      decryptionCert: own.certificate,
      signatureAlgorithm: 'sha256' as const,
    }),
  })
  // The library tells of one binding; we take both.
  return metadata.replace(
    /<SingleLogoutService [^>]*>/,
    (one) => `${one.replace('bindings:HTTP-POST', 'bindings:HTTP-Redirect')}${one}`,
  )
}

/**
 * What the provider has signed in its answer.
 *
 * @throws {Refusal} 403 when it refused, or when nothing is signed by it as it must be
 */
export async function signedIn(config: Config, settings: Settings, provider: SamlProvider, answer: string) {
  const text = Buffer.from(answer, 'base64').toString('utf8')
  let read: Document
  let destination: string | null
  try {
    read = readXml(text)
    destination = read.documentElement.getAttribute('Destination') || null
  } catch (error) {
    throw refused('provider_answer', error)
  }
  if (destination !== null && destination !== consumerAddress(config)) throw refuse(403, 'saml_elsewhere')
  // What is encrypted tells its signature only when it is open.
  const sealed = read.getElementsByTagNameNS(SAML_NS, 'EncryptedAssertion').length > 0
  if ([read, ...(sealed ? await openedAt(settings, read) : [])].some(isBroken)) throw refuse(403, 'saml_signature')
  const saml = await library(config, settings, provider)
  let xml: string | undefined
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: answer })
    xml = profile?.getAssertionXml?.()
  } catch (error) {
    const { SamlStatusError } = await protocol()
    if (error instanceof SamlStatusError)
      throw refused(/AuthnFailed|RequestDenied/.test(error.message) ? 'provider_denied' : 'provider_refused', error)
    throw refused('saml_signature', error)
  }
  if (!xml) throw refuse(403, 'provider_answer')
  return assertionIn(xml)
}
const refused = (code: string, cause: unknown) => Object.assign(refuse(403, code), { cause })

/** What an assertion says; only ever of one whose signature was found right. */
export function assertionIn(xml: string): Assertion {
  const root = readXml(xml).documentElement
  const children = (of: Element | undefined, name: string): Element[] =>
    of
      ? Array.from(of.childNodes).filter(
          (node): node is Element =>
            node.nodeType === 1 && (node as Element).namespaceURI === SAML_NS && (node as Element).localName === name,
        )
      : []
  // All text of an element: a comment in the middle does not end it.
  const text = (of: Element | undefined): string | null => of?.textContent?.trim() || null
  const at = (of: Element | undefined, name: string): number | null => {
    const value = of?.getAttribute(name)
    return value ? Date.parse(value) : null
  }
  const [subject] = children(root, 'Subject')
  const [nameId] = children(subject, 'NameID')
  const [conditions] = children(root, 'Conditions')
  const attributes: Record<string, string[]> = {}
  for (const attribute of children(root, 'AttributeStatement').flatMap((one) => children(one, 'Attribute'))) {
    const name = attribute.getAttribute('Name')
    if (!name || name === '__proto__') continue
    const values = children(attribute, 'AttributeValue').flatMap((value) => text(value) ?? [])
    attributes[name] = [...(attributes[name] ?? []), ...values]
  }
  return {
    id: root.getAttribute('ID') ?? '',
    issuer: text(children(root, 'Issuer')[0]) ?? '',
    nameId: text(nameId),
    nameIdFormat: nameId?.getAttribute('Format') || null,
    nameQualifier: nameId?.getAttribute('NameQualifier') || null,
    spNameQualifier: nameId?.getAttribute('SPNameQualifier') || null,
    sessionIndex: children(root, 'AuthnStatement')[0]?.getAttribute('SessionIndex') || null,
    notBefore: at(conditions, 'NotBefore'),
    notOnOrAfter: at(conditions, 'NotOnOrAfter'),
    audiences: children(conditions, 'AudienceRestriction').map((one) =>
      children(one, 'Audience').flatMap((audience) => text(audience) ?? []),
    ),
    confirmations: children(subject, 'SubjectConfirmation').map((one) => {
      const [data] = children(one, 'SubjectConfirmationData')
      return {
        method: one.getAttribute('Method') ?? '',
        recipient: data?.getAttribute('Recipient') || null,
        request: data?.getAttribute('InResponseTo') || null,
        notBefore: at(data, 'NotBefore'),
        notOnOrAfter: at(data, 'NotOnOrAfter'),
      }
    }),
    signedIn: children(root, 'AuthnStatement').length > 0,
    attributes,
  }
}
