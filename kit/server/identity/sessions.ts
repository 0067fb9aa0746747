import { hash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { query } from '#db/connect.ts'
import type { Db, Queryable } from '#db/connect.ts'

/** Name of the cookie that carries the token. Scripts cannot read it. Over https it has the prefix `__Host-`. */
const SESSION_COOKIE = 'session'
/** Name of the cookie that scripts may read: only `{id, is_super_admin, is_root}`. */
export const USER_COOKIE = 'user'
/** Milliseconds without use after which a session ends. */
export const IDLE = 3 * 3_600_000
/** Milliseconds after which a session ends, used or not. */
export const LIFETIME = 24 * 3_600_000
/** How long a session as another person lasts, in milliseconds; never longer than the user's own session. */
export const IMPERSONATION = 3_600_000

/** A new secret of 256 bits, and the hash under which it is kept. */
export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashToken(token) }
}
/** What is stored of a token. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** By what somebody signed in. */
export type SignedInBy = 'password' | 'link' | 'provider' | 'passkey'
/** The second factor of a sign-in. */
export type SecondFactor = 'code' | 'recovery_code' | 'passkey'

export interface NewSession {
  readonly user_id: number
  readonly ip: string | null
  readonly user_agent?: string | null
  /** Whoever sits there has just proved who it is, with a password or a link from the own mailbox. Taken for granted. */
  readonly confirmed?: boolean
  /** How the person came in, and what was shown besides. */
  readonly by?: SignedInBy
  readonly second?: SecondFactor | null
  /** As whom the provider of single sign-on knows the session (`provider_logins`). */
  readonly login?: number | null
  /** Somebody else logs in as this person, out of this session of theirs. */
  readonly impersonator?: {
    readonly user_id: number
    readonly session_id: string
    readonly read_only: boolean
    /** Acts for the person by this delegation, and with nothing more than it names. */
    readonly delegation_id?: number
  }
  /** As which of the person's records of a student. */
  readonly student_id?: number
  /** When the session ends at the latest: it takes the place of one that would have ended then. */
  readonly until?: Date | null
}

/** Begins a session; only the answer knows its token. */
export async function createSession(
  pool: Queryable,
  { user_id, ip, user_agent, confirmed = true, by, second, login, impersonator, student_id, until }: NewSession,
): Promise<{ id: string; token: string; expires_at: Date }> {
  const { token, hash } = newToken()
  const id = randomUUID()
  const [row] = await query<{ expires_at: string }>(
    pool,
    'session_create',
    `with seen as (
       insert into last_logins (user_id, last_login_at, ip, user_agent) select $3::integer, now(), $5::inet, $6::text where $7::integer is null
       on conflict (user_id) do update set last_login_at = excluded.last_login_at, ip = excluded.ip, user_agent = excluded.user_agent
     )
     insert into sessions (token_hash, id, user_id, expires_at, ip, user_agent, impersonator_id, impersonator_session_id, read_only, confirmed_at, delegation_id, signed_in_by, second_factor, provider_login_id, student_id, second_proved_at)
     values ($1, $2, $3, least(now() + make_interval(secs => $4), $16::timestamptz, (select own.expires_at from sessions own where own.id = $8)), $5, $6, $7, $8, $9, case when $10::boolean then now() end, $11, $12, $13, $14, $15, case when $10::boolean and ($13::text is not null or $12::text = 'passkey') then now() end)
     returning expires_at`,
    [
      hash,
      id,
      user_id,
      // Whoever stands in for somebody does a day's work.
      (impersonator && impersonator.delegation_id === undefined ? IMPERSONATION : LIFETIME) / 1000,
      ip,
      user_agent?.slice(0, 300) ?? null,
      impersonator?.user_id ?? null,
      impersonator?.session_id ?? null,
      impersonator?.read_only ?? false,
      confirmed && !impersonator,
      impersonator?.delegation_id ?? null,
      by ?? null,
      second ?? null,
      login ?? null,
      student_id ?? null,
      until ?? null,
    ],
  )
  return { id, token, expires_at: new Date(row!.expires_at) }
}

export interface SessionRow {
  readonly id: string
  readonly created_at: string
  readonly last_used_at: string
  readonly expires_at: string
  readonly ip: string | null
  readonly user_agent: string | null
  /** Name of who is logged in as this person. */
  readonly impersonator: string | null
  /** How the person came in, and what was shown besides; null: not known, or not needed. */
  readonly signed_in_by: SignedInBy | null
  readonly second_factor: SecondFactor | null
}

/** Open sessions of a person, the last used first; those of others logged in as the person too. */
export const sessionsOf = (pool: Queryable, userId: number): Promise<SessionRow[]> =>
  query<SessionRow>(
    pool,
    'sessions_of',
    `select s.id, s.created_at, s.last_used_at, s.expires_at, host(s.ip) as ip, s.user_agent, i.name as impersonator,
       s.signed_in_by, s.second_factor
     from sessions s left join users i on i.id = s.impersonator_id
     where s.user_id = $1 and s.expires_at > now() and s.last_used_at > now() - make_interval(secs => $2)
     order by s.last_used_at desc`,
    [userId, IDLE / 1000],
  )

/** Ends one session of a person, at once in every process. False when there is none. */
export async function endSession(pool: Queryable, userId: number, sessionId: string): Promise<boolean> {
  const { rowCount } = await pool.query('delete from sessions where id = $1 and user_id = $2', [sessionId, userId])
  return rowCount === 1
}

/** Ends every session of a person, and those of others logged in as the person; how many there were. */
export async function endSessions(tx: Db, userId: number): Promise<number> {
  // Who is half in comes no further, either.
  await sql`delete from sign_in_steps where user_id = ${userId}`.execute(tx)
  const { numAffectedRows } = await sql`delete from sessions where user_id = ${userId}`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Ends the sessions that a browser leaves behind when somebody signs in again: its session, and the one to which that
 * would have returned.
 */
export async function endLeft(pool: Queryable, sessionId: string): Promise<void> {
  await pool.query(
    `delete from sessions where id = $1 or id = (select impersonator_session_id from sessions where id = $1)`,
    [sessionId],
  )
}

/** Minutes for which a proof of who sits there is enough for sensitive acts. */
const CONFIRMED_MINUTES = 15

/**
 * Whether the user has confirmed their identity recently, by the database's clock; otherwise how to do it: `password`
 * if there is one, or a passkey, or a code; else `sign_in`. A user logged in as another person confirms their own
 * identity.
 *
 * @param second requires the second factor if one is set up: `second_factor`
 */
export async function confirmationOf(
  pool: Queryable,
  sessionId: string,
  second = false,
): Promise<'fresh' | 'password' | 'second_factor' | 'sign_in'> {
  const [row] = await query<{ fresh: boolean | null; second: boolean; can_prove: boolean }>(
    pool,
    'session_confirmation',
    `select case when $3::boolean and u.second_factor_at is not null then s.second_proved_at else s.confirmed_at end
         > now() - make_interval(mins => $2) as fresh,
       $3::boolean and u.second_factor_at is not null as second,
       u.password_hash is not null or u.second_factor_at is not null as can_prove
     from sessions s join users u on u.id = coalesce(s.impersonator_id, s.user_id) where s.id = $1`,
    [sessionId, CONFIRMED_MINUTES, second],
  )
  if (row?.fresh) return 'fresh'
  return row?.second ? 'second_factor' : row?.can_prove ? 'password' : 'sign_in'
}

/** Records that the user has just confirmed their identity; `second`: with a second factor. */
export const confirmSession = (pool: Queryable, sessionId: string, second = false): Promise<unknown> =>
  pool.query(
    'update sessions set confirmed_at = now(), second_proved_at = case when $2::boolean then now() else second_proved_at end where id = $1',
    [sessionId, second],
  )

/** Deletes what is over: sessions, links, counts of failed attempts, import previews. */
export async function sweep(pool: Queryable): Promise<void> {
  await pool.query(
    `delete from sessions where expires_at < now() or last_used_at < now() - make_interval(secs => $1)`,
    [IDLE / 1000],
  )
  await pool.query(`delete from password_resets where expires_at < now() - interval '1 day'`)
  await pool.query(`delete from login_tokens where expires_at < now() - interval '1 day'`)
  await pool.query(`delete from provider_sign_ins where expires_at < now()`)
  await pool.query(`delete from share_links where expires_at < now()`)
  await pool.query(`delete from student_addresses where expires_at < now()`)
  await pool.query(`delete from share_visits where expires_at < now()`)
  await pool.query(`delete from passkey_challenges where expires_at < now()`)
  await pool.query(`delete from provider_answers where expires_at < now()`)
  await pool.query(`delete from provider_logins where at < now() - interval '2 days'`)
  await pool.query(`delete from saml_assertions where expires_at < now()`)
  await pool.query(`delete from saml_samples where at < now() - interval '1 hour'`)
  await pool.query(`delete from sign_in_steps where expires_at < now()`)
  await pool.query(`delete from login_attempts where last_failed_at < now() - interval '1 day'`)
  await pool.query(`delete from uploads_of_day where day < university_today() - 1`)
  await pool.query(`delete from import_previews where created_at < now() - interval '1 hour'`)
}

/** A cookie that no other host and no plain connection can set has a name that says so, and browsers see to it. */
const named = (name: string, secure: boolean): string => (secure ? `__Host-${name}` : name)

/** The value of one of our own cookies in a `Cookie` header. */
export function cookieIn(header: string | undefined, name: string, secure: boolean): string | undefined {
  const wanted = named(name, secure)
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (pair.slice(0, at).trim() === wanted) return pair.slice(at + 1).trim()
  }
  return undefined
}

/** The token of a browser's session in a `Cookie` header. */
export const sessionCookieIn = (header: string | undefined, secure: boolean): string | undefined =>
  cookieIn(header, SESSION_COOKIE, secure)

/** One value of a `Set-Cookie` header. `secure` where the application is reached by https; `host`: nobody else may set it. */
export const cookie = (
  name: string,
  value: string,
  o: { secure: boolean; host?: boolean; readable?: boolean; expires?: Date },
): string =>
  [
    `${o.host ? named(name, o.secure) : name}=${encodeURIComponent(value)}`,
    'Path=/',
    'SameSite=Lax',
    ...(o.readable ? [] : ['HttpOnly']),
    ...(o.secure ? ['Secure'] : []),
    ...(o.expires ? [`Expires=${o.expires.toUTCString()}`] : []),
  ].join('; ')

/** The cookies of a session that begins. */
export const sessionCookies = (
  secure: boolean,
  token: string,
  expires: Date,
  user: { id: number; is_super_admin: boolean; is_root: boolean },
): string[] => [
  cookie(SESSION_COOKIE, token, { secure, host: true, expires }),
  cookie(USER_COOKIE, JSON.stringify({ id: user.id, is_super_admin: user.is_super_admin, is_root: user.is_root }), {
    secure,
    readable: true,
    expires,
  }),
]
/** The cookies that end one. */
export const endedCookies = (secure: boolean): string[] => [
  cookie(SESSION_COOKIE, '', { secure, host: true, expires: new Date(0) }),
  cookie(USER_COOKIE, '', { secure, readable: true, expires: new Date(0) }),
]
