import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { addressLimit, attempt } from '#kit/server/attempts.ts'
import { handle } from '#kit/server/context.ts'
import type { Ctx, Handled } from '#kit/server/context.ts'
import { refuse } from '#kit/server/errors.ts'
import { actorIn } from '#kit/server/kit.server.ts'
import { notify } from '#kit/server/notifications.ts'
import { hashToken } from '#kit/server/sessions.ts'
import { ownAccount } from '../sign-in/account.server.ts'
import { bindBrowser, browserIn } from '../sign-in/browser.server.ts'
import { byEmail, byId } from '../sign-in/people.server.ts'
import type { UserRow } from '../sign-in/people.server.ts'
import { enter, mayEnter } from '../sign-in/sign-in.server.ts'
import { vouchedEmail } from './identity.rules.ts'
import { beginAt, finishAt, providerOf, settingsOf } from './oidc.server.ts'
import type { Identity } from './oidc.server.ts'
import { providerCalls as calls } from './provider.contract.ts'

/** Minutes that somebody may stay at the provider. */
const AWAY_MINUTES = 15

/** Sends a browser to the provider; `userId`: to link what it comes back with. */
async function sendAway(ctx: Ctx, userId: number | null): Promise<{ data: { url: string } }> {
  const sent = await beginAt(ctx)
  await bindBrowser(ctx, 'provider', async (browser) => {
    const { rows } = await ctx.pool.query<{ expires_at: string }>(
      `insert into provider_sign_ins (state_hash, browser_hash, nonce, verifier, user_id, expires_at)
       values ($1, $2, $3, $4, $5, now() + make_interval(mins => $6)) returning expires_at`,
      [hashToken(sent.state), browser, sent.nonce, sent.verifier, userId, AWAY_MINUTES],
    )
    return new Date(rows[0]!.expires_at)
  })
  return { data: { url: sent.url } }
}

const providerAddress = handle(calls.providerAddress, async (ctx) => {
  settingsOf(ctx)
  // Each one leaves a row for some minutes.
  const succeeded = await attempt(ctx.pool, [addressLimit('provider', ctx.ip)])
  const answer = await sendAway(ctx, null)
  await succeeded()
  return answer
})

interface Away {
  readonly nonce: string
  readonly verifier: string
  readonly user_id: number | null
}
/** What was kept of who comes back: once, and for the browser that was sent. @throws {Refusal} 403 `provider_state` */
async function comingBack(ctx: Ctx, state: string): Promise<Away> {
  const { rows } = await ctx.pool.query<Away & { mine: boolean }>(
    `delete from provider_sign_ins where state_hash = $1 and expires_at > now()
     returning nonce, verifier, user_id, browser_hash = $2 is true as mine`,
    [hashToken(state), browserIn(ctx, 'provider')],
  )
  const found = rows[0]
  if (!found?.mine || (found.user_id !== null && found.user_id !== ctx.actor?.user_id))
    throw refuse(403, 'provider_state')
  return found
}

const providerReturn = handle(calls.providerReturn, async (ctx, { body }) => {
  settingsOf(ctx)
  const succeeded = await attempt(ctx.pool, [addressLimit('provider', ctx.ip)])
  const { state, ...given } = body
  const away = await comingBack(ctx, state)
  const identity = await finishAt(ctx, { ...given, state }, { ...away, state })
  await succeeded()
  if (away.user_id !== null) {
    await link(ctx, away.user_id, identity, 'person')
    return { data: { linked: true as const } }
  }
  const { row, known } = await accountOf(ctx, identity)
  // Who does not come in is told so, and nothing is linked.
  if (row.blocked) {
    await tellFailed(ctx, 'blocked', row)
    throw refuse(403, 'account_blocked')
  }
  if (!settingsOf(ctx).entries.some((entry) => mayEnter(row, entry))) {
    await tellFailed(ctx, 'entry', row)
    throw refuse(403, 'provider_entry')
  }
  if (!known) await link(ctx, row.id, identity, 'email')
  await ctx.pool.query('update identities set last_used_at = now() where issuer = $1 and subject = $2', [
    identity.issuer,
    identity.subject,
  ])
  return enter(ctx, row, 'provider')
})

const tellFailed = (ctx: Ctx, reason: string, row?: UserRow) =>
  ctx.services.security.write(ctx, {
    kind: 'sign_in_failed',
    ...(row && { subject_id: row.id }),
    data: { by: 'provider', reason },
  })

/** Whose account an identity is: linked before (`known`), or found by an address that the provider vouches for. */
async function accountOf(ctx: Ctx, identity: Identity): Promise<{ row: UserRow; known: boolean }> {
  const { rows } = await ctx.pool.query<{ user_id: number }>(
    'select user_id from identities where issuer = $1 and subject = $2',
    [identity.issuer, identity.subject],
  )
  const known = rows[0] !== undefined
  const email = vouchedEmail(identity, settingsOf(ctx).emailDomains)
  const row = known
    ? await byId(ctx.pool, rows[0]!.user_id)
    : email === null
      ? undefined
      : await byEmail(ctx.pool, email)
  if (row) return { row, known }
  await tellFailed(ctx, 'unknown')
  throw refuse(403, 'identity_unknown')
}

/** From now on the identity is this account's. @throws {Refusal} 409 when it is another's, or the account has another */
async function link(ctx: Ctx, userId: number, identity: Identity, by: 'email' | 'person'): Promise<void> {
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
    { reason: by === 'email' ? 'linked by a verified address' : 'linked by the person' },
  )
}
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
  const { oidc } = ctx.services.config
  const issuer =
    oidc &&
    (await providerOf(oidc).then(
      (p) => p.serverMetadata().issuer,
      () => oidc.issuer,
    ))
  return { data: rows, meta: { can_link: issuer !== null && !rows.some((row) => row.issuer === issuer) } }
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
  handle(calls.linkIdentity, (ctx) => sendAway(ctx, ownAccount(ctx).user_id)),
  unlink,
]
