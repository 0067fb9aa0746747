import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { addressLimit, attempt, personLimit } from '#kit/server/identity/attempts.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { confirmSession } from '#kit/server/identity/sessions.ts'
import { closeStep, factorAdded, factorRemoved, holdFactors } from '../second-factor/factors.server.ts'
import { onTheWay, refuseSecond } from '../second-factor/second-factor.server.ts'
import { ownAccount } from '../sign-in/account.server.ts'
import { byId } from '../sign-in/people.server.ts'
import type { UserRow } from '../sign-in/people.server.ts'
import { signIn } from '../sign-in/sign-in.server.ts'
import { ask, madeBy, offerPasskey, provedBy } from './ceremony.server.ts'
import type { MadeKey } from './ceremony.server.ts'
import { MOST_PASSKEYS, passkeyCalls as calls } from './passkey.contract.ts'
import type { Passkey } from './passkey.contract.ts'
import { judgeRemoval } from './passkey.rules.ts'

// --- Signing in -----------------------------------------------------------------------------------------------------

const askSignIn = handle(calls.askSignIn, async (ctx) => {
  // Each one leaves a row for some minutes.
  const succeeded = await attempt(ctx.pool, [addressLimit('passkey', ctx.ip)])
  const asked = await ask(ctx, 'sign_in', null)
  await succeeded()
  return asked
})

/** The device is one factor, and what unlocks it the other: nothing more is asked for. */
const signInByPasskey = handle(calls.signInByPasskey, async (ctx, { body }) => {
  const succeeded = await attempt(ctx.pool, [addressLimit('passkey', ctx.ip)])
  const row = await byId(ctx.pool, await provedBy(ctx, body.answer, 'sign_in', null))
  if (!row) throw refuse(403, 'passkey_unknown')
  await succeeded()
  await refuseBlocked(ctx, row)
  return signIn(ctx, row, { by: 'passkey' })
})

async function refuseBlocked(ctx: Ctx, row: UserRow): Promise<void> {
  if (!row.blocked) return
  const data = { by: 'passkey', reason: 'blocked' }
  await ctx.services.security.write(ctx, { kind: 'sign_in_failed', subject_id: row.id, data })
  throw refuse(403, 'account_blocked')
}

const secondStepByPasskey = handle(calls.secondStepByPasskey, async (ctx, { body }) => {
  const { row, by, login } = await onTheWay(ctx, body.ticket)
  const succeeded = await attempt(ctx.pool, [personLimit('second passkey', row.id)])
  await provedBy(ctx, body.answer, 'second', row.id)
  await closeStep(ctx.pool, body.ticket)
  await succeeded()
  return signIn(ctx, row, { by, second: 'passkey', login })
})

const addAtSignIn = handle(calls.addAtSignIn, async (ctx, { body }) => {
  const { row, by, login } = await onTheWay(ctx, body.ticket)
  const made = await madeBy(ctx, body.answer, row.id)
  const { recovery_codes } = await ctx.write(
    async (tx) => {
      await holdFactors(ctx, tx, row.id)
      await refuseSecond(ctx, row.id)
      const added = await add(ctx, tx, row, body.name, made)
      await closeStep(ctx.pool, body.ticket)
      return added
    },
    { reason: 'passkey added on the way in' },
  )
  const { data } = await signIn(ctx, row, { by, second: 'passkey', login })
  return { data: { ...data, recovery_codes } }
})

// --- The own ones ---------------------------------------------------------------------------------------------------

const COLUMNS = sql`id, name, synced, created_at, last_used_at`

/** The account is held by the caller. */
async function add(
  ctx: Ctx,
  tx: Tx,
  row: UserRow,
  name: string,
  made: MadeKey,
): Promise<Passkey & { recovery_codes: string[] }> {
  const { rows: count } = await sql<{ most: boolean }>`
    select count(*) >= ${MOST_PASSKEYS} as most from passkeys where user_id = ${row.id}`.execute(tx)
  if (count[0]!.most) throw refuse(409, 'passkeys_most', { most: MOST_PASSKEYS })
  const { rows } = await sql<Passkey>`
    insert into passkeys (user_id, credential_id, public_key, counter, transports, name, synced)
    values (${row.id}, ${made.id}, ${made.key}, ${made.counter}, ${made.transports}::text[], ${name}, ${made.synced})
    on conflict (credential_id) do nothing returning ${COLUMNS}`.execute(tx)
  if (!rows[0]) throw refuse(409, 'passkey_twice')
  const recovery_codes = await factorAdded(ctx, tx, row.id)
  const data = { change: 'passkey_added', name }
  await ctx.services.security.write(ctx, { kind: 'second_factor', actor_id: row.id, subject_id: row.id, data }, tx)
  await notify(tx, [row.id], {
    key: 'access-and-people.notice_passkey_added',
    data: { name },
    link: '/profile/sign-in',
  })
  return { ...rows[0], recovery_codes }
}

const ownRow = async (ctx: Ctx): Promise<UserRow> => (await byId(ctx.pool, ownAccount(ctx).user_id))!

const addPasskey = handle(calls.addPasskey, async (ctx, { body }) => {
  const row = await ownRow(ctx)
  const made = await madeBy(ctx, body.answer, row.id)
  const data = await ctx.write(
    async (tx) => {
      await holdFactors(ctx, tx, row.id)
      return add(ctx, tx, row, body.name, made)
    },
    { reason: 'passkey added' },
  )
  // Who has just made one has unlocked it.
  await confirmSession(ctx.pool, actorIn(ctx).session_id, true)
  return { data }
})

const renamePasskey = handle(calls.renamePasskey, async (ctx, { params: { id }, body }) => {
  const { user_id } = ownAccount(ctx)
  const { rows } = await ctx.write((tx) =>
    sql<Passkey>`update passkeys set name = ${body.name} where id = ${id} and user_id = ${user_id} returning ${COLUMNS}`.execute(
      tx,
    ),
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return { data: rows[0] }
})

const removePasskey = handle(calls.removePasskey, async (ctx, { params: { id } }) => {
  const { user_id } = ownAccount(ctx)
  await ctx.write(
    async (tx) => {
      const held = await holdFactors(ctx, tx, user_id)
      const { rows } = await sql<{ name: string; identities: number }>`
        select name, (select count(*)::int from identities where user_id = ${user_id}) as identities
        from passkeys where id = ${id} and user_id = ${user_id}`.execute(tx)
      const [found] = rows
      if (!found) throw refuse(404, 'not_found')
      const reasons = judgeRemoval({
        password: held.password,
        app: held.app,
        others: held.passkeys - 1,
        identities: found.identities,
        demanded: held.required,
      })
      if (reasons.length) throw new Refusal(409, reasons)
      await sql`delete from passkeys where id = ${id}`.execute(tx)
      await factorRemoved(tx, user_id)
      const data = { change: 'passkey_removed', name: found.name }
      await ctx.services.security.write(ctx, { kind: 'second_factor', subject_id: user_id, data }, tx)
      await notify(tx, [user_id], {
        key: 'access-and-people.notice_passkey_removed',
        data: { name: found.name },
        link: '/profile/sign-in',
      })
    },
    { reason: 'passkey taken off' },
  )
  return { id }
})

// --- Proving again who sits there -----------------------------------------------------------------------------------

/** Somebody logged in as another person proves the own identity. */
const whoSits = (ctx: Ctx): number => {
  const actor = actorIn(ctx)
  return actor.impersonator_id ?? actor.user_id
}
const proveByPasskey = handle(calls.proveByPasskey, async (ctx, { body }) => {
  const person = whoSits(ctx)
  const succeeded = await attempt(ctx.pool, [personLimit('confirm', person)])
  await provedBy(ctx, body.answer, 'prove', person)
  await succeeded()
  await confirmSession(ctx.pool, actorIn(ctx).session_id, true)
  return { data: null }
})

export const passkeyHandlers: readonly Handled[] = [
  askSignIn,
  signInByPasskey,
  handle(calls.askSecondStep, async (ctx, { body }) => ask(ctx, 'second', (await onTheWay(ctx, body.ticket)).row.id)),
  secondStepByPasskey,
  handle(calls.offerAtSignIn, async (ctx, { body }) => {
    const { row } = await onTheWay(ctx, body.ticket)
    await refuseSecond(ctx, row.id)
    return offerPasskey(ctx, row)
  }),
  addAtSignIn,
  handle(calls.passkeys, async (ctx) => {
    const { rows } = await sql<Passkey>`
      select ${COLUMNS} from passkeys where user_id = ${actorIn(ctx).user_id} order by id`.execute(ctx.db)
    return { data: rows }
  }),
  handle(calls.offer, async (ctx) => offerPasskey(ctx, await ownRow(ctx))),
  addPasskey,
  renamePasskey,
  removePasskey,
  handle(calls.askProof, (ctx) => ask(ctx, 'prove', whoSits(ctx))),
  proveByPasskey,
]
