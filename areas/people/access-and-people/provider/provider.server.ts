import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { hashToken } from '#kit/server/identity/sessions.ts'
import { ownAccount } from '../sign-in/account.server.ts'
import { bindBrowser, browserIn } from '../sign-in/browser.server.ts'
import { byEmail, byId } from '../sign-in/people.server.ts'
import type { UserRow } from '../sign-in/people.server.ts'
import { enter, mayEnter } from '../sign-in/sign-in.server.ts'
import { UNASKED, samlWay } from '../saml/way.server.ts'
import { vouchedCode, vouchedEmail } from './identity.rules.ts'
import { oidcWay } from './oidc.server.ts'
import { providerCalls as calls } from './provider.contract.ts'
import { keepLogin } from '../saml/logout.server.ts'
import type { Identity, SignInWay } from './way.server.ts'

/** Minutes that somebody may stay at the provider. */
const AWAY_MINUTES = 15

/** The ways of single sign-on of this installation. */
const waysOf = ({ services: { config } }: Ctx): SignInWay[] => [
  ...(config.oidc ? [oidcWay(config.oidc)] : []),
  ...(config.saml ? [samlWay(config.saml)] : []),
]
/** One of them; unless told the first. @throws {Refusal} 409 `provider_missing` */
function wayOf(ctx: Ctx, protocol?: SignInWay['protocol']): SignInWay {
  const way = waysOf(ctx).find((one) => protocol === undefined || one.protocol === protocol)
  if (!way) throw refuse(409, 'provider_missing')
  return way
}

/** Sends a browser to the provider; `userId`: to link what it comes back with. */
async function sendAway(ctx: Ctx, way: SignInWay, userId: number | null): Promise<{ data: { url: string } }> {
  const sent = await way.begin(ctx)
  await bindBrowser(ctx, 'provider', async (browser) => {
    const { rows } = await ctx.pool.query<{ expires_at: string }>(
      `insert into provider_sign_ins (state_hash, browser_hash, protocol, nonce, verifier, user_id, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7)) returning expires_at`,
      [hashToken(sent.state), browser, way.protocol, sent.nonce, sent.verifier, userId, AWAY_MINUTES],
    )
    return new Date(firstRow(rows).expires_at)
  })
  return { data: { url: sent.url } }
}

const providerAddress = handle(calls.providerAddress, async (ctx, { query }) => {
  const way = wayOf(ctx, query.by)
  // Each one leaves a row for some minutes.
  const succeeded = await attempt(ctx.pool, [addressLimit('provider', ctx.ip)])
  const answer = await sendAway(ctx, way, null)
  await succeeded()
  return answer
})

interface Away {
  readonly protocol: SignInWay['protocol']
  readonly nonce: string
  readonly verifier: string | null
  readonly user_id: number | null
}
/** What was kept of who comes back: once, and for the browser that was sent. @throws {Refusal} 403 `provider_state` */
async function comingBack(ctx: Ctx, state: string): Promise<Away> {
  const { rows } = await ctx.pool.query<Away & { mine: boolean }>(
    `delete from provider_sign_ins where state_hash = $1 and expires_at > now()
     returning protocol, nonce, verifier, user_id, browser_hash = $2 is true as mine`,
    [hashToken(state), browserIn(ctx, 'provider')],
  )
  const found = rows[0]
  if (!found?.mine || (found.user_id !== null && found.user_id !== ctx.actor?.user_id))
    throw refuse(403, 'provider_state')
  return found
}

const providerReturn = handle(calls.providerReturn, async (ctx, { body }) => {
  wayOf(ctx)
  const succeeded = await attempt(ctx.pool, [addressLimit('provider', ctx.ip)])
  /** As far as it is known by now, for the log. */
  const who: { protocol?: SignInWay['protocol']; row?: UserRow } = {}
  try {
    const { state, ...given } = body
    // Who was not sent away has no browser that is known; only SAML knows that, and only where it is allowed.
    const away: Away =
      state === UNASKED && ctx.services.config.saml?.unasked
        ? { protocol: 'saml', nonce: '', verifier: null, user_id: null }
        : await comingBack(ctx, state)
    who.protocol = away.protocol
    const way = wayOf(ctx, away.protocol)
    const identity = await way.finish(ctx, { ...given, state }, { ...away, state })
    await succeeded()
    if (away.user_id !== null) {
      who.row = await byId(ctx.pool, away.user_id)
      await link(ctx, away.user_id, identity, 'person')
      return { data: { linked: true as const } }
    }
    const { row, by } = await accountOf(ctx, way, identity)
    who.row = row
    // Who does not come in is told so, and nothing is linked.
    if (row.blocked) throw refuse(403, 'account_blocked')
    if (!way.entries.some((entry) => mayEnter(row, entry))) throw refuse(403, 'provider_entry')
    if (by) await link(ctx, row.id, identity, by)
    await ctx.pool.query('update identities set last_used_at = now() where issuer = $1 and subject = $2', [
      identity.issuer,
      identity.subject,
    ])
    return await enter(ctx, row, 'provider', await keepLogin(ctx.pool, identity))
  } catch (error) {
    if (error instanceof Refusal && !('logged' in error))
      await ctx.services.security.write(ctx, {
        kind: 'sign_in_failed',
        ...(who.row && { subject_id: who.row.id }),
        data: { by: 'provider', protocol: who.protocol, reason: error.reasons[0]?.code },
      })
    throw error
  }
})

/**
 * Whose account an identity is: linked before, or found (`by`) by a code or an address that the provider vouches for. When
 * the two lead to different people, neither is believed.
 */
async function accountOf(
  ctx: Ctx,
  way: SignInWay,
  identity: Identity,
): Promise<{ row: UserRow; by: 'email' | 'code' | null }> {
  const { rows } = await ctx.pool.query<{ user_id: number }>(
    'select user_id from identities where issuer = $1 and subject = $2',
    [identity.issuer, identity.subject],
  )
  if (rows[0]) {
    const row = await byId(ctx.pool, rows[0].user_id)
    if (row) return { row, by: null }
    throw refuse(403, 'identity_unknown')
  }
  const code = vouchedCode(identity.code, way.emailDomains)
  const email = vouchedEmail(identity, way.emailDomains)
  const coded = code === null ? undefined : await byCode(ctx, code)
  const mailed = email === null ? undefined : await byEmail(ctx.pool, email)
  const row = coded ?? mailed
  if (!row || (coded && mailed && coded.id !== mailed.id)) throw refuse(403, 'identity_unknown')
  return { row, by: coded ? 'code' : 'email' }
}

/** The one account of the student or the instructor of a code. */
async function byCode(ctx: Ctx, code: string): Promise<UserRow | undefined> {
  const { rows } = await ctx.pool.query<{ user_id: number }>(
    `select user_id from students where code = $1 and user_id is not null and removed_at is null
     union select user_id from instructors where code = $1 and user_id is not null and removed_at is null`,
    [code],
  )
  return rows.length === 1 ? byId(ctx.pool, firstRow(rows).user_id) : undefined
}

/** From now on the identity is this account's. @throws {Refusal} 409 when it is another's, or the account has another */
async function link(ctx: Ctx, userId: number, identity: Identity, by: 'email' | 'code' | 'person'): Promise<void> {
  await ctx.write(
    async (tx) => {
      const added = await sql`
        insert into identities (user_id, issuer, subject, email, linked_by)
        values (${userId}, ${identity.issuer}, ${identity.subject}, ${identity.email}, ${by})
        on conflict do nothing`.execute(tx)
      if (added.numAffectedRows !== 1n) {
        const owner = await ownerOf(tx, identity)
        if (owner === userId) return
        throw refuse(409, owner === undefined ? 'identity_second' : 'identity_taken')
      }
      const data = { change: 'linked', by, account: identity.email ?? identity.subject }
      await ctx.services.security.write(ctx, { kind: 'identity', actor_id: userId, subject_id: userId, data }, tx)
      await notify(tx, [userId], {
        key: 'access-and-people.notice_identity_linked',
        data: { account: identity.email ?? identity.subject },
        link: '/profile/sign-in',
      })
    },
    { reason: LINKED[by] },
  )
}
const LINKED = {
  email: 'linked by a verified address',
  code: 'linked by a code the provider vouches for',
  person: 'linked by the person',
} as const
async function ownerOf(tx: Tx, { issuer, subject }: Identity): Promise<number | undefined> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from identities where issuer = ${issuer} and subject = ${subject}`.execute(tx)
  return rows[0]?.user_id
}

const identities = handle(calls.identities, async (ctx) => {
  const { user_id } = actorIn(ctx)
  const { rows } = await sql<{
    id: number
    issuer: string
    email: string | null
    created_at: string
    last_used_at: string | null
  }>`select id, issuer, email, created_at, last_used_at from identities where user_id = ${user_id} order by id`.execute(
    ctx.db,
  )
  const ways = await Promise.all(waysOf(ctx).map(async (way) => ({ by: way.protocol, issuer: await way.issuer() })))
  const open = ways.filter(({ issuer }) => !rows.some((row) => row.issuer === issuer))
  return { data: rows, meta: { can_link: open.length > 0, by: open.map(({ by }) => by) } }
})

const unlink = handle(calls.unlinkIdentity, async (ctx, { params: { id } }) => {
  const { user_id } = ownAccount(ctx)
  await ctx.write(async (tx) => {
    // The account is held: another way in is not taken at the same moment.
    await sql`select from users where id = ${user_id} for update`.execute(tx)
    const { rows } = await sql<{ account: string; another: boolean }>`
      select coalesce(i.email, i.subject) as account, u.password_hash is not null
        or exists (select from passkeys p where p.user_id = u.id)
        or exists (select from identities o where o.user_id = u.id and o.id <> i.id) as another
      from identities i join users u on u.id = i.user_id
      where i.id = ${id} and i.user_id = ${user_id}`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    // Nobody shuts the own last door.
    if (!rows[0].another) throw refuse(409, 'identity_only_way')
    await sql`delete from identities where id = ${id}`.execute(tx)
    const data = { change: 'unlinked', account: rows[0].account }
    await ctx.services.security.write(ctx, { kind: 'identity', subject_id: user_id, data }, tx)
  })
  return { id }
})

export const providerHandlers: readonly Handled[] = [
  providerAddress,
  providerReturn,
  identities,
  handle(calls.linkIdentity, (ctx, { query }) => sendAway(ctx, wayOf(ctx, query.by), ownAccount(ctx).user_id)),
  unlink,
]
