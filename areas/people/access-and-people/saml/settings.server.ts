/** What everything of SAML here begins with: its settings, its provider, and that nothing of it is taken twice. */
import type { Config } from '#kit/server/base/config.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { providerOf } from './metadata.server.ts'
import type { SamlProvider } from './metadata.server.ts'

type Settings = NonNullable<Config['saml']>

/** @throws {Refusal} 404 where there is none */
export function samlSettingsOf(ctx: Ctx): Settings {
  const { saml } = ctx.services.config
  if (!saml) throw refuse(404, 'not_found')
  return saml
}

/** @throws {Refusal} 409 `provider_away` */
export async function reachedProvider(ctx: Ctx, settings: Settings): Promise<SamlProvider> {
  try {
    return await providerOf(settings)
  } catch (error) {
    ctx.http?.request.log.error({ err: error }, 'The metadata of the provider of SAML cannot be used')
    throw Object.assign(refuse(409, 'provider_away'), { cause: error })
  }
}

/** @throws {Refusal} 403 `saml_replayed` */
export async function takeOnce(
  ctx: Ctx,
  said: { readonly issuer: string; readonly id: string },
  until: number,
): Promise<void> {
  const { rowCount } = await ctx.pool.query(
    'insert into saml_assertions (assertion_hash, expires_at) values ($1, $2) on conflict do nothing',
    [hashToken(`${said.issuer}\n${said.id}`), new Date(Math.max(until, Date.now() + 3_600_000))],
  )
  if (rowCount !== 1) throw refuse(403, 'saml_replayed')
}
