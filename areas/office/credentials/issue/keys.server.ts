import { sql } from 'kysely'
import { secretOf } from '#kit/server/base/secrets.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { didDocument, didOf } from './credential.rules.ts'
import { signed, signingKey } from './sign.server.ts'
import type { SigningKey } from './sign.server.ts'
import type { JsonObject } from '../verify/values.rules.ts'

/** Keys whose public half is known to be kept, by database. */
const kept = new WeakMap<object, Promise<SigningKey>>()

/**
 * The key of the installation: `CREDENTIALS_KEY`, or one that is made once and kept in the database, which is good enough for trying it
 * out: a copy of the database can sign with it. Its public half is kept, so that what it signs stays verifiable after another took its place.
 */
export function issuerKey(ctx: Ctx): Promise<SigningKey> {
  const of = ctx.services
  const known = kept.get(of)
  if (known) return known
  const found = keyOf(ctx)
  kept.set(of, found)
  found.catch(() => kept.delete(of))
  return found
}
async function keyOf(ctx: Ctx): Promise<SigningKey> {
  const { credentialsKey } = ctx.services.config
  const secret = credentialsKey
    ? Buffer.from(credentialsKey, 'base64')
    : await secretOf(ctx.services, 'credentials_key')
  const key = signingKey(secret)
  // Not in the unit of whoever asks first: were it taken back, what was signed meanwhile would have no key.
  const { rows } = await ctx.services.pool.query('select from credential_keys where multibase = $1', [key.multibase])
  if (!rows.length)
    await asSystem(ctx.services, 'a new key of credentials').write((tx) =>
      sql`insert into credential_keys (multibase) values (${key.multibase}) on conflict do nothing`.execute(tx),
    )
  return key
}

/** The document of the university's DID: every key it ever signed by. */
export async function ownDidDocument(ctx: Ctx): Promise<JsonObject> {
  await issuerKey(ctx)
  const { rows } = await sql<{
    multibase: string
  }>`select multibase from credential_keys order by created_at desc, multibase`.execute(ctx.db)
  return didDocument(
    didOf(ctx.services.config.publicUrl),
    rows.map(({ multibase }) => multibase),
  )
}

/** Signs as the university. */
export async function signedByUniversity<D extends JsonObject>(ctx: Ctx, document: D, created: Date) {
  const key = await issuerKey(ctx)
  return signed(document, {
    key: key.key,
    method: `${didOf(ctx.services.config.publicUrl)}#${key.multibase}`,
    created,
  })
}
