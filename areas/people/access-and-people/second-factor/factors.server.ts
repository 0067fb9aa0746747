/** What stands between a first factor and a session: whether something follows, the ticket to it, and what is shown. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type pg from 'pg'
import { query } from '#db/connect.ts'
import type { Db, Queryable, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import type { Seal } from '#kit/server/identity/sealed.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import type { SignedInBy } from '#kit/server/identity/sessions.ts'
import type { RoleWithPeople } from './second-factor.contract.ts'
import { RECOVERY_CODES, judgeCode, nextStep, plainCode, recoveryCode } from './totp.server.ts'
import type { NextStep } from './totp.server.ts'
import { heldByBeing } from '../roles/held-by-being.server.ts'

/** Minutes within which the next step is taken; setting up an app takes some. */
const STEP_MINUTES = 15
/** After which first factors the university may leave the second one out, by its settings. */
type First = Exclude<SignedInBy, 'passkey'>

/** The key of their seal, among the secrets of the university. */
export const FACTORS = 'second_factor'
export const sealOfFactors = (ctx: Ctx) => sealOf(ctx.services, FACTORS)

/** Seals keys of authenticator apps anew that were sealed with the key before. @returns how many */
export async function resealFactors(db: Db, seal: Seal): Promise<number> {
  const { rows } = await sql<{ user_id: number; secret: Buffer | null; pending: Buffer | null }>`
    select user_id, secret, pending from totp_secrets`.execute(db)
  let count = 0
  for (const { user_id, ...sealed } of rows)
    for (const [name, before] of Object.entries(sealed)) {
      const about = String(user_id)
      if (!before || !seal.isOfBefore(before, about)) continue
      // Somebody may set up another one at this moment: only what was read is replaced.
      await sql`update totp_secrets set ${sql.ref(name)} = ${seal.seal(seal.open(before, about), about)}
        where user_id = ${user_id} and ${sql.ref(name)} = ${before}`.execute(db)
      count++
    }
  return count
}

/** SQL: the user (its alias) holds the role `r` today: by an assignment, by the kind of account, or by what the account may. */
const holdsToday = (u: string) => `(
  ${heldByBeing('r.key', u)}
  or exists (select from role_assignments a where a.user_id = ${u}.id and a.role_id = r.id
    and coalesce(a.valid_from <= university_today(), true) and coalesce(a.valid_to >= university_today(), true)))`
/** SQL: a role that the user `u` holds today demands a second factor. */
const DEMANDED = `exists (select from roles r where r.second_factor and r.removed_at is null and ${holdsToday('u')})`

/** SQL: the user `t` holds one of these roles today, may sign in, and does so without a second factor. */
export const signsInWithout = (roleIds: readonly number[]) => sql<SqlBool>`(t.second_factor_at is null
  and t.blocked_at is null and exists (select from roles r where r.id = any(${roleIds}::int[]) and r.removed_at is null
    and ${sql.raw(holdsToday('t'))}))`

/** Every role with how many people hold it today, and what they have. Whom `holdsToday` finds is found here from the role's side. */
export async function rolesWithPeople(db: Db): Promise<RoleWithPeople[]> {
  const { rows } = await sql<RoleWithPeople>`
    with held as (
      select a.role_id, a.user_id from role_assignments a
      where coalesce(a.valid_from <= university_today(), true) and coalesce(a.valid_to >= university_today(), true)
      union
      select r.id, u.id from users u join roles r on r.key = case u.type when 3 then 'student' when 4 then 'applicant' end
      union
      select r.id, u.id from users u join roles r on (u.is_root and r.key = 'root') or (u.is_super_admin and r.key = 'super_admin')
      where u.is_root or u.is_super_admin)
    select r.id, r.name, r.name_local, r.second_factor as required, count(u.id)::int as people,
      count(s.user_id)::int as app, count(p.user_id)::int as passkey, count(c.user_id)::int as recovery_codes,
      count(u.id) filter (where u.second_factor_at is null)::int as without
    from roles r
    left join held h on h.role_id = r.id
    left join users u on u.id = h.user_id and u.removed_at is null and u.blocked_at is null
    left join totp_secrets s on s.user_id = u.id and s.secret is not null
    left join (select distinct user_id from passkeys) p on p.user_id = u.id
    left join (select distinct user_id from recovery_codes where used_at is null) c on c.user_id = u.id
    where r.removed_at is null group by r.id order by r.id`.execute(db)
  return rows
}

export interface FactorsOf {
  readonly since: string | null
  /** An authenticator app is set up. */
  readonly app: boolean
  readonly passkeys: number
  readonly recovery_codes_left: number
  readonly required: boolean
  /** The account has a password. */
  readonly password: boolean
}
/** What a person has to show: since when, what is left, whether a role demands it. */
export const factorsOf = async (pool: Queryable, userId: number): Promise<FactorsOf> =>
  (
    await query<FactorsOf & pg.QueryResultRow>(
      pool,
      'second_factor_of',
      `select u.second_factor_at as since, ${DEMANDED} as required, u.password_hash is not null as password,
         exists (select from totp_secrets s where s.user_id = u.id and s.secret is not null) as app,
         (select count(*)::int from passkeys p where p.user_id = u.id) as passkeys,
         (select count(*)::int from recovery_codes c where c.user_id = u.id and c.used_at is null) as recovery_codes_left
       from users u where u.id = $1`,
      [userId],
    )
  )[0]!

/** By what the second step can be taken, besides recovery codes. */
export type StepWay = 'passkey' | 'code'
/** What follows a first factor of a person. */
export async function stepAfter(
  pool: Queryable,
  userId: number,
  by: First,
): Promise<{ step: NextStep; ways: StepWay[] }> {
  const [found] = await query<{ has: boolean; required: boolean; asked: boolean; app: boolean; passkey: boolean }>(
    pool,
    'sign_in_next_step',
    `select u.second_factor_at is not null as has, ${DEMANDED} as required,
       exists (select from totp_secrets s where s.user_id = u.id and s.secret is not null) as app,
       exists (select from passkeys p where p.user_id = u.id) as passkey,
       $2 = 'password' or coalesce((select value #>> '{}' = 'true' from settings where key = 'second_factor_after_' || $2), true) as asked
     from users u where u.id = $1`,
    [userId, by],
  )
  const step = nextStep(found!)
  const { app, passkey } = found!
  const open = { passkey: passkey || step === 'enrol', code: app || step === 'enrol' }
  return { step, ways: (['passkey', 'code'] as const).filter((way) => open[way]) }
}

/** A ticket to the next step. */
export async function openStep(
  pool: Queryable,
  userId: number,
  by: First,
  login: number | null = null,
): Promise<{ ticket: string; expires_at: string }> {
  const { token, hash } = newToken()
  const { rows } = await pool.query<{ expires_at: string }>(
    `insert into sign_in_steps (ticket_hash, user_id, signed_in_by, expires_at, provider_login_id)
     values ($1, $2, $3, now() + make_interval(mins => $4), $5) returning expires_at`,
    [hash, userId, by, STEP_MINUTES, login],
  )
  return { ticket: token, expires_at: firstRow(rows).expires_at }
}

interface Step {
  readonly user_id: number
  readonly signed_in_by: First
  readonly login: number | null
}
/** Whose ticket it is. @throws {Refusal} 409 `sign_in_step_over` */
export async function signInStepOf(pool: Queryable, ticket: string): Promise<Step> {
  const { rows } = await pool.query<Step>(
    'select user_id, signed_in_by, provider_login_id as login from sign_in_steps where ticket_hash = $1 and expires_at > now()',
    [hashToken(ticket)],
  )
  if (!rows[0]) throw refuse(409, 'sign_in_step_over')
  return rows[0]
}
/** The ticket has led where it should: it does so once. @throws {Refusal} 409 `sign_in_step_over` */
export async function closeStep(pool: Queryable, ticket: string): Promise<void> {
  const { rowCount } = await pool.query('delete from sign_in_steps where ticket_hash = $1 and expires_at > now()', [
    hashToken(ticket),
  ])
  if (rowCount !== 1) throw refuse(409, 'sign_in_step_over')
}

/**
 * Takes a code of the app, once: of two processes that are given it at the same moment, one takes it.
 *
 * @param which the secret that counts, or the one that is being set up
 * @throws {Refusal} 403 `code_wrong`, `code_used`, `code_clock`
 */
export async function takeCode(ctx: Ctx, userId: number, given: string, which: 'secret' | 'pending'): Promise<void> {
  const [found] = await query<{ sealed: Buffer; last_step: string; now: number }>(
    ctx.pool,
    `totp_${which}`,
    // The clock of the database, so that it is one for all processes.
    `select ${which} as sealed, last_step, extract(epoch from clock_timestamp())::float8 as now from totp_secrets
     where user_id = $1 and ${which} is not null`,
    [userId],
  )
  if (!found) throw refuse(409, which === 'pending' ? 'second_factor_setup_first' : 'no_authenticator_app')
  const secret = (await sealOfFactors(ctx)).open(found.sealed, String(userId))
  // Another secret's codes are others: what was used of the old one says nothing of the new one.
  const last = which === 'secret' ? Number(found.last_step) : 0
  const verdict = judgeCode(secret, plainCode(given), found.now, last)
  if ('refused' in verdict) {
    const { refused, ...data } = verdict
    throw refuse(403, refused, data, 'code')
  }
  const { rowCount } = await ctx.pool.query(
    which === 'secret'
      ? 'update totp_secrets set last_step = $2 where user_id = $1 and secret = $3 and last_step < $2'
      : 'update totp_secrets set secret = pending, pending = null, last_step = $2 where user_id = $1 and pending = $3',
    [userId, verdict.step, found.sealed],
  )
  if (rowCount !== 1) throw refuse(403, 'code_used', {}, 'code')
}

/** Takes a recovery code, once, and tells the person. @throws {Refusal} 403 `recovery_code_wrong` */
export async function takeRecoveryCode(ctx: Ctx, userId: number, given: string): Promise<void> {
  const seal = await sealOfFactors(ctx)
  await ctx.write(async (tx) => {
    const { numAffectedRows } = await sql`update recovery_codes set used_at = now()
      where user_id = ${userId} and code_hash = any(${seal.digests(`${userId} ${plainCode(given)}`)}::bytea[]) and used_at is null`.execute(
      tx,
    )
    if (numAffectedRows !== 1n) throw refuse(403, 'recovery_code_wrong', {}, 'recovery_code')
    const { rows } = await sql<{ left: number }>`
      select count(*)::int as left from recovery_codes where user_id = ${userId} and used_at is null`.execute(tx)
    await notify(tx, [userId], {
      key: 'access-and-people.notice_recovery_code_used',
      data: { left: firstRow(rows).left },
      link: '/profile/sign-in',
    })
  })
}

/** Makes recovery codes; the old ones end. They are told once: only digests are kept. */
export async function makeRecoveryCodes(ctx: Ctx, tx: Tx, userId: number): Promise<string[]> {
  const seal = await sealOfFactors(ctx)
  const codes = new Set<string>()
  while (codes.size < RECOVERY_CODES) codes.add(recoveryCode(randomBytes(7)))
  const digests = [...codes].map((code) => seal.digest(`${userId} ${plainCode(code)}`))
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
  await sql`insert into recovery_codes (user_id, code_hash) select ${userId}, unnest(${digests}::bytea[])`.execute(tx)
  return [...codes]
}

/** Holds the account while its factors change: two who take one off each leave none otherwise. */
export const holdFactors = async (ctx: Ctx, tx: Tx, userId: number): Promise<FactorsOf> => {
  await sql`select from users where id = ${userId} for update`.execute(tx)
  return factorsOf(ctx.pool, userId)
}

/** A factor was set up: from now on it is asked for. The first one comes with recovery codes. */
export async function factorAdded(ctx: Ctx, tx: Tx, userId: number): Promise<string[]> {
  const { numAffectedRows } =
    await sql`update users set second_factor_at = now() where id = ${userId} and second_factor_at is null`.execute(tx)
  return numAffectedRows === 1n ? makeRecoveryCodes(ctx, tx, userId) : []
}

/** A factor was taken off; after the last one nothing is asked for any more. True: that was the last one. */
export async function factorRemoved(tx: Tx, userId: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update users u set second_factor_at = null where id = ${userId}
    and not exists (select from passkeys p where p.user_id = u.id)
    and not exists (select from totp_secrets s where s.user_id = u.id and s.secret is not null)`.execute(tx)
  if (numAffectedRows !== 1n) return false
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
  await sql`delete from sign_in_steps where user_id = ${userId}`.execute(tx)
  return true
}

/** Takes away everything that is shown as a second factor; false when there was nothing. */
export async function dropFactors(tx: Tx, userId: number): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update users set second_factor_at = null where id = ${userId} and second_factor_at is not null`.execute(
      tx,
    )
  await sql`delete from totp_secrets where user_id = ${userId}`.execute(tx)
  await sql`delete from passkeys where user_id = ${userId}`.execute(tx)
  await sql`delete from recovery_codes where user_id = ${userId}`.execute(tx)
  await sql`delete from sign_in_steps where user_id = ${userId}`.execute(tx)
  return numAffectedRows === 1n
}
