import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { addressLimit, attempt, limitsOf, personLimit } from '#kit/server/identity/attempts.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { momentIn } from '#kit/server/mail/moment.ts'
import { checkPassword, hashPassword, placesOf, verifyPassword } from '#kit/server/identity/passwords.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { confirmSession, hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { proofWays } from '../passkeys/passkey.rules.ts'
import type { ProofWay } from '../passkeys/passkey.rules.ts'
import { factorsOf, takeCode, takeRecoveryCode } from '../second-factor/factors.server.ts'
import { plainCode } from '../second-factor/totp.server.ts'
import { aboutMail, byEmail, byId, personWithin, refuseAbove } from './people.server.ts'
import type { UserRow } from './people.server.ts'
import { deviceIn, remember } from './sign-in.server.ts'
import * as calls from './sign-in.contract.ts'

/** Minutes for which a link to set a password works. */
const LINK_MINUTES = 60
/** The same of an invitation: a week. */
const INVITATION_MINUTES = 7 * 24 * 60
/** Where a link leads; the screen takes the token from the address. */
const RESET_SCREEN = '/pages/authentication/reset-password-v1'

/**
 * Sends the link for a new password. It is a job, so that the answer takes the same time whether there is such an
 * account or not, and so that the token is never kept in clear: it is made when the mail is written.
 */
export const sendPasswordLink = defineJob({
  name: 'send-password-link',
  retries: 5,
  async run(ctx, who: { email: string } | { user_id: number; invitation?: boolean }) {
    const row = await ('email' in who ? byEmail(ctx.pool, who.email) : byId(ctx.pool, who.user_id))
    if (!row?.email || row.blocked) return
    const { token, hash } = newToken()
    const invitation = 'invitation' in who && who.invitation === true
    const { rows } = await ctx.pool.query<{ expires_at: string }>(
      `insert into password_resets (token_hash, user_id, created_by, expires_at)
       values ($1, $2, $3, now() + make_interval(mins => $4)) returning expires_at`,
      [hash, row.id, ctx.actor?.user_id ?? null, invitation ? INVITATION_MINUTES : LINK_MINUTES],
    )
    await ctx.services.mail.send({
      to: row.email,
      lang: row.language,
      key: invitation ? 'invitation' : 'reset_password',
      data: {
        ...(await aboutMail(ctx, row)),
        until: momentIn(firstRow(rows).expires_at, row.language),
        link: `${ctx.services.config.publicUrl}${RESET_SCREEN}?token=${token}`,
      },
    })
  },
})

/**
 * Invites from this moment: the link comes with the mail, but that somebody is invited is said at once. This row is of a
 * token that nobody has.
 */
export const beginInvitation = (tx: Tx, user_id: number, by: number) =>
  sql`insert into password_resets (token_hash, user_id, created_by, expires_at)
    values (${newToken().hash}, ${user_id}, ${by}, now() + make_interval(mins => ${INVITATION_MINUTES}))`.execute(tx)

/** Tells a person that the own password was changed. */
export const tellPasswordChanged = defineJob({
  name: 'tell-password-changed',
  retries: 5,
  async run(ctx, { user_id }: { user_id: number }) {
    const row = await byId(ctx.pool, user_id)
    if (row?.email)
      await ctx.services.mail.send({
        to: row.email,
        lang: row.language,
        key: 'password_changed',
        data: await aboutMail(ctx, row),
      })
  },
})

/** What a password may not be made of besides: the names of the university, and the domains of its addresses. */
async function placesIn(ctx: Ctx, email: string | null): Promise<ReadonlySet<string>> {
  const { name, name_local } = await universityHead(ctx)
  const { publicUrl, mailFrom, oidc, saml } = ctx.services.config
  const domains = [email, mailFrom.replace(/[<>]/g, ' ').trim()].flatMap((text) => text?.split('@').at(-1) ?? [])
  return placesOf([
    name,
    name_local,
    new URL(publicUrl).hostname,
    ...domains,
    ...(oidc?.emailDomains ?? []),
    ...(saml?.emailDomains ?? []),
  ])
}

/**
 * Sets a checked password and ends what the old one had opened: sessions, links, and the trust in browsers it was used
 * in, but for this one. `keep`: the session in which it was changed.
 */
async function setPassword(
  ctx: Ctx,
  row: UserRow,
  password: string,
  reason: string,
  token?: Buffer,
  keep?: string,
): Promise<void> {
  checkPassword(password, [row.name, row.name_local, row.email ?? ''], await placesIn(ctx, row.email))
  const hash = await hashPassword(password)
  await ctx.write(
    async (tx) => {
      if (token) {
        const used = await sql`
          update password_resets set used_at = now()
          where token_hash = ${token} and used_at is null and expires_at > now()`.execute(tx)
        if (used.numAffectedRows !== 1n) throw refuse(409, 'link_not_valid')
      }
      await sql`update users set password_hash = ${hash} where id = ${row.id}`.execute(tx)
      await sql`delete from password_resets where user_id = ${row.id} and used_at is null`.execute(tx)
      await sql`delete from sessions where user_id = ${row.id} and id is distinct from ${keep ?? null}`.execute(tx)
      await sql`delete from sign_in_steps where user_id = ${row.id}`.execute(tx)
      await sql`delete from known_devices where user_id = ${row.id} and device_hash is distinct from ${deviceIn(ctx)}`.execute(
        tx,
      )
      const by = token ? 'link' : 'password'
      await ctx.services.security.write(
        ctx,
        { kind: 'password_changed', actor_id: row.id, subject_id: row.id, data: { by } },
        tx,
      )
      await ctx.services.jobs.send(tx, tellPasswordChanged, { user_id: row.id }, { actor: null })
    },
    { reason },
  )
}

const resetPassword = handle(calls.resetPassword, async (ctx, { body }) => {
  if ('token' in body) {
    const succeeded = await attempt(ctx.pool, [addressLimit('reset token', ctx.ip)])
    const token = hashToken(body.token)
    const { rows } = await ctx.pool.query<{ user_id: number }>(
      'select user_id from password_resets where token_hash = $1 and used_at is null and expires_at > now()',
      [token],
    )
    const row = rows[0] && (await byId(ctx.pool, rows[0].user_id))
    if (!row) throw refuse(409, 'link_not_valid')
    // What could be guessed was right: a password that will not do is no attempt.
    await succeeded()
    await setPassword(ctx, row, body.password, 'password set by link', token)
    // Whoever reads the person's mail is the person: from here, signing in waits for nobody else's attempts.
    await remember(ctx, row)
    return { data: { step: 'changed' as const } }
  }
  if ('current_password' in body) {
    const actor = actorIn(ctx)
    // Not for those who sit there as somebody else.
    if (actor.impersonator_id !== null) throw refuse(403, 'not_allowed')
    const succeeded = await attempt(ctx.pool, [personLimit('confirm', actor.user_id)])
    const row = await byId(ctx.pool, actor.user_id)
    if (!row || !(await verifyPassword(row.password_hash, body.current_password))) {
      await ctx.services.security.write(ctx, { kind: 'proof_failed', subject_id: actor.user_id })
      throw refuse(422, 'current_password_wrong', {}, 'current_password')
    }
    await succeeded()
    await setPassword(ctx, row, body.password, 'own password changed', undefined, actor.session_id)
    return { data: { step: 'changed' as const } }
  }
  if ('user_id' in body) {
    const actor = actorIn(ctx)
    if (!ctx.can('reset_password')) throw refuse(403, 'not_allowed')
    const row = await personWithin(ctx, 'reset_password', 'user', body.user_id)
    await refuseAbove(ctx, actor, row)
    if (!row.email) throw refuse(409, 'no_email')
    await ctx.write(async (tx) => {
      await ctx.services.jobs.send(tx, sendPasswordLink, { user_id: row.id }, { actor })
      await ctx.services.security.write(ctx, { kind: 'password_asked', subject_id: row.id }, tx)
    })
    return { data: { step: 'sent' as const } }
  }
  await attempt(ctx.pool, limitsOf({ what: 'reset', account: body.email, ip: ctx.ip }))
  // Whose account it is, or whether there is one, is looked up for the log alone, and by one query in any case.
  const row = await byEmail(ctx.pool, body.email)
  await ctx.write(async (tx) => {
    await ctx.services.jobs.send(tx, sendPasswordLink, { email: body.email }, { actor: null })
    const whose = row ? { subject_id: row.id } : { account: body.email }
    await ctx.services.security.write(ctx, { kind: 'password_asked', ...whose }, tx)
  })
  return { data: { step: 'sent' as const } }
})

/** Somebody logged in as another person gives what is the own. */
const whoSits = (ctx: Ctx): number => actorIn(ctx).impersonator_id ?? actorIn(ctx).user_id
async function waysOf(ctx: Ctx, person: number, second = false): Promise<ProofWay[]> {
  const { required, recovery_codes_left, ...shows } = await factorsOf(ctx.pool, person)
  return proofWays({ ...shows, recovery_codes: recovery_codes_left, demanded: required || second })
}

/** Proves again who sits there, before sensitive acts: by the password, with a code where a role demands more. */
const confirmPassword = handle(calls.confirmPassword, async (ctx, { body }) => {
  const person = whoSits(ctx)
  const succeeded = await attempt(ctx.pool, [personLimit('confirm', person)])
  const ways = await waysOf(ctx, person)
  const { code, password } = { password: undefined, ...body }
  const failed = (reason: string) =>
    ctx.services.security.write(ctx, { kind: 'proof_failed', subject_id: person, data: { reason } })
  if (password === undefined && !ways.includes('code')) throw refuse(403, 'proof_needs_more')
  if (password !== undefined) {
    const row = await byId(ctx.pool, person)
    if (!row || !(await verifyPassword(row.password_hash, password))) {
      await failed('current_password_wrong')
      throw refuse(403, 'current_password_wrong', {}, 'password')
    }
    if (!ways.includes('password') && code === undefined) throw refuse(403, 'proof_needs_more', {}, 'code')
  }
  if (code !== undefined)
    await takeEither(ctx, person, code).catch(async (error: unknown) => {
      await failed((error instanceof Refusal && error.reasons[0]?.code) || 'code_wrong')
      throw error
    })
  await succeeded()
  await confirmSession(ctx.pool, actorIn(ctx).session_id, code !== undefined)
  return { data: null }
})
/** Six digits are a code of the app, anything else a recovery code. */
const takeEither = (ctx: Ctx, person: number, given: string): Promise<void> =>
  /^\d{6}$/.test(plainCode(given))
    ? takeCode(ctx, person, given, 'secret')
    : takeRecoveryCode(ctx, person, given).catch((error: unknown) => {
        throw error instanceof Refusal ? refuse(403, 'recovery_code_wrong', {}, 'code') : error
      })

export const passwordHandlers: readonly Handled[] = [
  resetPassword,
  handle(calls.proofWays, async (ctx, { query }) => ({
    data: await waysOf(ctx, whoSits(ctx), query.second === 'true'),
  })),
  confirmPassword,
]
