import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { instructorReach } from '#areas/people/people/instructors/instructor.server.ts'
import type { Db } from '#db/connect.ts'
import { addressLimit, attempt, limitsOf } from '#kit/server/identity/attempts.ts'
import { actorOf, isBearer } from '#kit/server/identity/auth.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Actor, Ctx, Handled } from '#kit/server/base/context.ts'
import { isKnownDevice, presentedDevice, rememberDevice } from '#kit/server/identity/devices.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { momentIn } from '#kit/server/mail/moment.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { closedForMaintenance, modesNow, worksMeanwhile } from '#kit/server/base/modes.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { verifyPassword } from '#kit/server/identity/passwords.ts'
import {
  createSession,
  endLeft,
  endSession,
  endedCookies,
  hashToken,
  newToken,
  sessionCookies,
} from '#kit/server/identity/sessions.ts'
import type { NewSession, SecondFactor, SignedInBy } from '#kit/server/identity/sessions.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { userReach } from '../rights/people.server.ts'
import { farewell } from '../saml/logout.server.ts'
import { openStep, stepAfter } from '../second-factor/factors.server.ts'
import { aboutMail, byEmail, byId, refuseAbove, shown } from './people.server.ts'
import type { CurrentUser, UserRow } from './people.server.ts'
import * as calls from './sign-in.contract.ts'
import type { FirstStep } from './sign-in.contract.ts'

export const secure = (ctx: Ctx): boolean => ctx.services.config.publicUrl.startsWith('https:')
/** Adds cookies to the answer. */
export const setCookies = (ctx: Ctx, cookies: string[]): void => {
  if (cookies.length) ctx.http?.reply.header('set-cookie', cookies)
}
/** Whether the session is that of a browser, whose cookie a new one replaces; a program keeps its tokens itself. */
const inBrowser = (ctx: Ctx): boolean => ctx.http !== null && !isBearer(ctx.http.request)
const agentOf = (ctx: Ctx): string | null => ctx.http?.request.headers['user-agent'] ?? null
/** The browser that asks, by its own secret. */
export const deviceIn = (ctx: Ctx): Buffer | null => presentedDevice(ctx.http?.request.headers.cookie, secure(ctx))

/** Begins a session and gives its cookies to the browser. */
export async function begin(
  ctx: Ctx,
  row: UserRow,
  how: Pick<NewSession, 'impersonator' | 'confirmed' | 'by' | 'second' | 'login' | 'student_id' | 'until'> = {},
): Promise<{ data: { token: string; user: CurrentUser } }> {
  const { token, expires_at } = await createSession(ctx.pool, {
    user_id: row.id,
    ip: ctx.ip,
    user_agent: agentOf(ctx),
    ...how,
  })
  setCookies(ctx, sessionCookies(secure(ctx), token, expires_at, row))
  ctx.http?.request.log.info({ user_id: row.id, as: how.impersonator?.user_id, ip: ctx.ip }, 'signed in')
  const user = shown(ctx, row)
  return { data: { token, user: how.student_id ? { ...user, student_id: how.student_id } : user } }
}

/** During maintenance only those come in who may work meanwhile; which they are is known once they have shown who they are. */
async function refuseInMaintenance(ctx: Ctx, row: UserRow): Promise<void> {
  const modes = await modesNow(ctx.services)
  if (modes.maintenance && !worksMeanwhile(await actorOf(ctx.services.pool, row.id))) throw closedForMaintenance(modes)
}

/** Somebody has shown who it is: the browser's old session ends, the browser is remembered, a new session begins. */
export async function signIn(
  ctx: Ctx,
  row: UserRow,
  { login, ...how }: { readonly by: SignedInBy; readonly second?: SecondFactor; readonly login?: number | null },
): Promise<{ data: { token: string; user: CurrentUser } }> {
  await refuseInMaintenance(ctx, row)
  if (ctx.actor && inBrowser(ctx)) await endLeft(ctx.pool, ctx.actor.session_id)
  const unknown = await remember(ctx, row)
  const entry = { actor_id: row.id, subject_id: row.id, data: { ...how, ...(unknown && { new_browser: true }) } }
  await ctx.services.security.write(ctx, { kind: 'sign_in', ...entry })
  if (unknown) await tellOfNewDevice(ctx, row)
  return begin(ctx, row, { ...how, login })
}

/** Somebody has shown a first factor: in, or a ticket to the next step. */
export async function enter(
  ctx: Ctx,
  row: UserRow,
  by: 'password' | 'link' | 'provider',
  login: number | null = null,
): Promise<FirstStep> {
  const { step, ways } = await stepAfter(ctx.pool, row.id, by)
  if (step === 'in') return signIn(ctx, row, { by, login })
  return { data: { second_factor: { ...(await openStep(ctx.pool, row.id, by, login)), step, ways } } }
}

/** Remembers the browser as one of the person's. True when the person should hear of it. */
export async function remember(ctx: Ctx, row: UserRow): Promise<boolean> {
  const { cookies, unknown } = await rememberDevice(ctx.pool, row.id, {
    device: deviceIn(ctx),
    ip: ctx.ip,
    userAgent: agentOf(ctx),
    secure: secure(ctx),
  })
  setCookies(ctx, cookies)
  return unknown
}

const tellOfNewDevice = (ctx: Ctx, row: UserRow): Promise<void> =>
  ctx.write(async (tx) => {
    await notify(tx, [row.id], { key: 'kit.notice_new_sign_in', data: { address: ctx.ip ?? '–' }, link: '/profile' })
    const about = {
      user_id: row.id,
      at: new Date().toISOString(),
      ip: ctx.ip,
      agent: agentOf(ctx)?.slice(0, 300) ?? null,
    }
    await ctx.services.jobs.send(tx, tellNewSignIn, about, { actor: null })
  })

/** Tells a person by mail that somebody signed in with the own account in a browser not seen before. */
export const tellNewSignIn = defineJob({
  name: 'tell-new-sign-in',
  retries: 5,
  async run(ctx, about: { user_id: number; at: string; ip: string | null; agent: string | null }) {
    const row = await byId(ctx.pool, about.user_id)
    if (!row?.email) return
    await ctx.services.mail.send({
      to: row.email,
      lang: row.language,
      key: 'new_sign_in',
      data: {
        ...(await aboutMail(ctx, row)),
        at: momentIn(about.at, row.language),
        address: about.ip ?? '–',
        browser: about.agent ?? '–',
        link: `${ctx.services.config.publicUrl}/profile`,
      },
    })
  },
})

/** Whether a person may come in by an entry: by that of the account, and by those of what the person is. */
export const mayEnter = (row: UserRow, entry: number | null | undefined): boolean =>
  !entry ||
  entry === row.type ||
  (entry === 1 && row.instructor_id !== null) ||
  (entry === 3 && row.student_id !== null)

const login = handle(calls.login, async (ctx, { body }) => {
  const sent = deviceIn(ctx)
  const device = sent && (await isKnownDevice(ctx.pool, sent, body.email)) ? sent : null
  const failed = (reason: string, row?: UserRow) => ({
    kind: 'sign_in_failed' as const,
    ...(row ? { subject_id: row.id } : { account: body.email }),
    data: { reason },
  })
  const limits = limitsOf({ what: 'login', account: body.email, ip: ctx.ip, device })
  const succeeded = await attempt(ctx.pool, limits).catch(async (error: unknown) => {
    // Whoever hammers fills no log.
    ctx.services.security.note(ctx, failed('slowed', await byEmail(ctx.pool, body.email)), `${ctx.ip} ${body.email}`)
    throw error
  })
  const row = await byEmail(ctx.pool, body.email)
  // Takes as long for an unknown account as for a known one.
  const right = await verifyPassword(row?.password_hash, body.password)
  if (!row || !right || !mayEnter(row, body.type)) {
    await ctx.services.security.write(ctx, failed(right ? 'entry' : 'wrong', row))
    throw refuse(401, 'sign_in_failed')
  }
  await succeeded()
  if (row.blocked) {
    await ctx.services.security.write(ctx, failed('blocked', row))
    throw refuse(403, 'account_blocked')
  }
  return enter(ctx, row, 'password')
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
  const succeeded = await attempt(ctx.pool, [addressLimit('token', ctx.ip)])
  const { rows } = await ctx.pool.query<{ user_id: number }>(
    `update login_tokens set used_at = now() where token_hash = $1 and used_at is null and expires_at > now() returning user_id`,
    [hashToken(body.token)],
  )
  const row = rows[0] && (await byId(ctx.pool, rows[0].user_id))
  if (!row) throw refuse(401, 'link_not_valid')
  await succeeded()
  if (row.blocked) throw refuse(403, 'account_blocked')
  return enter(ctx, row, 'link')
})

const logout = handle(calls.logout, async (ctx) => {
  setCookies(ctx, endedCookies(secure(ctx)))
  const { actor, pool } = ctx
  if (!actor) return { data: null }
  const kind = actor.impersonator_id === null ? 'sign_out' : 'log_in_as_ended'
  await ctx.services.security.write(ctx, { kind, subject_id: actor.user_id })
  if (actor.impersonator_id === null) {
    const url = inBrowser(ctx) ? await farewell(ctx, actor.session_id) : null
    await endSession(pool, actor.user_id, actor.session_id)
    return { data: null, ...(url !== null && { meta: { url } }) }
  }
  // Back into one's own session, where that still runs: a new one takes its place, because its token is not known here.
  const { rows } = await pool.query<{
    user_id: number
    id: string
    by: SignedInBy | null
    second: SecondFactor | null
    until: string
  }>(
    `with over as (delete from sessions where id = $1 returning impersonator_session_id)
     select own.user_id, own.id, own.signed_in_by as by, own.second_factor as second, own.expires_at as until from over join sessions own on own.id = over.impersonator_session_id where own.expires_at > now()`,
    [actor.session_id],
  )
  const own = rows[0]
  const row = own && (await byId(pool, own.user_id))
  if (own && inBrowser(ctx)) await endLeft(pool, own.id)
  // It ends when the old one would have: to log in as others and come back makes no day longer.
  const how = {
    ...(own?.by && { by: own.by, second: own.second }),
    confirmed: false,
    until: own && new Date(own.until),
  }
  return row && !row.blocked ? begin(ctx, row, how) : { data: null }
})

async function loginAs(
  ctx: Ctx,
  row: UserRow | undefined,
  change = false,
  student_id?: number,
): Promise<{ data: { token: string; user: CurrentUser } }> {
  const actor = actorIn(ctx)
  if (change && !ctx.can('change_as_other')) throw refuse(403, 'not_allowed')
  if (actor.impersonator_id !== null) throw refuse(409, 'already_as_other')
  if (!row || row.id === actor.user_id) throw refuse(404, 'not_found')
  if (row.blocked) throw refuse(409, 'account_blocked')
  await refuseAbove(ctx, actor, row)
  await ctx.services.security.write(ctx, { kind: 'log_in_as', subject_id: row.id, data: { change } })
  return begin(ctx, row, {
    impersonator: {
      user_id: actor.user_id,
      session_id: actor.session_id,
      read_only: !change,
    },
    ...(student_id !== undefined && { student_id }),
  })
}

/** The account that somebody wants to enter, and whether a student bears it. */
interface Entered {
  user_id: number | null
  studies: boolean
}
const loginAsUser = handle(calls.loginAsUser, async (ctx, { body }) => {
  const whose =
    'user_id' in body
      ? sql<Entered>`select t.id as user_id, exists (select from students s where s.user_id = t.id and s.removed_at is null) as studies
          from users t where t.id = ${body.user_id} and t.removed_at is null
            and ${scopeCondition(ctx, 'login_as_user', userReach())}`
      : sql<Entered>`select t.user_id, false as studies from instructors t where t.id = ${body.instructor_id} and t.removed_at is null
          and ${scopeCondition(ctx, 'login_as_user', instructorReach())}`
  const { rows } = await whose.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  if (found.user_id === null) throw refuse(409, 'no_account')
  const row = await byId(ctx.pool, found.user_id)
  if (!found.studies) return loginAs(ctx, row, body.change)
  // Whoever studies is a student by whatever door somebody comes to the account, and entered as one record.
  const records = await studentsOf(ctx, found.user_id)
  const record = records.find((id) => id === row?.student_id) ?? records[0]
  if (record === undefined) throw refuse(403, 'not_allowed')
  return loginAs(ctx, row, body.change, record)
})

/** Records of an account as which the reader may log in. */
async function studentsOf(ctx: Ctx, user_id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select t.id from students t
    where t.user_id = ${user_id} and t.removed_at is null and ${actsAsStudent(ctx)}`.execute(ctx.db)
  return rows.map(({ id }) => id)
}

/** SQL: whether the reader may log in as the student `t`. Never by teaching: who teaches a student does not act as one. */
function actsAsStudent(ctx: Ctx) {
  const { own: _own, taught: _taught, ...reach } = studentReach(ctx)
  return scopeCondition(ctx, 'login_as_student', reach)
}

const loginAsStudent = handle(calls.loginAsStudent, async (ctx, { body }) => {
  const { rows } = await sql<{ user_id: number | null; blocked: boolean }>`
    select user_id, blocked_at is not null as blocked from students t where id = ${body.student_id} and removed_at is null and ${actsAsStudent(ctx)}`.execute(
    ctx.db,
  )
  if (rows[0] && rows[0].user_id === null) throw refuse(409, 'no_account')
  const userId = rows[0]?.user_id
  if (rows[0]?.blocked) throw refuse(409, 'account_blocked')
  return loginAs(ctx, userId ? await byId(ctx.pool, userId) : undefined, body.change, body.student_id)
})

export const signInHandlers: readonly Handled[] = [login, loginWithToken, logout, loginAsUser, loginAsStudent]
