/** The screen on which attributes are mapped. */
import { X509Certificate } from 'node:crypto'
import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { Mapping } from './mapping.rules.ts'
import { providerOf } from './metadata.server.ts'
import type { SamlProvider } from './metadata.server.ts'
import { samlCalls as calls } from './saml.contract.ts'
import { consumerAddress } from './saml.server.ts'
import { SAMPLE_MINUTES } from './way.server.ts'

/** Minutes for which attributes of who signs in are kept when somebody asks for it. */
const WATCH_MINUTES = 30
const MOST_SAMPLES = 10

const theProvider = async (ctx: Ctx): Promise<{ provider: SamlProvider | null; trouble: string | null }> => {
  const { saml } = ctx.services.config
  if (!saml) return { provider: null, trouble: null }
  try {
    return { provider: await providerOf(saml), trouble: null }
  } catch (error) {
    return { provider: null, trouble: error instanceof Error ? error.message : String(error) }
  }
}
/** The provider that is set up. @throws {Refusal} 409 */
async function demandProvider(ctx: Ctx): Promise<SamlProvider> {
  const { provider, trouble } = await theProvider(ctx)
  if (provider) return provider
  throw refuse(409, trouble === null ? 'provider_missing' : 'provider_away')
}

async function shown(ctx: Ctx) {
  const { config } = ctx.services
  const { saml } = config
  const { provider, trouble } = await theProvider(ctx)
  const { rows: mappings } = await sql<Mapping & { version: number; watched_until: string | null }>`
    select identity, email, code, version, case when watched_until > now() then watched_until end as watched_until
    from saml_mappings where issuer = ${provider?.entityId ?? ''}`.execute(ctx.db)
  const { rows: samples } = await sql<{
    at: string
    nameId: string | null
    nameIdFormat: string | null
    attributes: Record<string, string[]>
  }>`select at, name_id as "nameId", name_id_format as "nameIdFormat", attributes from saml_samples
    where issuer = ${provider?.entityId ?? ''} and at > now() - make_interval(mins => ${SAMPLE_MINUTES})
    order by id desc limit ${MOST_SAMPLES}`.execute(ctx.db)
  const { watched_until = null, ...mapping } = mappings[0] ?? { identity: null, email: null, code: null, version: 0 }
  return {
    data: {
      own: saml && {
        entity_id: saml.entityId,
        metadata: `${config.publicUrl}/api/saml/metadata`,
        consumer: consumerAddress(config),
      },
      provider: provider && {
        entity_id: provider.entityId,
        url: provider.url,
        certificates: provider.certificates.map((pem) => {
          const { fingerprint256, validTo } = new X509Certificate(pem)
          return { fingerprint: fingerprint256, until: new Date(validTo).toISOString() }
        }),
      },
      trouble,
      trusts: {
        email: saml?.trustEmail ?? false,
        code: saml?.trustCode ?? false,
        domains: [...(saml?.emailDomains ?? [])],
        unasked: saml?.unasked ?? false,
      },
      mapping,
      watched_until,
      samples,
    },
  }
}

const map = handle(calls.mapSaml, async (ctx, { body: { version, identity, email, code } }) => {
  const { entityId } = await demandProvider(ctx)
  await ctx.write(async (tx) => {
    const { numAffectedRows } = await sql`
      insert into saml_mappings as m (issuer, identity, email, code)
      select ${entityId}, ${identity}::text, ${email}::text, ${code}::text
      where ${version} = 0 or exists (select from saml_mappings where issuer = ${entityId})
      on conflict (issuer) do update set identity = excluded.identity, email = excluded.email, code = excluded.code
      where m.version = ${version}`.execute(tx)
    if (numAffectedRows !== 1n) throw refuse(409, 'changed_meanwhile')
  })
  return shown(ctx)
})

const watch = handle(calls.watchSaml, async (ctx) => {
  const { entityId } = await demandProvider(ctx)
  await ctx.write(async (tx) => {
    await sql`
      insert into saml_mappings (issuer, watched_until) values (${entityId}, now() + make_interval(mins => ${WATCH_MINUTES}))
      on conflict (issuer) do update set watched_until = excluded.watched_until`.execute(tx)
  })
  return shown(ctx)
})

export const samlHandlers: readonly Handled[] = [handle(calls.samlSetup, shown), map, watch]
