/** The protocol, by `openid-client`: authorization code with PKCE, state and nonce. */
import * as oidc from 'openid-client'
import type { Ctx } from '#kit/server/base/context.ts'
import type { Config } from '#kit/server/base/config.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { Refusal } from '#kit/server/base/errors.ts'
import type { Identity, Returned, Sent, SignInWay } from './way.server.ts'

type Settings = NonNullable<Config['oidc']>
/** Seconds that the provider may take for an answer. */
const PATIENCE = 10
/** Where the provider sends people back to. */
const returnAddress = (config: Pick<Config, 'publicUrl'>): string => `${config.publicUrl}/login`

const found = new Map<string, Promise<oidc.Configuration>>()
/** What the provider says of itself; asked once, and again when that failed. */
function providerOf({ issuer, clientId, clientSecret }: Settings): Promise<oidc.Configuration> {
  const key = `${issuer} ${clientId}`
  const known = found.get(key)
  if (known) return known
  const [basic, post] = [oidc.ClientSecretBasic(clientSecret), oidc.ClientSecretPost(clientSecret)]
  const asked = oidc.discovery(
    new URL(issuer),
    clientId,
    {},
    // In the header, as every provider must take it, unless it says that it does not.
    (server, ...rest) =>
      (server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') === false ? post : basic)(
        server,
        ...rest,
      ),
    {
      timeout: PATIENCE,
      // The line to the provider is not the only thing that says a token is its own: its signature is checked against its keys.
      execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
    },
  )
  found.set(key, asked)
  asked.catch(() => found.delete(key))
  return asked
}

/** Where somebody is sent, and what has to be known when he or she comes back. */
async function beginAt(ctx: Ctx, settings: Settings): Promise<Sent & { readonly url: string }> {
  const provider = await reached(ctx, () => providerOf(settings))
  const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
  const url = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: returnAddress(ctx.services.config),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { state, nonce, verifier, url: url.href }
}

/**
 * Exchanges what came back for who it is.
 *
 * @throws {Refusal} 403 with the reason in words: refused there, used, another nonce, a clock that is off
 */
async function finishAt(ctx: Ctx, settings: Settings, given: Returned, sent: Sent): Promise<Identity> {
  const provider = await reached(ctx, () => providerOf(settings))
  const address = new URL(returnAddress(ctx.services.config))
  // Where there is one provider only, it need not say which it is; when it does, it must be that one.
  for (const [name, value] of Object.entries({ iss: provider.serverMetadata().issuer, ...given }))
    if (value !== undefined) address.searchParams.set(name, value)
  return reached(ctx, async () => {
    const tokens = await oidc.authorizationCodeGrant(provider, address, {
      pkceCodeVerifier: sent.verifier ?? '',
      expectedState: sent.state,
      expectedNonce: sent.nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    const { email, email_verified } = (
      claims.email === undefined && provider.serverMetadata().userinfo_endpoint
        ? await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)
        : claims
    ) as { email?: string; email_verified?: boolean }
    return {
      issuer: claims.iss,
      subject: claims.sub,
      email: email ?? null,
      verified: email_verified === true || (settings.trustEmail && email !== undefined),
    }
  })
}

/** What the provider refused, or what is wrong with its answer, in words; the log has the rest. */
async function reached<T>(ctx: Ctx, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refusal = refusalOf(error)
    ctx.http?.request.log.warn({ err: error, code: refusal.reasons[0]?.code }, 'single sign-on')
    throw refusal
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof oidc.AuthorizationResponseError)
    return refuse(403, error.error === 'access_denied' ? 'provider_denied' : 'provider_refused')
  if (error instanceof oidc.ResponseBodyError)
    return refuse(403, error.error === 'invalid_grant' ? 'provider_code_used' : 'provider_refused')
  const { code } = (error ?? {}) as { code?: string }
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return refuse(403, 'provider_clock')
  if (error instanceof oidc.ClientError && code !== 'OAUTH_TIMEOUT') return refuse(403, 'provider_answer')
  return refuse(409, 'provider_away')
}

/** Single sign-on by OpenID Connect, as this installation is told. */
export const oidcWay = (settings: Settings): SignInWay => ({
  protocol: 'oidc',
  emailDomains: settings.emailDomains,
  entries: settings.entries,
  issuer: () =>
    providerOf(settings).then(
      (provider) => provider.serverMetadata().issuer,
      () => settings.issuer,
    ),
  begin: (ctx) => beginAt(ctx, settings),
  finish: (ctx, given, sent) => finishAt(ctx, settings, given, sent),
})
