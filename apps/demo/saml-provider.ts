/** A provider of SAML 2.0 on this machine, by `samlify`, for development and tests. Who signs in there is whoever is typed. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { IdentityProvider, ServiceProvider, setSchemaValidator } from 'samlify'
import { selfSigned } from './certificate.ts'

// It is asked by nobody but ourselves.
setSchemaValidator({ validate: () => Promise.resolve('unchecked') })

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3'
const PRINCIPAL = 'urn:oid:1.3.6.1.4.1.5923.1.1.1.6'
const CODE = 'urn:oid:1.3.6.1.4.1.25178.1.2.14'
const NAME = 'urn:oid:2.16.840.1.113730.3.1.241'

/** What an answer says; tests change it before it is signed. */
export interface Told {
  issuer: string
  audience: string
  recipient: string
  destination: string
  request: string
  assertionId: string
  notBefore: Date
  notOnOrAfter: Date
  nameIdFormat: string
  /** XML, so that a comment can stand in it. */
  nameId: string
  attributes: Record<string, string>
}

/** What a request to end a session says; tests change it before it is signed. */
export interface Leaving {
  id: string
  issuer: string
  destination: string
  issuedAt: Date
  notOnOrAfter: Date
  nameId: string
}

export interface DemoSamlProvider {
  readonly entityId: string
  /** What it says of itself, as the application is told. */
  readonly metadata: string
  /** Changes what is told of who signs in, until it is changed again. */
  change: (told: Told) => void
  /** How it signs; not right: with a key that its metadata does not tell, with SHA-1, or the answer and not what it says. */
  signs: 'right' | 'strange' | 'weak' | 'around'
  /** What it signed is sent encrypted, for the application's key. */
  seals: boolean
  /** Names of whose sessions the application has ended there. */
  readonly ended: string[]
  /**
   * Ends somebody's session there: what the browser is sent to the application with, an address or, `posted`, a form. It is
   * signed as `signs` says.
   */
  leave(login: string, options?: { posted?: boolean; change?: (leaving: Leaving) => void }): Leave
  close(): Promise<void>
}

/** What of an address is signed, beside all of it. */
function signedPart(url: URL) {
  const sent = url.search.slice(1).split('&')
  const octetString = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg']
    .flatMap((name) => sent.find((part) => part.startsWith(`${name}=`)) ?? [])
    .join('&')
  return { query: Object.fromEntries(url.searchParams), octetString }
}

/** `url` is where a form is posted to, or all there is. */
export interface Leave {
  readonly url: string
  readonly form: Record<string, string> | null
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function responseOf(t: Told): string {
  const now = new Date().toISOString()
  const [from, until] = [t.notBefore.toISOString(), t.notOnOrAfter.toISOString()]
  const attributes = Object.entries(t.attributes)
    .map(
      ([name, value]) =>
        `<saml:Attribute Name="${escaped(name)}" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri"><saml:AttributeValue>${escaped(value)}</saml:AttributeValue></saml:Attribute>`,
    )
    .join('')
  const request = t.request ? ` InResponseTo="${t.request}"` : ''
  return (
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}" Destination="${t.destination}"${request}><saml:Issuer>${t.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>` +
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${t.assertionId}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${t.issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${t.nameIdFormat}">${t.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData NotOnOrAfter="${until}" Recipient="${t.recipient}"${request}/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${from}" NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${t.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${now}" SessionIndex="_${randomUUID()}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `<saml:AttributeStatement>${attributes}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
  )
}

const leavingOf = (l: Leaving): string =>
  `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${l.id}" Version="2.0" IssueInstant="${l.issuedAt.toISOString()}" NotOnOrAfter="${l.notOnOrAfter.toISOString()}" Destination="${l.destination}"><saml:Issuer>${l.issuer}</saml:Issuer><saml:NameID Format="${PERSISTENT}">${escaped(l.nameId)}</saml:NameID></samlp:LogoutRequest>`

/**
 * Opens it for one application, whose metadata it is given. A name with `@` is an address; with only digits and letters the
 * code of a student.
 */
export async function openSamlProvider(applicationMetadata: string, { port = 0 } = {}): Promise<DemoSamlProvider> {
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [own, other] = [selfSigned('provider'), selfSigned('somebody else')]
  const idp = (
    { key, certificate }: typeof own,
    algorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    sealed = false,
  ) =>
    IdentityProvider({
      entityID: `${address}/metadata`,
      privateKey: key,
      signingCert: certificate,
      nameIDFormat: [PERSISTENT],
      requestSignatureAlgorithm: algorithm,
      singleSignOnService: [
        { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${address}/sso` },
      ],
      singleLogoutService: [
        { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${address}/slo` },
      ],
      wantLogoutRequestSigned: true,
      loginResponseTemplate: { context: '{}', attributes: [] },
      isAssertionEncrypted: sealed,
    })
  const ours = idp(own)
  const WEAK = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
  const signers = (sealed: boolean) => ({
    right: idp(own, undefined, sealed),
    around: idp(own, undefined, sealed),
    strange: idp(other, undefined, sealed),
    weak: idp(own, WEAK, sealed),
  })
  const [open, closed] = [signers(false), signers(true)]
  const application = ServiceProvider({
    metadata: applicationMetadata,
    wantLogoutRequestSigned: true,
    wantLogoutResponseSigned: true,
  })
  const careless = ServiceProvider({ metadata: applicationMetadata.replace('WantAssertionsSigned="true"', '') })
  const consumer = application.entityMeta.getAssertionConsumerService('post') as string
  const provider: DemoSamlProvider = {
    entityId: `${address}/metadata`,
    metadata: ours.getMetadata(),
    change: () => {},
    signs: 'right',
    seals: false,
    ended: [],
    leave(login, { posted = false, change = () => {} } = {}) {
      const now = Date.now()
      const leaving: Leaving = {
        id: `_${randomUUID()}`,
        issuer: provider.entityId,
        destination: application.entityMeta.getSingleLogoutService(posted ? 'post' : 'redirect') as string,
        issuedAt: new Date(now),
        notOnOrAfter: new Date(now + 300_000),
        nameId: login,
      }
      change(leaving)
      const context = leavingOf(leaving)
      const said = open[provider.signs].createLogoutRequest(
        application,
        posted ? 'post' : 'redirect',
        { logoutNameID: login },
        { relayState: 'theirs', customTagReplacement: () => ({ id: leaving.id, context }) },
      )
      return posted
        ? { url: leaving.destination, form: { SAMLRequest: said.context, RelayState: 'theirs' } }
        : { url: said.context, form: null }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', address)
    const page = (body: string) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(`<!doctype html><meta name="viewport" content="width=device-width">${body}`)
    }
    try {
      if (url.pathname === '/metadata') {
        response.writeHead(200, { 'content-type': 'application/samlmetadata+xml' })
        response.end(provider.metadata)
        return
      }
      if (url.pathname === '/slo') {
        if (url.searchParams.has('SAMLResponse')) {
          await ours.parseLogoutResponse(application, 'redirect', signedPart(url))
          return page('Signed out')
        }
        const leaving = await ours.parseLogoutRequest(application, 'redirect', signedPart(url))
        provider.ended.push(leaving.extract.nameID as string)
        const answer = ours.createLogoutResponse(application, leaving as never, 'redirect', {})
        response.writeHead(302, { location: answer.context })
        response.end()
        return
      }
      const asked = await ours.parseLoginRequest(application, 'redirect', {
        query: Object.fromEntries(url.searchParams),
      })
      if (request.method !== 'POST')
        return page(
          `<form method="post"><p><label>Who? <input name="login" autofocus></label> <button>Sign in</button></form>`,
        )
      let sent = ''
      for await (const part of request) sent += String(part)
      const login = new URLSearchParams(sent).get('login') ?? ''
      const now = Date.now()
      const told: Told = {
        issuer: provider.entityId,
        audience: application.entityMeta.getEntityID(),
        recipient: consumer,
        destination: consumer,
        request: asked.extract.request!.id as string,
        assertionId: `_${randomUUID()}`,
        notBefore: new Date(now),
        notOnOrAfter: new Date(now + 300_000),
        nameIdFormat: PERSISTENT,
        nameId: escaped(login),
        attributes: {
          [NAME]: login,
          ...(login.includes('@')
            ? { [MAIL]: login, [PRINCIPAL]: login }
            : { [CODE]: `urn:schac:personalUniqueCode:int:esi:university.example:${login}` }),
        },
      }
      provider.change(told)
      const { context } = await (provider.seals ? closed : open)[provider.signs].createLoginResponse(
        provider.signs === 'around' ? careless : application,
        asked as never,
        'post',
        {},
        { customTagReplacement: () => ({ id: told.assertionId, context: responseOf(told) }) },
      )
      page(
        `<form method="post" action="${escaped(consumer)}"><input type="hidden" name="SAMLResponse" value="${escaped(context)}"><input type="hidden" name="RelayState" value="${escaped(url.searchParams.get('RelayState') ?? '')}"><button>Continue</button></form><script>document.forms[0].submit()</script>`,
      )
    } catch (error) {
      response.writeHead(400, { 'content-type': 'text/plain; charset=utf-8' })
      response.end(String(error))
    }
  }
  return provider
}
