/** What the provider of SAML says of ended sessions: requests to end those of somebody here, and answers to ours. */
import { randomBytes, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import type { Config } from '#kit/server/base/config.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { ProtocolRoute } from '#kit/server/http/protocols.ts'
import { countsUntil, logoutReasons } from './logout.rules.ts'
import type { LogoutAsked } from './logout.rules.ts'
import { endLogins } from './logout.server.ts'
import { readXml } from './metadata.server.ts'
import type { SamlProvider } from './metadata.server.ts'
import { isBroken, library, logoutAddress } from './saml.server.ts'
import { reachedProvider, samlSettingsOf, takeOnce } from './settings.server.ts'

type Settings = NonNullable<Config['saml']>
/** Bytes of a request as XML. */
const MOST_BYTES = 64_000
const SAML_NS = 'urn:oasis:names:tc:SAML:2.0:assertion'
/** By which a signature in the address is made; what is not here is not taken. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'RSA-SHA256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha384': 'RSA-SHA384',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'RSA-SHA512',
}
const wrong = (code: string, cause?: unknown) => Object.assign(refuse(403, code), { cause })

/** The parts of an address as they were sent and signed, each once. @throws {Refusal} */
function sent(address: string): Map<string, string> {
  const parts = new Map<string, string>()
  for (const part of address.slice(address.indexOf('?') + 1).split('&')) {
    const [name, value] = [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]
    if (parts.has(name)) throw wrong('provider_answer')
    parts.set(name, value)
  }
  return parts
}
const decoded = (value: string): string => decodeURIComponent(value.replaceAll('+', ' '))

/** The signed request of an address. @throws {Refusal} 403 where it is not signed by the provider */
async function inAddress(provider: SamlProvider, address: string): Promise<{ xml: string; relay: string }> {
  const parts = sent(address)
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg']
    .flatMap((name) => (parts.has(name) ? [`${name}=${parts.get(name)}`] : []))
    .join('&')
  try {
    const algorithm = ALGORITHMS[decoded(parts.get('SigAlg') ?? '')]
    const signature = Buffer.from(decoded(parts.get('Signature') ?? ''), 'base64')
    if (!algorithm || !provider.certificates.some((key) => verify(algorithm, Buffer.from(signed), key, signature)))
      throw new Error('the signature is missing or not right')
    const deflated = Buffer.from(decoded(parts.get('SAMLRequest')!), 'base64')
    const xml = await promisify(inflateRaw)(deflated, { maxOutputLength: MOST_BYTES })
    return { xml: xml.toString('utf8'), relay: decoded(parts.get('RelayState') ?? '') }
  } catch (error) {
    throw wrong('saml_signature', error)
  }
}

/** The signed request of a form. @throws {Refusal} 403 */
async function inForm(ctx: Ctx, settings: Settings, provider: SamlProvider, request: string): Promise<string> {
  const xml = Buffer.from(request, 'base64').toString('utf8')
  if (xml.length > MOST_BYTES) throw wrong('saml_signature')
  try {
    if (isBroken(readXml(xml))) throw new Error('signed with what is broken')
    await (await library(ctx.services.config, settings, provider)).validatePostRequestAsync({ SAMLRequest: request })
  } catch (error) {
    throw wrong('saml_signature', error)
  }
  return xml
}

/** What a request says; only ever of one whose signature was found right. */
async function read(ctx: Ctx, settings: Settings, provider: SamlProvider, xml: string): Promise<LogoutAsked> {
  try {
    const root = readXml(xml).documentElement
    if (root.localName !== 'LogoutRequest') throw new Error(root.localName)
    const deflated = Buffer.from(xml).toString('base64')
    const { profile } = await (
      await library(ctx.services.config, settings, provider)
    ).validatePostRequestAsync({ SAMLRequest: deflated }, { _validateSignature: () => true })
    const until = root.getAttribute('NotOnOrAfter')
    return {
      id: root.getAttribute('ID') ?? '',
      issuer: root.getElementsByTagNameNS(SAML_NS, 'Issuer')[0]?.textContent?.trim() ?? '',
      destination: root.getAttribute('Destination') || null,
      issuedAt: Date.parse(root.getAttribute('IssueInstant') ?? ''),
      notOnOrAfter: until ? Date.parse(until) : null,
      // Opened where it came encrypted.
      nameId: profile.nameID,
    }
  } catch (error) {
    throw wrong('provider_answer', error)
  }
}

/** Ends the sessions of whom the provider names, and sends the browser back to it with the signed answer. */
async function end(ctx: Ctx, form: Readonly<Record<string, string | undefined>> | null): Promise<string> {
  const settings = demandOwn(ctx)
  const { config } = ctx.services
  // Our own request is answered: the session here has ended long since, whatever the answer says.
  const address = ctx.http?.request.raw.url ?? ''
  if (form ? !form.SAMLRequest : !/[?&]SAMLRequest=/.test(address)) return `${config.publicUrl}/login`
  const succeeded = await attempt(ctx.pool, [addressLimit('provider', ctx.ip)])
  try {
    const provider = await reachedProvider(ctx, settings)
    const { xml, relay } = form
      ? { xml: await inForm(ctx, settings, provider, form.SAMLRequest!), relay: form.RelayState ?? '' }
      : await inAddress(provider, address)
    const asked = await read(ctx, settings, provider, xml)
    const reasons = logoutReasons(asked, {
      issuer: provider.entityId,
      here: logoutAddress(config),
      now: Date.now(),
    })
    if (reasons.length) throw new Refusal(403, reasons)
    await takeOnce(ctx, asked, countsUntil(asked))
    const ended = await endLogins(ctx, asked.issuer, asked.nameId)
    await succeeded()
    ctx.http?.request.log.info({ ended }, 'signed out at the provider of SAML')
    if (!provider.logout) return `${config.publicUrl}/login`
    const requestId = `_${randomBytes(20).toString('hex')}`
    const saying = await library(config, settings, provider, { requestId, logoutUrl: provider.logout.answers })
    const { id: ID, issuer, nameId: nameID } = asked
    return await saying.getLogoutResponseUrlAsync({ ID, issuer, nameID, nameIDFormat: '' }, relay, {}, true)
  } catch (error) {
    if (error instanceof Refusal && error.status === 403)
      ctx.http?.request.log.warn({ err: error.cause ?? error, reasons: error.reasons }, 'sign-out by SAML')
    throw error
  }
}

/** What we say of ended sessions is signed: without a key of our own nothing is said and nothing taken. @throws {Refusal} 404 */
function demandOwn(ctx: Ctx): Settings {
  const settings = samlSettingsOf(ctx)
  if (!settings.own) throw refuse(404, 'not_found')
  return settings
}

const answered = (location: string) => ({ status: 303, headers: { location } })
export const logoutRoutes: readonly ProtocolRoute[] = [
  {
    method: 'GET',
    path: '/slo',
    inMaintenance: true,
    handler: async (ctx) => answered(await end(ctx, null)),
  },
  {
    method: 'POST',
    path: '/slo',
    // Signing out is possible while nothing may be changed.
    reads: true,
    inMaintenance: true,
    handler: async (ctx, { body }) => answered(await end(ctx, (body ?? {}) as Record<string, string>)),
  },
]
