import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { attempt, personLimit } from '#kit/server/identity/attempts.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { isKnownDevice } from '#kit/server/identity/devices.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { qrModules } from '#kit/server/papers/qr.ts'
import { confirmSession } from '#kit/server/identity/sessions.ts'
import { universityHead } from '#kit/server/base/university.ts'
import { ownAccount } from '../sign-in/account.server.ts'
import { byId, personWithin, refuseAbove } from '../sign-in/people.server.ts'
import type { UserRow } from '../sign-in/people.server.ts'
import { deviceIn, signIn } from '../sign-in/sign-in.server.ts'
import {
  closeStep,
  dropFactors,
  factorRemoved,
  factorsOf,
  holdFactors,
  makeRecoveryCodes,
  rolesWithPeople,
  sealOfFactors,
  signInStepOf,
  takeCode,
  takeRecoveryCode,
} from './factors.server.ts'
import { secondFactorCalls as calls } from './second-factor.contract.ts'
import type { Enrolment } from './second-factor.contract.ts'
import { base32, totpAddress } from './totp.server.ts'

/** Bytes of a secret, as RFC 4226 advises. */
const SECRET_BYTES = 20

/**
 * Counts a try before it is made. Only who knows the password comes this far; and should somebody else know it, the owner
 * still comes in where he or she has signed in before.
 */
async function tries(ctx: Ctx, row: UserRow): Promise<() => Promise<void>> {
  const device = deviceIn(ctx)
  const known = device !== null && (await isKnownDevice(ctx.pool, device, row.email ?? ''))
  return attempt(ctx.pool, [personLimit(known ? 'second factor known' : 'second factor', row.id)])
}

/** Who is on the way in. @throws {Refusal} 409 `sign_in_step_over`, 403 `account_blocked` */
export async function onTheWay(ctx: Ctx, ticket: string) {
  const step = await signInStepOf(ctx.pool, ticket)
  const row = await byId(ctx.pool, step.user_id)
  if (!row) throw refuse(409, 'sign_in_step_over')
  if (row.blocked) throw refuse(403, 'account_blocked')
  return { row, by: step.signed_in_by, login: step.login }
}

/** What was shown is not right: that is written down, as a wrong password is. */
async function orTell<T>(ctx: Ctx, row: UserRow, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const reason = error instanceof Refusal ? error.reasons[0]?.code : undefined
    if (reason) await ctx.services.security.write(ctx, { kind: 'sign_in_failed', subject_id: row.id, data: { reason } })
    throw error
  }
}

const secondStep = handle(calls.secondStep, async (ctx, { body }) => {
  const { row, by, login } = await onTheWay(ctx, body.ticket)
  const succeeded = await tries(ctx, row)
  const second = 'code' in body ? ('code' as const) : ('recovery_code' as const)
  await orTell(
    ctx,
    row,
    'code' in body
      ? takeCode(ctx, row.id, body.code, 'secret')
      : ctx.write(async () => {
          // Both or neither: a ticket that is over costs no code.
          await takeRecoveryCode(ctx, row.id, body.recovery_code)
          await closeStep(ctx.pool, body.ticket)
        }),
  )
  await succeeded()
  if (second === 'code') await closeStep(ctx.pool, body.ticket)
  return signIn(ctx, row, { by, second, login })
})

// --- Setting it up --------------------------------------------------------------------------------------------------

/** A secret that waits for its first code; the one that counts stays until then. */
async function beginSetup(ctx: Ctx, row: UserRow): Promise<{ data: Enrolment }> {
  const secret = randomBytes(SECRET_BYTES)
  const seal = await sealOfFactors(ctx)
  await ctx.pool.query(
    `insert into totp_secrets (user_id, pending) values ($1, $2) on conflict (user_id) do update set pending = excluded.pending`,
    [row.id, seal.seal(secret, String(row.id))],
  )
  const { name } = await universityHead(ctx)
  const address = totpAddress(secret, name, row.email ?? String(row.id))
  return { data: { secret: base32(secret), address, qr: qrModules(address) } }
}

/** The first code is right: from now on codes are asked for. */
async function finishSetup(ctx: Ctx, row: UserRow, code: string): Promise<string[]> {
  return ctx.write(
    async (tx) => {
      await takeCode(ctx, row.id, code, 'pending')
      await sql`update users set second_factor_at = now() where id = ${row.id}`.execute(tx)
      const codes = await makeRecoveryCodes(ctx, tx, row.id)
      await ctx.services.security.write(
        ctx,
        { kind: 'second_factor', actor_id: row.id, subject_id: row.id, data: { change: 'set_up' } },
        tx,
      )
      await notify(tx, [row.id], { key: 'access-and-people.notice_second_factor_on', link: '/profile/sign-in' })
      return codes
    },
    { reason: 'second factor set up' },
  )
}

const enrolAtSignIn = handle(calls.enrolAtSignIn, async (ctx, { body }) => {
  const { row } = await onTheWay(ctx, body.ticket)
  await refuseSecond(ctx, row.id)
  return beginSetup(ctx, row)
})
/** Who has one already shows it: a password alone does not replace it. */
export async function refuseSecond(ctx: Ctx, userId: number): Promise<void> {
  if ((await factorsOf(ctx.pool, userId)).since !== null) throw refuse(409, 'sign_in_step_over')
}

const finishAtSignIn = handle(calls.finishAtSignIn, async (ctx, { body }) => {
  const { row, by, login } = await onTheWay(ctx, body.ticket)
  const succeeded = await tries(ctx, row)
  const recovery_codes = await orTell(
    ctx,
    row,
    ctx.write(async (tx) => {
      await sql`select from users where id = ${row.id} for update`.execute(tx)
      await refuseSecond(ctx, row.id)
      const codes = await finishSetup(ctx, row, body.code)
      await closeStep(ctx.pool, body.ticket)
      return codes
    }),
  )
  await succeeded()
  const { data } = await signIn(ctx, row, { by, second: 'code', login })
  return { data: { ...data, recovery_codes } }
})

const ownRow = async (ctx: Ctx): Promise<UserRow> => (await byId(ctx.pool, ownAccount(ctx).user_id))!

const finish = handle(calls.finish, async (ctx, { body }) => {
  const row = await ownRow(ctx)
  const succeeded = await attempt(ctx.pool, [personLimit('second factor setup', row.id)])
  const recovery_codes = await finishSetup(ctx, row, body.code)
  await succeeded()
  // The first code is a proof like those that follow.
  await confirmSession(ctx.pool, actorIn(ctx).session_id, true)
  return { data: { recovery_codes } }
})

const newRecoveryCodes = handle(calls.newRecoveryCodes, async (ctx) => {
  const { user_id } = ownAccount(ctx)
  const recovery_codes = await ctx.write(
    async (tx) => {
      const { rows } = await sql<{ since: string | null }>`
        select second_factor_at as since from users where id = ${user_id} for update`.execute(tx)
      if (!rows[0]?.since) throw refuse(409, 'no_second_factor')
      const data = { change: 'recovery_codes' }
      await ctx.services.security.write(ctx, { kind: 'second_factor', subject_id: user_id, data }, tx)
      return makeRecoveryCodes(ctx, tx, user_id)
    },
    { reason: 'new recovery codes' },
  )
  return { data: { recovery_codes } }
})

/** The app is taken off; passkeys stay, and are asked for. */
const drop = handle(calls.dropSecondFactor, async (ctx) => {
  const { user_id } = ownAccount(ctx)
  const reason = 'own authenticator app taken off'
  await ctx.write(
    async (tx) => {
      const held = await holdFactors(ctx, tx, user_id)
      if (!held.app) throw refuse(409, held.since === null ? 'no_second_factor' : 'no_authenticator_app')
      if (held.required && held.passkeys === 0) throw refuse(409, 'second_factor_demanded')
      await sql`delete from totp_secrets where user_id = ${user_id}`.execute(tx)
      await tellTakenAway(ctx, tx, user_id, { reason, last: await factorRemoved(tx, user_id) })
    },
    { reason },
  )
  return { data: null }
})

async function tellTakenAway(
  ctx: Ctx,
  tx: Tx,
  userId: number,
  { reason, last }: { reason: string; last: boolean },
): Promise<void> {
  const data = { change: last ? 'taken_away' : 'app_removed', reason }
  await ctx.services.security.write(ctx, { kind: 'second_factor', subject_id: userId, data }, tx)
  const key = last ? 'access-and-people.notice_second_factor_off' : 'access-and-people.notice_app_removed'
  await notify(tx, [userId], { key, link: '/profile/sign-in' })
}

const removeOf = handle(calls.removeSecondFactorOf, async (ctx, { params: { kind, id }, body }) => {
  const actor = actorIn(ctx)
  const row = await personWithin(ctx, 'remove_second_factor', kind, id)
  if (row.id === actor.user_id) throw refuse(409, 'own_second_factor')
  await refuseAbove(ctx, actor, row)
  const { reason } = body
  await ctx.write(
    async (tx) => {
      if (!(await dropFactors(tx, row.id))) throw refuse(409, 'no_second_factor')
      await tellTakenAway(ctx, tx, row.id, { reason, last: true })
    },
    { reason },
  )
  return { data: null }
})

// --- Roles that demand it -------------------------------------------------------------------------------------------

const setRole = handle(calls.requireSecondFactor, (ctx, { params, body }) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{ id: number; name: string; name_local: string; required: boolean }>`
      update roles set second_factor = ${body.required} where id = ${params.id} and removed_at is null
      returning id, name, name_local, second_factor as required`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: rows[0] }
  }),
)

export const secondFactorHandlers: readonly Handled[] = [
  secondStep,
  enrolAtSignIn,
  finishAtSignIn,
  handle(calls.secondFactor, async (ctx) => ({ data: await factorsOf(ctx.pool, actorIn(ctx).user_id) })),
  handle(calls.enrol, async (ctx) => beginSetup(ctx, await ownRow(ctx))),
  finish,
  newRecoveryCodes,
  drop,
  removeOf,
  handle(calls.secondFactorRoles, async (ctx) => ({ data: await rolesWithPeople(ctx.db) })),
  setRole,
]
