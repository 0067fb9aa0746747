/** Directories, their tokens, and which role a group of theirs gives: for who connects them. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { AnswerOf } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { lockRights } from '../rights/access.server.ts'
import { ownAccount } from '../sign-in/account.server.ts'
import { SCIM_PREFIX } from './directory.server.ts'
import { NO_GROUP, demandGiving, syncRoles } from './groups.server.ts'
import { directoryCalls as calls } from './scim.contract.ts'

type Told = AnswerOf<typeof calls.directories>['data'][number]

const list = handle(calls.directories, async (ctx) => {
  const { rows } = await sql<Told>`
    select d.id, d.name, d.kinds,
      (select count(*)::int from scim_people p where p.directory_id = d.id and p.deleted_at is null) as people,
      coalesce((select json_agg(json_build_object('id', t.id, 'hint', t.hint, 'created_at', t.created_at, 'expires_at', t.expires_at,
          'last_used_at', t.last_used_at, 'revoked_at', t.revoked_at,
          'by', json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local)) order by t.id desc)
        from scim_tokens t join users u on u.id = t.created_by where t.directory_id = d.id), '[]') as tokens,
      coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name, 'role_id', g.role_id,
          'members', (select count(*)::int from scim_members m where m.group_id = g.id)) order by lower(g.name), g.id)
        from scim_groups g where g.directory_id = d.id), '[]') as groups
    from scim_directories d where d.ended_at is null order by d.id`.execute(ctx.db)
  const { rows: roles } = await sql<{ id: number; name: string; name_local: string }>`
    select r.id, r.name, r.name_local from roles r
    where r.removed_at is null and r.key is distinct from 'student' and r.key is distinct from 'applicant' and not (${NO_GROUP})
    order by r.name`.execute(ctx.db)
  return { data: rows, meta: { address: `${ctx.services.config.publicUrl}/api/scim/v2`, roles } }
})

/** A token that is shown this once. Whoever makes it lends it the power over accounts and roles. */
async function make(ctx: Ctx, tx: Tx, directory: number, days: number): Promise<string> {
  const token = SCIM_PREFIX + newToken().token
  await sql`
    insert into scim_tokens (directory_id, token_hash, hint, created_by, expires_at)
    values (${directory}, ${hashToken(token)}, ${token.slice(-4)}, ${ownAccount(ctx).user_id}, now() + make_interval(days => ${days}))`.execute(
    tx,
  )
  return token
}

const connect = handle(calls.connectDirectory, (ctx, { body: { name, kinds, days } }) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into scim_directories (name, kinds) values (${name}, ${[...new Set(kinds)]}::smallint[]) returning id`.execute(
      tx,
    )
    const { id } = firstRow(rows)
    return { data: { id, token: await make(ctx, tx, id, days) } }
  }),
)

async function hold(tx: Tx, id: number): Promise<void> {
  const { rows } = await sql`select from scim_directories where id = ${id} and ended_at is null for update`.execute(tx)
  if (!rows.length) throw refuse(404, 'not_found')
}

const newOne = handle(calls.makeToken, (ctx, { params: { id }, body: { days } }) =>
  ctx.write(async (tx) => {
    await hold(tx, id)
    return { data: { id, token: await make(ctx, tx, id, days) } }
  }),
)

const revoke = handle(calls.revokeToken, async (ctx, { params: { id } }) => {
  ownAccount(ctx)
  await ctx.write(async (tx) => {
    const { numAffectedRows } = await sql`
      update scim_tokens set revoked_at = now() where id = ${id} and revoked_at is null`.execute(tx)
    if (numAffectedRows !== 1n) throw refuse(404, 'not_found')
  })
  return { id }
})

/** Its tokens open nothing any more and its roles are taken; accounts stay as they are. */
const end = handle(calls.endDirectory, async (ctx, { params: { id } }) => {
  ownAccount(ctx)
  await ctx.write(async (tx) => {
    await hold(tx, id)
    await lockRights(tx)
    await sql`update scim_directories set ended_at = now() where id = ${id}`.execute(tx)
    await sql`update scim_tokens set revoked_at = now() where directory_id = ${id} and revoked_at is null`.execute(tx)
    await syncRoles(ctx, tx, await peopleOf(tx, sql`s.directory_id = ${id}`), { directory: id, giver: ctx })
  })
  return { id }
})
const peopleOf = async (db: Db, where: RawBuilder<unknown>): Promise<number[]> => {
  const { rows } = await sql<{ user_id: number }>`select distinct user_id from scim_grants s where ${where}`.execute(db)
  return rows.map((row) => row.user_id)
}

const map = handle(calls.mapGroup, (ctx, { params: { id }, body: { role_id } }) =>
  ctx.write(async (tx) => {
    ownAccount(ctx)
    const { rows } = await sql<{ directory_id: number }>`
      select g.directory_id from scim_groups g join scim_directories d on d.id = g.directory_id and d.ended_at is null
      where g.id = ${id} for update of g`.execute(tx)
    const [found] = rows
    if (!found) throw refuse(404, 'not_found')
    if (role_id !== null) {
      const { rows: role } = await sql<{ never: boolean }>`
        select (${NO_GROUP}) as never from roles r where r.id = ${role_id} and r.removed_at is null`.execute(tx)
      if (!role[0]) throw refuse(422, 'role_unknown', undefined, 'role_id')
      if (role[0].never) throw refuse(403, 'directory_role')
      await lockRights(tx)
      // Also where nobody is in the group yet: who comes into it later holds the role.
      await demandGiving(ctx, tx, [role_id])
    }
    await sql`update scim_groups set role_id = ${role_id} where id = ${id} and role_id is distinct from ${role_id}`.execute(
      tx,
    )
    const { rows: members } = await sql<{
      user_id: number
    }>`select user_id from scim_members where group_id = ${id}`.execute(tx)
    await syncRoles(
      ctx,
      tx,
      members.map((row) => row.user_id),
      { directory: found.directory_id, giver: ctx },
    )
    const { rows: after } = await sql<{ id: number; name: string; members: number; role_id: number | null }>`
      select id, name, role_id, (select count(*)::int from scim_members m where m.group_id = g.id) as members
      from scim_groups g where id = ${id}`.execute(tx)
    return { data: after[0]! }
  }),
)

export const directoryHandlers: readonly Handled[] = [list, connect, newOne, revoke, end, map]
