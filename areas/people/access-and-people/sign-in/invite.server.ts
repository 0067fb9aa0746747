/** Accounts of people whose record is kept by hand: the invitation to sign in, and the block of an account. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { NAME_COLUMNS } from '#areas/people/people/names/follow.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { endSessions } from '#kit/server/identity/sessions.ts'
import { beginInvitation, sendPasswordLink } from './passwords.server.ts'
import { PEOPLE, byId, refuseAbove } from './people.server.ts'
import * as calls from './sign-in.contract.ts'

type Kind = keyof typeof PEOPLE

interface Recorded {
  user_id: number | null
  name: string
  name_local: string
  email: string | null
}
/** The record of a person within reach, held for a change. @throws {Refusal} 404 */
async function holdRecord(ctx: Ctx, tx: Tx, kind: Kind, id: number, key: PermissionKey): Promise<Recorded> {
  const { from, account, reach } = PEOPLE[kind]
  const { rows } = await sql<Recorded>`select ${account} as user_id, t.name, t.name_local, t.email from ${from} t
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, key, reach(ctx))} for update of t`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** Who teaches holds the role of an instructor, who advises that of an advisor; students hold theirs by being one. */
const giveRoles = (tx: Tx, user_id: number, by: number) =>
  sql`insert into role_assignments (user_id, role_id, created_by)
    select ${user_id}, r.id, ${by} from roles r join instructors i on i.user_id = ${user_id}
    where r.removed_at is null and (r.key = 'instructor' or r.key = 'academic_advisor' and i.max_advised is not null)
      and not exists (select from role_assignments x where x.user_id = ${user_id} and x.role_id = r.id)`.execute(tx)

/** Sends a person a link by which the first password is set; makes the account where there is none. */
const invite = handle(calls.invite, (ctx, { params: { kind, id } }) =>
  ctx.write(async (tx) => {
    const actor = actorIn(ctx)
    const record = await holdRecord(ctx, tx, kind, id, 'invite_person')
    let { user_id } = record
    if (user_id !== null) {
      const row = await byId(ctx.pool, user_id)
      if (!row) throw refuse(404, 'not_found')
      await refuseAbove(ctx, actor, row)
      if (row.blocked) throw refuse(409, 'account_blocked')
      if (!row.email) throw refuse(409, 'no_email')
      // Who signs in already is asked for a new password, by who may do that.
      if (row.password_hash !== null) throw refuse(409, 'has_account')
    } else {
      if (!record.email) throw refuse(409, 'no_email')
      // The account bears the names of the record, in parts where they are known.
      const names = sql.join(NAME_COLUMNS.map((column) => sql.ref(column)))
      const { rows } = await sql<{ id: number }>`insert into users (type, email, ${names})
        select ${PEOPLE[kind].type}::smallint, email, ${names} from ${PEOPLE[kind].from} where id = ${id} returning id`.execute(
        tx,
      )
      user_id = firstRow(rows).id
      await sql`update ${PEOPLE[kind].from} set user_id = ${user_id} where id = ${id}`.execute(tx)
      if (kind === 'instructor') await giveRoles(tx, user_id, actor.user_id)
    }
    await beginInvitation(tx, user_id, actor.user_id)
    await ctx.services.jobs.send(tx, sendPasswordLink, { user_id, invitation: true }, { actor })
    await ctx.services.security.write(ctx, { kind: 'password_asked', subject_id: user_id }, tx)
    return { data: { user_id } }
  }),
)

/**
 * Blocks the account of somebody who works here, or lifts the block: signed out everywhere at once, in every process.
 * Students are blocked with their record, by its own rule.
 */
export const blockAccount = (
  ctx: Ctx,
  kind: 'user' | 'instructor',
  id: number,
  { blocked, reason }: { blocked: boolean; reason: string | null },
) =>
  ctx.write(
    async (tx) => {
      const actor = actorIn(ctx)
      const { user_id } = await holdRecord(ctx, tx, kind, id, 'block_person')
      if (user_id === null) throw refuse(409, 'no_account')
      if (user_id === actor.user_id) throw refuse(409, 'block_yourself')
      const row = await byId(ctx.pool, user_id)
      if (!row) throw refuse(404, 'not_found')
      await refuseAbove(ctx, actor, row)
      const { rows } = await sql<{ version: number; blocked_at: string | null; blocked_reason: string | null }>`
        update users set blocked_at = ${blocked ? sql`now()` : null}, blocked_reason = ${blocked ? reason : null}
        where id = ${user_id} and (blocked_at is not null) <> ${blocked} returning version, blocked_at, blocked_reason`.execute(
        tx,
      )
      const [changed] = rows
      if (!changed) throw refuse(409, blocked ? 'account_is_blocked' : 'account_is_not_blocked')
      if (blocked) await endSessions(tx, user_id)
      return { data: { id, ...changed } }
    },
    reason ? { reason } : {},
  )

export const inviteHandlers: readonly Handled[] = [invite]
