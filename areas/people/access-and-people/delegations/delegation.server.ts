/** Standing in for somebody who is away: by a session of its own, which holds no more than what was delegated. */
import { firstRow } from '#db/rows.ts'
import { PERMISSIONS } from '#access/permissions.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Actor, Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { sql } from 'kysely'
import { begin } from '../sign-in/sign-in.server.ts'
import { byId } from '../sign-in/people.server.ts'
import { MOST_DELEGATIONS, delegationCalls, type Delegation } from './delegation.contract.ts'
import { checkDelegation, mayDelegate } from './delegation.rules.ts'

const rightOf = (key: string) => {
  const [name, name_local] = PERMISSIONS.get(key as PermissionKey) ?? [key, key]
  return { id: key, name, name_local }
}
const STATE = sql.raw(`case when d.ended_at is not null or d.until_date < university_today() then 'ended'
  when d.from_date > university_today() then 'planned' else 'active' end`)

async function list(ctx: Ctx): Promise<{ data: Delegation[]; meta: { rights: ReturnType<typeof rightOf>[] } }> {
  const actor = actorIn(ctx)
  const person = (alias: string) =>
    sql.raw(`json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'name_local', ${alias}.name_local)`)
  const { rows } = await sql<Omit<Delegation, 'permissions' | 'abilities'> & { permissions: string[] }>`
    select d.id, ${person('f')} as "from", ${person('o')} as "to", d.permissions, d.from_date, d.until_date, d.reason, ${STATE} as state
    from delegations d join users f on f.id = d.from_user_id join users o on o.id = d.to_user_id
    where ${actor.user_id} in (d.from_user_id, d.to_user_id)
    order by d.ended_at is not null, d.until_date desc, d.id desc limit ${MOST_DELEGATIONS}`.execute(ctx.db)
  return {
    data: rows.map((row) => ({
      ...row,
      permissions: row.permissions.map(rightOf),
      abilities: [
        ...(row.state === 'active' && row.to.id === actor.user_id ? (['act'] as const) : []),
        ...(row.state === 'ended' ? [] : (['end'] as const)),
      ],
    })),
    meta: { rights: isStaff(actor) ? [...actor.rights.keys()].filter(mayDelegate).map(rightOf) : [] },
  }
}
const isStaff = ({ type }: Pick<Actor, 'type'>): boolean => type === 1 || type === 2

const add = handle(delegationCalls.addDelegation, async (ctx, { body }) => {
  const actor = actorIn(ctx)
  if (!isStaff(actor)) throw refuse(403, 'not_allowed')
  return ctx.write(
    async (tx) => {
      const { rows } = await sql<({ id: number; type: Actor['type'] } | { id: null; type: null }) & { today: string }>`
        select u.id, u.type, t.today from (select university_today()::text as today) t
        left join users u on lower(u.email) = lower(${body.email}) and u.removed_at is null and u.blocked_at is null`.execute(
        tx,
      )
      const [found] = rows as [(typeof rows)[number]]
      const reasons = checkDelegation({
        ...body,
        today: found.today,
        holds: (key) => actor.rights.has(key as PermissionKey),
        to: found.id === null ? null : { self: found.id === actor.user_id, staff: isStaff(found) },
      })
      if (reasons.length || found.id === null) throw new Refusal(422, reasons)
      const made = await sql<{ id: number }>`
        insert into delegations (from_user_id, to_user_id, permissions, from_date, until_date, reason)
        values (${actor.user_id}, ${found.id}, ${[...new Set(body.permissions)]}::text[], ${body.from_date}, ${body.until_date}, ${body.reason})
        returning id`.execute(tx)
      await notify(tx, [found.id], {
        key: 'access-and-people.notice_delegated',
        data: { name: actor.name, name_local: actor.name_local, from: body.from_date, until: body.until_date },
        link: '/profile/delegations',
      })
      return { data: firstRow(made.rows) }
    },
    { reason: body.reason },
  )
})

const end = handle(delegationCalls.endDelegation, (ctx, { params: { id } }) => {
  const actor = actorIn(ctx)
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ other: number; over: boolean }>`
      select case d.from_user_id when ${actor.user_id} then d.to_user_id else d.from_user_id end as other, ${STATE} = 'ended' as over
      from delegations d where d.id = ${id} and ${actor.user_id} in (d.from_user_id, d.to_user_id) for update`.execute(
      tx,
    )
    const [found] = rows
    if (!found) throw refuse(404, 'not_found')
    if (found.over) throw refuse(409, 'delegation_over')
    await sql`update delegations set ended_at = now() where id = ${id}`.execute(tx)
    // Whoever acts by it stops at once.
    await sql`delete from sessions where delegation_id = ${id}`.execute(tx)
    await notify(tx, [found.other], {
      key: 'access-and-people.notice_delegation_ended',
      data: { name: actor.name, name_local: actor.name_local },
      link: '/profile/delegations',
    })
    return { data: { id } }
  })
})

const act = handle(delegationCalls.actFor, async (ctx, { params: { id } }) => {
  const actor = actorIn(ctx)
  const { rows } = await sql<{ from_user_id: number; state: string }>`select d.from_user_id, ${STATE} as state
    from delegations d where d.id = ${id} and d.to_user_id = ${actor.user_id}`.execute(ctx.db)
  const [found] = rows
  const row = found && (await byId(ctx.services.pool, found.from_user_id))
  if (!found || !row) throw refuse(404, 'not_found')
  if (found.state !== 'active' || row.blocked) throw refuse(409, 'delegation_over')
  await ctx.services.security.write(ctx, { kind: 'log_in_as', subject_id: row.id, data: { delegation: id } })
  return begin(ctx, row, {
    impersonator: { user_id: actor.user_id, session_id: actor.session_id, read_only: false, delegation_id: id },
  })
})

export const delegationHandlers: readonly Handled[] = [
  handle(delegationCalls.listDelegations, (ctx) => list(ctx)),
  add,
  end,
  act,
]
