/** Signing out at the provider of SAML and here is one act. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Queryable } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { Identity, ProviderLogin } from '../provider/way.server.ts'
import { providerOf } from './metadata.server.ts'
import { library } from './saml.server.ts'

/** Keeps as whom the provider knows what begins now; null where it said nothing of it. */
export async function keepLogin(pool: Queryable, { issuer, login }: Identity): Promise<number | null> {
  if (!login) return null
  const { rows } = await pool.query<{ id: number }>(
    `insert into provider_logins (issuer, name_id, name_id_format, name_qualifier, sp_name_qualifier, session_index)
     values ($1, $2, $3, $4, $5, $6) returning id`,
    [issuer, login.nameId, login.nameIdFormat, login.nameQualifier, login.spNameQualifier, login.sessionIndex],
  )
  return firstRow(rows).id
}

/**
 * Ends every session that began by this identity, in every browser and process, and what is half begun; how many sessions.
 * Those of who came in another way stay.
 */
export function endLogins(ctx: Ctx, issuer: string, nameId: string): Promise<number> {
  return ctx.write(async (tx) => {
    // Held first: a session that begins at this moment is seen, or does not come to be.
    const { rows: logins } = await sql<{ id: number }>`select id from provider_logins
        where issuer = ${issuer} and name_id = ${nameId} for update`.execute(tx)
    const ids = logins.map(({ id }) => id)
    await sql`delete from provider_answers where identity ->> 'issuer' = ${issuer}
        and identity -> 'login' ->> 'nameId' = ${nameId}`.execute(tx)
    const { rows } = await sql<{ user_id: number }>`delete from sessions
        where provider_login_id = any(${ids}::int[]) returning user_id`.execute(tx)
    await sql`delete from provider_logins where id = any(${ids}::int[])`.execute(tx)
    for (const user_id of new Set(rows.map((row) => row.user_id)))
      await ctx.services.security.write(
        ctx,
        { kind: 'sign_out', actor_id: user_id, subject_id: user_id, data: { by: 'provider' } },
        tx,
      )
    return rows.length
  })
}

/** Where a browser is sent, when a session ends here, to end it at the provider as well; null: it ends here only. */
export async function farewell(ctx: Ctx, sessionId: string): Promise<string | null> {
  const { config } = ctx.services
  const { saml } = config
  if (!saml?.own) return null
  const { rows } = await ctx.pool.query<ProviderLogin & { issuer: string }>(
    `select l.issuer, l.name_id as "nameId", l.name_id_format as "nameIdFormat", l.name_qualifier as "nameQualifier",
       l.sp_name_qualifier as "spNameQualifier", l.session_index as "sessionIndex"
     from sessions s join provider_logins l on l.id = s.provider_login_id where s.id = $1`,
    [sessionId],
  )
  const [login] = rows
  if (!login) return null
  try {
    const provider = await providerOf(saml)
    if (!provider.logout || provider.entityId !== login.issuer) return null
    const requestId = `_${randomBytes(20).toString('hex')}`
    const saying = await library(config, saml, provider, { requestId, logoutUrl: provider.logout.url })
    return await saying.getLogoutUrlAsync(
      {
        issuer: login.issuer,
        nameID: login.nameId,
        nameIDFormat: login.nameIdFormat ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
        ...(login.nameQualifier !== null && { nameQualifier: login.nameQualifier }),
        ...(login.spNameQualifier !== null && { spNameQualifier: login.spNameQualifier }),
        ...(login.sessionIndex !== null && { sessionIndex: login.sessionIndex }),
      },
      '',
      {},
    )
  } catch (error) {
    // Whoever goes is let go: here the session ends whatever the provider does.
    ctx.http?.request.log.error({ err: error }, 'the provider of SAML cannot be told of a sign-out')
    return null
  }
}
