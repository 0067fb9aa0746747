/** Single sign-on by SAML 2.0: sent away by redirect, brought back by a page of the provider that posts its answer here. */
import type { Queryable } from '#db/connect.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import type { Config } from '#kit/server/base/config.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, errorBody, refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import type { Protocol } from '#kit/server/http/protocols.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import type { Identity, SignInWay } from '../provider/way.server.ts'
import { assertionReasons, usableUntil } from './assertion.rules.ts'
import { mapped } from './mapping.rules.ts'
import type { Mapping } from './mapping.rules.ts'
import { providerOf } from './metadata.server.ts'
import { logoutRoutes } from './logout-routes.server.ts'
import { reachedProvider, samlSettingsOf, takeOnce } from './settings.server.ts'
import { consumerAddress, ownMetadata, requestAt, signedIn } from './saml.server.ts'

type Settings = NonNullable<Config['saml']>
/** Minutes between the answer of the provider and the browser that comes for it. */
const FETCH_MINUTES = 5
/** Bytes of an answer: an assertion with all attributes and two signatures is a tenth of it. */
const MOST_BYTES = 256_000
/** The state of who was not sent away. */
export const UNASKED = 'unasked'
/** Minutes for which what came of a person is kept for who sets it up. */
export const SAMPLE_MINUTES = 60

export const samlWay = (settings: Settings): SignInWay => ({
  protocol: 'saml',
  emailDomains: settings.emailDomains,
  entries: settings.entries,
  issuer: () =>
    providerOf(settings).then(
      ({ entityId }) => entityId,
      () => settings.provider.entityId ?? '',
    ),
  async begin(ctx) {
    const provider = await reachedProvider(ctx, settings)
    const state = newToken().token
    const { id, url } = await requestAt(ctx.services.config, settings, provider, state)
    return { state, nonce: id, verifier: null, url }
  },
  /** `code`: by which the browser comes for what the provider's page brought. */
  async finish(ctx, { code }, { state }) {
    const { rows } = await ctx.pool.query<{ identity: Identity | null; refused: readonly Reason[] | null }>(
      `delete from provider_answers where answer_hash = $1 and state_hash is not distinct from $2 and expires_at > now()
       returning identity, refused`,
      [hashToken(code ?? ''), state === UNASKED ? null : hashToken(state)],
    )
    if (!rows[0]) throw refuse(403, 'provider_state')
    const { identity, refused } = rows[0]
    // It stands in the log since the answer came.
    if (!identity) throw Object.assign(new Refusal(403, refused ?? []), { logged: true })
    return identity
  },
})

// --- What the provider's page brings --------------------------------------------------------------------------------

/** The request that is answered, by what the provider's page hands back of it. */
async function requestOf(pool: Queryable, state: string | undefined): Promise<string | undefined> {
  if (!state) return undefined
  const { rows } = await pool.query<{ nonce: string }>(
    `select nonce from provider_sign_ins where state_hash = $1 and protocol = 'saml' and expires_at > now()`,
    [hashToken(state)],
  )
  return rows[0]?.nonce
}

/** Which attribute tells what. */
export async function mappingOf(pool: Queryable, issuer: string): Promise<Mapping & { watched: boolean }> {
  const { rows } = await pool.query<Mapping & { watched: boolean }>(
    `select identity, email, code, watched_until > now() is true as watched from saml_mappings where issuer = $1`,
    [issuer],
  )
  return rows[0] ?? { identity: null, email: null, code: null, watched: false }
}

/** Who it is. @throws {Refusal} 403 with everything that is wrong */
async function identityIn(
  ctx: Ctx,
  settings: Settings,
  answer: string,
  request: string | undefined,
): Promise<Identity> {
  const { config } = ctx.services
  if (request === undefined && !settings.unasked) throw refuse(403, 'provider_state')
  const provider = await reachedProvider(ctx, settings)
  const said = await signedIn(config, settings, provider, answer)
  const expected = { issuer: provider.entityId, audience: settings.entityId, consumer: consumerAddress(config) }
  const reasons = assertionReasons(said, { ...expected, request: request ?? null, now: Date.now() })
  if (reasons.length) throw new Refusal(403, reasons)
  await takeOnce(ctx, said, usableUntil(said))
  const by = await mappingOf(ctx.pool, said.issuer)
  if (by.watched)
    await ctx.pool.query(
      'insert into saml_samples (issuer, name_id, name_id_format, attributes) values ($1, $2, $3, $4)',
      [said.issuer, said.nameId, said.nameIdFormat, JSON.stringify(said.attributes)],
    )
  const { subject, email, code, reasons: unnamed } = mapped(said, by)
  if (subject === null) throw new Refusal(403, unnamed)
  const { trustEmail, trustCode } = settings
  const { nameId, nameIdFormat, nameQualifier, spNameQualifier, sessionIndex } = said
  return {
    issuer: said.issuer,
    subject,
    email,
    verified: trustEmail,
    code: trustCode ? code : null,
    ...(nameId !== null && { login: { nameId, nameIdFormat, nameQualifier, spNameQualifier, sessionIndex } }),
  }
}

/** Keeps what came until the browser comes for it, and tells it where. */
async function keep(
  ctx: Ctx,
  state: string | null,
  { identity = null, refused = null }: { identity?: Identity | null; refused?: readonly Reason[] | null },
): Promise<string> {
  const { token, hash } = newToken()
  await ctx.pool.query(
    `insert into provider_answers (answer_hash, state_hash, identity, refused, expires_at)
     values ($1, $2, $3, $4, now() + make_interval(mins => $5))`,
    [
      hash,
      state === null ? null : hashToken(state),
      identity && JSON.stringify(identity),
      refused && JSON.stringify(refused),
      FETCH_MINUTES,
    ],
  )
  const query = new URLSearchParams({ state: state ?? UNASKED, code: token })
  return `${ctx.services.config.publicUrl}/login?${query.toString()}`
}

/**
 * An answer of the provider. It comes from a page of another site, without cookies: what is right is kept, and the browser
 * goes for it with the cookie by which it was sent away. What is refused is told there, in words.
 */
async function consume(ctx: Ctx, body: unknown): Promise<string> {
  const settings = samlSettingsOf(ctx)
  const form = (body ?? {}) as { SAMLResponse?: string; RelayState?: string }
  const succeeded = await attempt(ctx.pool, [addressLimit('provider', ctx.ip)])
  const request = await requestOf(ctx.pool, form.RelayState)
  const state = request === undefined ? null : form.RelayState!
  try {
    const identity = await identityIn(ctx, settings, form.SAMLResponse ?? '', request)
    await succeeded()
    return await keep(ctx, state, { identity })
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 403) throw error
    const codes = error.reasons.map(({ code }) => code)
    ctx.http?.request.log.warn({ err: error.cause ?? error, codes }, 'single sign-on')
    await ctx.services.security.write(ctx, {
      kind: 'sign_in_failed',
      data: { by: 'provider', protocol: 'saml', reason: codes[0], codes },
    })
    // Nobody's request: the page is told that nothing began here.
    return await keep(ctx, state ?? newToken().token, { refused: error.reasons })
  }
}

/** Where the provider finds what we say of ourselves, and brings its answers. */
export const samlProtocol: Protocol = {
  name: 'saml',
  prefix: '/saml',
  types: ['application/x-www-form-urlencoded'],
  reads: 'form',
  maxBody: MOST_BYTES,
  routes: [
    {
      method: 'GET',
      path: '/metadata',
      inMaintenance: true,
      handler: async (ctx) => ({
        status: 200,
        type: 'application/samlmetadata+xml',
        body: await ownMetadata(ctx.services.config, samlSettingsOf(ctx)),
      }),
    },
    {
      method: 'POST',
      path: '/acs',
      // Signing in is possible while nothing may be changed.
      reads: true,
      inMaintenance: true,
      // 303: the browser asks anew, and sends nothing along.
      handler: async (ctx, { body }) => ({ status: 303, headers: { location: await consume(ctx, body) } }),
    },
    ...logoutRoutes,
  ],
  // What is wrong before anything is known of it leads to the page that says so.
  refused: (refusal) => {
    const { en, ar } = errorBody(refusal).error
    return { status: refusal.status, type: 'text/plain', body: `${en}\n${ar}\n` }
  },
}
