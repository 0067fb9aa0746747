/** Which directory asks, and what it has power over. */
import type { FastifyRequest } from 'fastify'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { actorOf } from '#kit/server/identity/auth.ts'
import type { Actor, Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { asActor, asProgram } from '#kit/server/unit/request.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { refuseAbove } from '../sign-in/people.server.ts'
import type { UserRow } from '../sign-in/people.server.ts'

/** How a token begins: it is no session's, and is known for what it is where somebody loses it. */
export const SCIM_PREFIX = 'scim_'
/** Why an account is blocked that a directory has blocked. */
export const BLOCKED = 'directory'

export interface Directory {
  readonly id: number
  readonly name: string
  readonly kinds: readonly number[]
  readonly token_id: number
  /** Who made the token. */
  readonly made_by: number
}
const asking = new WeakMap<Ctx, Directory>()
/** The directory that asks. */
export const directoryOf = (ctx: Ctx): Directory => asking.get(ctx)!

/** Knows a directory by its token, and nothing else. @throws {Refusal} 401 `scim_token` */
export async function admit(ctx: Ctx, request: FastifyRequest): Promise<Ctx> {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const { rows } = token?.startsWith(SCIM_PREFIX)
    ? await ctx.pool.query<Directory & { hint: string }>(
        `with found as (
           select t.id as token_id, t.hint, t.created_by as made_by, t.last_used_at, d.id, d.name, d.kinds
           from scim_tokens t join scim_directories d on d.id = t.directory_id and d.ended_at is null
           where t.token_hash = $1 and t.revoked_at is null and t.expires_at > now()
         ), used as (
           update scim_tokens t set last_used_at = now() from found f
           where t.id = f.token_id and coalesce(f.last_used_at < now() - interval '1 minute', true)
         )
         select id, name, kinds, token_id, made_by, hint from found`,
        [hashToken(token)],
      )
    : { rows: [] }
  const [found] = rows
  if (!found) {
    // Whoever guesses is slowed; it is told once in some minutes.
    await attempt(ctx.pool, [addressLimit('scim', ctx.ip)])
    ctx.services.security.note(
      ctx,
      { kind: 'sign_in_failed', data: { by: 'directory', reason: 'scim_token' } },
      `${ctx.ip}`,
    )
    throw refuse(401, 'scim_token')
  }
  const known = asProgram(ctx, `directory ${found.name}, token …${found.hint}`)
  asking.set(known, found)
  return known
}

/** Who made the token, with what he or she holds now. @throws {Refusal} 403 `scim_maker` */
async function makerOf(ctx: Ctx): Promise<Actor> {
  const maker = await actorOf(ctx.services.pool, directoryOf(ctx).made_by)
  if (!maker) throw refuse(403, 'scim_maker')
  return maker
}
/** Acting as who made the token: for rules that judge by what somebody holds. */
export const asMaker = async (ctx: Ctx): Promise<Ctx> => asActor(ctx.services, await makerOf(ctx), ctx.request_id, 'en')

/**
 * Refuses to touch an account over which a directory has no power: of super admins, whoever made the token, and of people
 * with rights that its maker does not have.
 */
export async function refusePower(ctx: Ctx, row: UserRow): Promise<void> {
  if (row.is_super_admin || row.is_root) throw refuse(403, 'scim_super')
  await refuseAbove(ctx, await makerOf(ctx), row)
}

/** Versions that single operations of one request say they change. */
const versions = new WeakMap<Ctx, string | null>()
/** The next operation of a request with many is about this version; null: any. */
export const expectVersion = (ctx: Ctx, version: string | null): void => void versions.set(ctx, version)

/** What a directory has read may be older than what it changes. @throws {Refusal} 412 */
export function demandVersion(ctx: Ctx, { meta }: { meta: { version: string } }): void {
  const asked = versions.has(ctx) ? versions.get(ctx) : ctx.http?.request.headers['if-match']
  if (!asked || asked === '*') return
  const plain = (tag: string) => tag.trim().replace(/^W\//, '')
  if (!asked.split(',').some((tag) => plain(tag) === plain(meta.version))) throw refuse(412, 'changed_meanwhile')
}
