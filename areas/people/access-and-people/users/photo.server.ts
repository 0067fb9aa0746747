/** Photos of people: the own one, and those that the office takes. */
import { sql } from 'kysely'
import { PERSON } from '#areas/people/people/person.server.ts'
import { refuseMoreRights } from '#areas/people/people/rights-above.server.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { userReach } from '../rights/people.server.ts'
import { ownAccount } from '../sign-in/account.server.ts'
import { byId, shown } from '../sign-in/people.server.ts'
import * as calls from '../sign-in/sign-in.contract.ts'

const photoOf = handle(calls.photoOf, async (ctx, { params: { kind, id } }) => {
  const { table, account, opens } = PERSON[kind]
  const { rows } = await sql<{
    user_id: number | null
    file_id: number | null
    file_name: string | null
    may_change: boolean
  }>`select u.id as user_id, f.id as file_id, f.name as file_name,
      u.id = ${actorIn(ctx).user_id} or ${scopeCondition(ctx, 'edit_photo', userReach('u'))} as may_change
    from ${sql.table(table)} t left join users u on u.id = ${account} and u.removed_at is null left join files f on f.id = u.photo_file_id
    where t.id = ${id} and ${opens(ctx)}`.execute(ctx.db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { user_id, file_id, file_name, may_change } = row
  const photo = file_id === null ? null : ctx.services.files.link({ id: file_id, name: file_name! }, actorIn(ctx))
  return { data: { user_id, photo, may_change: may_change && !ctx.actor?.read_only } }
})

const updatePhoto = handle(calls.updatePhoto, async (ctx, { params: { id }, file }) => {
  const own = id === actorIn(ctx).user_id
  if (own) ownAccount(ctx)
  if (!file) throw refuse(422, 'file_missing', {}, 'file')
  await ctx.write(async (tx) => {
    const { rows } = await sql`select from users t where t.id = ${id} and t.removed_at is null
      and ${own ? sql`true` : scopeCondition(ctx, 'edit_photo', userReach())} for update of t`.execute(tx)
    if (!rows.length) throw refuse(404, 'not_found')
    await refuseMoreRights(ctx, tx, id)
    const kept = await ctx.services.files.save(ctx, file, tx)
    await sql`update users set photo_file_id = ${kept.id} where id = ${id}`.execute(tx)
  })
  return { data: shown(ctx, (await byId(ctx.pool, id))!) }
})

export const photoHandlers: readonly Handled[] = [photoOf, updatePhoto]
