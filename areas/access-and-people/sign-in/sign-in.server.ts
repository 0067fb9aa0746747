import type pg from 'pg'
import { query } from '#db/connect.ts'
import type { Db } from '#db/connect.ts'
import { covers, rightsOf } from '#access/rights.server.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { accountLimit, addressLimit, attempt } from '#kit/server/attempts.ts'
import { handle } from '#kit/server/context.ts'
import type { Actor, Ctx, Handled } from '#kit/server/context.ts'
import { refuse } from '#kit/server/errors.ts'
import { defineJob } from '#kit/server/jobs.ts'
import { actorIn } from '#kit/server/kit.server.ts'
import { checkPassword, hashPassword, verifyPassword } from '#kit/server/passwords.ts'
import {
  createSession,
  endSession,
  endedCookies,
  hashToken,
  newToken,
  sessionCookies,
  sessionsOf,
} from '#kit/server/sessions.ts'
import type { NewSession } from '#kit/server/sessions.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import type { Language } from '#kit/contract/index.ts'
import * as calls from './sign-in.contract.ts'

/** Minutes for which a link to set a password works. */
const LINK_MINUTES = 60
/** Where a link leads; the screen takes the token from the address. */
const RESET_SCREEN = '/pages/authentication/reset-password-v1'

type CurrentUser = z.output<typeof calls.currentUser>

interface UserRow {
  id: number
  type: Actor['type']
  name: string
  name_local: string
  email: string | null
  phone: string | null
  language: Language | null
  photo_id: number | null
  photo_name: string | null
  is_super_admin: boolean
  is_root: boolean
  student_id: number | null
  instructor_id: number | null
  last_login_at: string | null
  password_hash: string | null
  blocked: boolean
}

const USER = `
  select u.id, u.type, u.name, u.name_local, u.email, u.phone, u.language, f.id as photo_id, f.name as photo_name,
    u.is_super_admin, u.is_root, s.id as student_id, i.id as instructor_id, l.last_login_at, u.password_hash,
    u.blocked_at is not null or coalesce(s.blocked_at is not null, false) as blocked
  from users u
  left join files f on f.id = u.photo_file_id
  left join students s on s.user_id = u.id and s.removed_at is null
  left join instructors i on i.user_id = u.id and i.removed_at is null
  left join last_logins l on l.user_id = u.id
  where u.removed_at is null and `

const byId = async (pool: pg.Pool, id: number): Promise<UserRow | undefined> =>
  (await query<UserRow & pg.QueryResultRow>(pool, 'sign_in_by_id', `${USER} u.id = $1`, [id]))[0]
const byEmail = async (pool: pg.Pool, email: string): Promise<UserRow | undefined> =>
  (await query<UserRow & pg.QueryResultRow>(pool, 'sign_in_by_email', `${USER} lower(u.email) = lower($1)`, [email]))[0]

/** What the person's own screens may know of the row. */
function shown(ctx: Ctx, row: UserRow): CurrentUser {
  const { password_hash: _hash, blocked: _blocked, photo_id, photo_name, ...user } = row
  const photo =
    photo_id === null
      ? null
      : ctx.services.files.link({ id: photo_id, name: photo_name ?? 'photo' }, { user_id: row.id })
  return { ...user, photo }
}

const secure = (ctx: Ctx): boolean => ctx.services.config.publicUrl.startsWith('https:')
const setCookies = (ctx: Ctx, cookies: string[]): void => void ctx.http?.reply.header('set-cookie', cookies)

/** Begins a session and gives its cookies to the browser. */
async function begin(
  ctx: Ctx,
  row: UserRow,
  impersonator?: NewSession['impersonator'],
): Promise<{ data: { token: string; user: CurrentUser } }> {
  const { token, expires_at } = await createSession(ctx.pool, {
    user_id: row.id,
    ip: ctx.ip,
    user_agent: ctx.http?.request.headers['user-agent'] ?? null,
    ...(impersonator && { impersonator }),
  })
  setCookies(ctx, sessionCookies(secure(ctx), token, expires_at, row))
  ctx.http?.request.log.info({ user_id: row.id, as: impersonator?.user_id, ip: ctx.ip }, 'signed in')
  return { data: { token, user: shown(ctx, row) } }
}

const login = handle(calls.login, async (ctx, { body }) => {
  const succeeded = await attempt(ctx.pool, accountLimit('login', body.email), addressLimit('login', ctx.ip))
  const row = await byEmail(ctx.pool, body.email)
  // Takes as long for an unknown account as for a known one.
  const right = await verifyPassword(row?.password_hash, body.password)
  if (!row || !right || (body.type && body.type !== row.type)) throw refuse(401, 'sign_in_failed')
  if (row.blocked) throw refuse(403, 'account_blocked')
  await succeeded()
  return begin(ctx, row)
})

/**
 * A token that signs a person in once: for a link of the university's portal, or an applicant's mail. Only its hash is
 * kept. `minutes`: how long it works.
 */
export async function createLoginToken(tx: Db, userId: number, by: Actor | null, minutes = 10): Promise<string> {
  const { token, hash } = newToken()
  await sql`
    insert into login_tokens (token_hash, user_id, created_by, expires_at)
    values (${hash}, ${userId}, ${by?.user_id ?? null}, now() + make_interval(mins => ${minutes}))`.execute(tx)
  return token
}

const loginWithToken = handle(calls.loginWithToken, async (ctx, { body }) => {
  const succeeded = await attempt(ctx.pool, accountLimit('token', body.token), addressLimit('token', ctx.ip))
  const { rows } = await ctx.pool.query<{ user_id: number }>(
    `update login_tokens set used_at = now() where token_hash = $1 and used_at is null and expires_at > now() returning user_id`,
    [hashToken(body.token)],
  )
  const row = rows[0] && (await byId(ctx.pool, rows[0].user_id))
  if (!row) throw refuse(401, 'link_not_valid')
  if (row.blocked) throw refuse(403, 'account_blocked')
  await succeeded()
  return begin(ctx, row)
})

const logout = handle(calls.logout, async (ctx) => {
  setCookies(ctx, endedCookies(secure(ctx)))
  const { actor, pool } = ctx
  if (!actor) return { data: null }
  if (actor.impersonator_id === null) {
    await endSession(pool, actor.user_id, actor.session_id)
    return { data: null }
  }
  // Back into one's own session, where that still runs: a new one takes its place, because its token is not known here.
  const { rows } = await pool.query<{ user_id: number }>(
    `with over as (delete from sessions where id = $1 returning impersonator_session_id)
     select own.user_id from over join sessions own on own.id = over.impersonator_session_id where own.expires_at > now()`,
    [actor.session_id],
  )
  const row = rows[0] && (await byId(pool, rows[0].user_id))
  return row && !row.blocked ? begin(ctx, row) : { data: null }
})

/** Refuses to act as, or for, somebody with rights that one does not have. */
async function refuseAbove(
  ctx: Ctx,
  actor: Actor,
  other: { id: number; is_super_admin: boolean; is_root: boolean },
): Promise<void> {
  if (actor.is_root) return
  const above = other.is_root || (other.is_super_admin && !actor.is_super_admin)
  if (
    above ||
    (!actor.is_super_admin && !covers(actor.rights, await ctx.db.transaction().execute((tx) => rightsOf(tx, other.id))))
  ) {
    throw refuse(403, 'person_has_more_rights')
  }
}

async function loginAs(ctx: Ctx, row: UserRow | undefined): Promise<{ data: { token: string; user: CurrentUser } }> {
  const actor = actorIn(ctx)
  if (actor.impersonator_id !== null) throw refuse(409, 'already_as_other')
  if (!row || row.id === actor.user_id) throw refuse(404, 'not_found')
  if (row.blocked) throw refuse(409, 'account_blocked')
  await refuseAbove(ctx, actor, row)
  return begin(ctx, row, {
    user_id: actor.user_id,
    session_id: actor.session_id,
    read_only: !ctx.can('change_as_other'),
  })
}

const loginAsUser = handle(calls.loginAsUser, async (ctx, { body }) => loginAs(ctx, await byId(ctx.pool, body.user_id)))

const loginAsStudent = handle(calls.loginAsStudent, async (ctx, { body }) => {
  const within = scopeCondition(ctx, 'login_as_student', {
    faculty: sql`t.faculty_id`,
    program: sql`t.program_id`,
    bylaw: sql`t.bylaw_id`,
    department: sql`(select p.department_id from programs p where p.id = t.program_id)`,
    advised: sql`t.advisor_id = ${actorIn(ctx).instructor_id}`,
  })
  const { rows } = await sql<{ user_id: number | null }>`
    select user_id from students t where id = ${body.student_id} and removed_at is null and ${within}`.execute(ctx.db)
  const userId = rows[0]?.user_id
  return loginAs(ctx, userId ? await byId(ctx.pool, userId) : undefined)
})

const liveData = handle(calls.liveData, async (ctx) => {
  const actor = actorIn(ctx)
  const [row, [more]] = await Promise.all([
    byId(ctx.pool, actor.user_id),
    query<{ unread: number; by: { id: number; name: string; name_local: string } | null; read_only: boolean }>(
      ctx.pool,
      'live_data',
      `select (select count(*)::int from notifications where user_id = $1 and read_at is null) as unread,
         (select json_build_object('id', id, 'name', name, 'name_local', name_local) from users where id = $2) as by,
         coalesce((select value = 'true' from settings where key = 'read_only'), false) as read_only`,
      [actor.user_id, actor.impersonator_id],
    ),
  ])
  if (!row || !more) throw refuse(401, 'session_expired')
  return {
    data: {
      user: shown(ctx, row),
      permissions: [...actor.rights.keys()],
      chat_notification_count: more.unread,
      impersonation: more.by && { by: more.by, read_only: actor.read_only ?? false },
      read_only: more.read_only || ctx.services.config.readOnly,
    },
  }
})

interface HeldRole {
  name: string
  name_local: string
  valid_to: string | null
  scope: { type: string; id: number; name: string; name_local: string } | null
}
const profile = handle(calls.profile, async (ctx) => {
  const actor = actorIn(ctx)
  const [row, roles] = await Promise.all([
    byId(ctx.pool, actor.user_id),
    query<HeldRole & pg.QueryResultRow>(
      ctx.pool,
      'profile_roles',
      `select r.name, r.name_local, a.valid_to,
         case when a.scope_type is not null then json_build_object('type', a.scope_type, 'id', a.scope_id,
           'name', coalesce(f.name, d.name, b.name, p.name, ''), 'name_local', coalesce(f.name_local, d.name_local, b.name_local, p.name_local, '')) end as scope
       from role_assignments a
       join roles r on r.id = a.role_id and r.removed_at is null
       left join faculties f on a.scope_type = 'faculty' and f.id = a.scope_id
       left join departments d on a.scope_type = 'department' and d.id = a.scope_id
       left join bylaws b on a.scope_type = 'bylaw' and b.id = a.scope_id
       left join programs p on a.scope_type = 'program' and p.id = a.scope_id
       where a.user_id = $1 and coalesce(a.valid_to >= current_date, true)
       order by r.name, a.id`,
      [actor.user_id],
    ),
  ])
  if (!row) throw refuse(401, 'session_expired')
  return { data: { ...shown(ctx, row), roles } }
})

const listSessions = handle(calls.listSessions, async (ctx) => {
  const actor = actorIn(ctx)
  const rows = await sessionsOf(ctx.pool, actor.user_id)
  return { data: rows.map((row) => ({ ...row, current: row.id === actor.session_id })) }
})

const endOwnSession = handle(calls.endSession, async (ctx, { params }) => {
  const actor = actorIn(ctx)
  // Who is logged in as somebody has no say over that person's own sessions.
  if (actor.impersonator_id !== null && params.session_id !== actor.session_id) throw refuse(403, 'not_allowed')
  if (!(await endSession(ctx.pool, actor.user_id, params.session_id))) throw refuse(404, 'not_found')
  if (params.session_id === actor.session_id) setCookies(ctx, endedCookies(secure(ctx)))
  return { id: params.session_id }
})

// --- Passwords ------------------------------------------------------------------------------------------------------

/**
 * Sends the link for a new password. It is a job, so that the answer takes the same time whether there is such an
 * account or not, and so that the token is never kept in clear: it is made when the mail is written.
 */
export const sendPasswordLink = defineJob({
  name: 'send-password-link',
  retries: 5,
  async run(ctx, who: { email: string } | { user_id: number }) {
    const row = await ('email' in who ? byEmail(ctx.pool, who.email) : byId(ctx.pool, who.user_id))
    if (!row?.email || row.blocked) return
    const { token, hash } = newToken()
    const until = new Date(Date.now() + LINK_MINUTES * 60_000)
    await ctx.pool.query(
      'insert into password_resets (token_hash, user_id, created_by, expires_at) values ($1, $2, $3, $4)',
      [hash, row.id, ctx.actor?.user_id ?? null, until],
    )
    await ctx.services.mail.send({
      to: row.email,
      lang: row.language,
      key: 'reset_password',
      data: {
        ...(await aboutMail(ctx, row)),
        until: new Intl.DateTimeFormat(row.language ?? 'ar', { dateStyle: 'long', timeStyle: 'long' }).format(until),
        link: `${ctx.services.config.publicUrl}${RESET_SCREEN}?token=${token}`,
      },
    })
  },
})

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

async function aboutMail(ctx: Ctx, row: UserRow): Promise<{ name: string; university: string }> {
  const local = (row.language ?? 'ar') === 'ar'
  const [name] = await query<{ value: string | null }>(
    ctx.pool,
    'university_name',
    `select value #>> '{}' as value from settings where key = any($1) and removed_at is null order by array_position($1, key) limit 1`,
    [local ? ['university_name_local', 'university_name'] : ['university_name']],
  )
  return { name: local ? row.name_local : row.name, university: name?.value ?? 'University EMS' }
}

/** Sets a checked password and ends what the old one had opened. `keep`: the session in which it was changed. */
async function setPassword(
  ctx: Ctx,
  row: UserRow,
  password: string,
  reason: string,
  token?: Buffer,
  keep?: string,
): Promise<void> {
  checkPassword(password, [row.name, row.name_local, row.email ?? ''])
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
      await ctx.services.jobs.send(tx, tellPasswordChanged, { user_id: row.id }, { actor: null })
    },
    { reason },
  )
}

const resetPassword = handle(calls.resetPassword, async (ctx, { body }) => {
  if ('token' in body) {
    const succeeded = await attempt(
      ctx.pool,
      accountLimit('reset token', body.token),
      addressLimit('reset token', ctx.ip),
    )
    const token = hashToken(body.token)
    const { rows } = await ctx.pool.query<{ user_id: number }>(
      'select user_id from password_resets where token_hash = $1 and used_at is null and expires_at > now()',
      [token],
    )
    const row = rows[0] && (await byId(ctx.pool, rows[0].user_id))
    if (!row) throw refuse(409, 'link_not_valid')
    await setPassword(ctx, row, body.password, 'password set by link', token)
    // A whole campus behind one address sets its first passwords on one morning.
    await succeeded()
    return { data: { step: 'changed' as const } }
  }
  if ('current_password' in body) {
    const actor = actorIn(ctx)
    // Not for those who sit there as somebody else.
    if (actor.impersonator_id !== null) throw refuse(403, 'not_allowed')
    const succeeded = await attempt(ctx.pool, accountLimit('login', actor.email), addressLimit('login', ctx.ip))
    const row = await byId(ctx.pool, actor.user_id)
    if (!row || !(await verifyPassword(row.password_hash, body.current_password))) {
      throw refuse(422, 'current_password_wrong', {}, 'current_password')
    }
    await succeeded()
    await setPassword(ctx, row, body.password, 'own password changed', undefined, actor.session_id)
    return { data: { step: 'changed' as const } }
  }
  if ('user_id' in body) {
    const actor = actorIn(ctx)
    if (!ctx.can('reset_password')) throw refuse(403, 'not_allowed')
    const row = await byId(ctx.pool, body.user_id)
    if (!row) throw refuse(404, 'not_found')
    await refuseAbove(ctx, actor, row)
    if (!row.email) throw refuse(409, 'no_email')
    await ctx.write((tx) => ctx.services.jobs.send(tx, sendPasswordLink, { user_id: row.id }, { actor }))
    return { data: { step: 'sent' as const } }
  }
  await attempt(ctx.pool, accountLimit('reset', body.email), addressLimit('reset', ctx.ip))
  await ctx.write((tx) => ctx.services.jobs.send(tx, sendPasswordLink, { email: body.email }, { actor: null }))
  return { data: { step: 'sent' as const } }
})

export const signInHandlers: readonly Handled[] = [
  login,
  loginWithToken,
  logout,
  loginAsUser,
  loginAsStudent,
  liveData,
  profile,
  listSessions,
  endOwnSession,
  resetPassword,
]
