/** Groups of a directory, and the roles that their members hold where an administrator has said so. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { giverOf, lockRights, rightNamed, roleRights, todayOf, watchOwn, withinOf } from '../rights/access.server.ts'
import { checkGiving, grantsOf } from '../rights/grants.rules.ts'
import { asMaker, demandVersion, directoryOf } from './directory.server.ts'
import { conditionOf, pageOf } from './query.server.ts'
import type { Attributes } from './query.server.ts'
import { GROUP, ScimError, groupChange, groupIn } from './resource.rules.ts'
import type { GroupChange } from './resource.rules.ts'

interface Row {
  id: number
  version: string
  name: string
  external_id: string | null
  created: string
  modified: string
  members: { value: string; display: string }[] | null
}

const ATTRIBUTES: Attributes = {
  id: { sql: sql`g.id::text`, kind: 'exact' },
  displayname: { sql: sql`g.name`, kind: 'text' },
  externalid: { sql: sql`g.external_id`, kind: 'exact' },
  'meta.created': { sql: sql`g.created_at`, kind: 'instant' },
  'meta.lastmodified': { sql: sql`g.updated_at`, kind: 'instant' },
  'members.value': {
    sql: sql`m.user_id::text`,
    kind: 'exact',
    some: (condition) => sql`exists (select from scim_members m where m.group_id = g.id and ${condition})`,
  },
}
const members = (ctx: Ctx) => sql`
  coalesce((select json_agg(json_build_object('value', u.id::text, 'display', u.name, 'type', 'User',
      '$ref', ${`${ctx.services.config.publicUrl}/api/scim/v2/Users/`}::text || u.id) order by u.id)
    from scim_members m join users u on u.id = m.user_id and u.removed_at is null where m.group_id = g.id), '[]')`

const select = (ctx: Ctx, whole: boolean, where: RawBuilder<unknown>, more: RawBuilder<unknown> = sql``) => sql<Row>`
  select g.id, g.version::text as version, g.name, g.external_id, g.created_at as created, g.updated_at as modified,
    ${whole ? members(ctx) : sql`null`} as members
  from scim_groups g where g.directory_id = ${directoryOf(ctx).id} and ${where} ${more}`

const told = (ctx: Ctx, row: Row) => ({
  schemas: [GROUP],
  id: String(row.id),
  ...(row.external_id !== null && { externalId: row.external_id }),
  displayName: row.name,
  ...(row.members && { members: row.members }),
  meta: {
    resourceType: 'Group',
    created: row.created,
    lastModified: row.modified,
    version: `W/"${row.version}"`,
    location: `${ctx.services.config.publicUrl}/api/scim/v2/Groups/${row.id}`,
  },
})
type ToldGroup = ReturnType<typeof told>

/** Whether members are asked for: of a group of thousands they are left out where they are not wanted. */
const wantsMembers = ({ attributes, excludedAttributes }: Readonly<Record<string, unknown>>): boolean =>
  typeof attributes === 'string' && attributes
    ? /(^|[,:\s])members/i.test(attributes)
    : !(typeof excludedAttributes === 'string' && /(^|[,:\s])members(\s|,|$)/i.test(excludedAttributes))

export async function listGroups(ctx: Ctx, query: Readonly<Record<string, unknown>>) {
  const where = typeof query.filter === 'string' && query.filter ? conditionOf(query.filter, ATTRIBUTES) : sql`true`
  const { startIndex, count, order } = pageOf(query, ATTRIBUTES)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from scim_groups g where g.directory_id = ${directoryOf(ctx).id} and ${where}`.execute(
    ctx.db,
  )
  const { rows } = await select(
    ctx,
    wantsMembers(query),
    where,
    sql`order by ${order} g.id limit ${count} offset ${startIndex - 1}`,
  ).execute(ctx.db)
  return { total: counted[0]!.total, startIndex, resources: rows.map((row) => told(ctx, row)) }
}

/** @throws {Refusal} 404 */
export async function scimGroup(
  ctx: Ctx,
  id: number,
  query: Readonly<Record<string, unknown>> = {},
): Promise<ToldGroup> {
  const { rows } = await select(ctx, wantsMembers(query), sql`g.id = ${id}`).execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return told(ctx, rows[0])
}

export const createGroup = (ctx: Ctx, sent: unknown): Promise<ToldGroup> => {
  const { name, externalId, members: ids } = groupIn(sent)
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into scim_groups (directory_id, name, external_id) values (${directoryOf(ctx).id}, ${name}, ${externalId})
      on conflict do nothing returning id`.execute(tx)
    if (!rows[0]) throw refuse(409, 'scim_unique')
    await changeGroup(ctx, tx, rows[0].id, { add: ids, remove: [] })
    return scimGroup(ctx, rows[0].id)
  })
}
export const replaceGroup = (ctx: Ctx, id: number, sent: unknown): Promise<ToldGroup> => {
  const { name, externalId, members: ids } = groupIn(sent)
  return changed(ctx, id, { name, externalId, members: ids, add: [], remove: [] })
}
export const patchGroup = (ctx: Ctx, id: number, sent: unknown): Promise<ToldGroup> =>
  changed(ctx, id, groupChange(sent))

const changed = (ctx: Ctx, id: number, change: GroupChange): Promise<ToldGroup> =>
  ctx.write(async (tx) => {
    await hold(ctx, tx, id)
    await changeGroup(ctx, tx, id, change)
    return scimGroup(ctx, id)
  })
async function hold(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  await sql`select from scim_groups where id = ${id} for update`.execute(tx)
  demandVersion(ctx, await scimGroup(ctx, id, { excludedAttributes: 'members' }))
}

/** The group goes, and with it the roles that its members held by it. */
export const deleteGroup = (ctx: Ctx, id: number): Promise<void> =>
  ctx.write(async (tx) => {
    await hold(ctx, tx, id)
    const { rows } = await sql<{ user_id: number }>`
      delete from scim_members where group_id = ${id} returning user_id`.execute(tx)
    await sql`delete from scim_groups where id = ${id}`.execute(tx)
    await syncRoles(
      ctx,
      tx,
      rows.map((row) => row.user_id),
    )
  })

async function changeGroup(ctx: Ctx, tx: Tx, id: number, change: GroupChange): Promise<void> {
  const { id: directory, kinds } = directoryOf(ctx)
  if (change.name !== undefined || change.externalId !== undefined) {
    const { rows: taken } = await sql`
      select from scim_groups where directory_id = ${directory} and id <> ${id}
        and (lower(name) = lower(${change.name ?? null}) or external_id = ${change.externalId ?? null})`.execute(tx)
    if (taken.length) throw refuse(409, 'scim_unique')
    if (change.name !== undefined)
      await sql`update scim_groups set name = ${change.name} where id = ${id} and name <> ${change.name}`.execute(tx)
    if (change.externalId !== undefined)
      await sql`update scim_groups set external_id = ${change.externalId}
        where id = ${id} and external_id is distinct from ${change.externalId}`.execute(tx)
  }
  const coming = [...new Set([...(change.members ?? []), ...change.add])].filter((one) => !change.remove.includes(one))
  if (coming.length) {
    const { rows: known } = await sql<{ id: number }>`
      select u.id from users u left join scim_people p on p.user_id = u.id and p.directory_id = ${directory}
      where u.id = any(${coming}::int[]) and u.removed_at is null and u.type = any(${kinds}::smallint[]) and p.deleted_at is null`.execute(
      tx,
    )
    if (known.length < coming.length) {
      const strange = coming.find((one) => !known.some((row) => row.id === one))
      throw new ScimError('invalidValue', `members: there is no User ${strange}`)
    }
  }
  const { rows: gone } = await sql<{ user_id: number }>`
    delete from scim_members where group_id = ${id}
      and (user_id = any(${[...change.remove]}::int[]) or (${change.members !== undefined} and not user_id = any(${coming}::int[])))
    returning user_id`.execute(tx)
  const { rows: come } = coming.length
    ? await sql<{ user_id: number }>`
        insert into scim_members (group_id, user_id) select ${id}::int, x from unnest(${coming}::int[]) x
        on conflict do nothing returning user_id`.execute(tx)
    : { rows: [] }
  const touched = [...gone, ...come].map((row) => row.user_id)
  // Who is in a group is part of it.
  if (touched.length) await sql`update scim_groups set updated_at = now() where id = ${id}`.execute(tx)
  await syncRoles(ctx, tx, touched)
}

// --- Roles ----------------------------------------------------------------------------------------------------------

/** Roles that no directory gives, whoever made its token. */
export const NO_GROUP = sql`r.key = 'super_admin' or exists (
  select from role_permissions x where x.role_id = r.id and x.permission = 'assign_super_admin')`

/**
 * Gives people the roles of the groups they are in, and takes those that were given for groups they are no longer in.
 *
 * @param giver by whose rights it is judged what may be given
 * @throws {Refusal} 403 with every reason why a role may not be given
 */
export async function syncRoles(
  ctx: Ctx,
  tx: Tx,
  userIds: readonly number[],
  { directory = directoryOf(ctx)?.id, giver }: { directory?: number; giver?: Ctx } = {},
): Promise<void> {
  if (!userIds.length) return
  await lockRights(tx)
  const wanted = sql`
    select distinct m.user_id, g.role_id from scim_members m
    join scim_groups g on g.id = m.group_id and g.directory_id = ${directory}
    join scim_directories d on d.id = g.directory_id and d.ended_at is null
    join roles r on r.id = g.role_id and r.removed_at is null and not (${NO_GROUP})
    join users u on u.id = m.user_id and u.removed_at is null and u.type < 3
    where m.user_id = any(${[...userIds]}::int[])`
  await sql`
    delete from role_assignments a using scim_grants s
    where s.role_assignment_id = a.id and s.directory_id = ${directory} and s.user_id = any(${[...userIds]}::int[])
      and not exists (select from (${wanted}) w where w.user_id = s.user_id and w.role_id = s.role_id)`.execute(tx)
  const { rows: missing } = await sql<{ user_id: number; role_id: number }>`
    select w.user_id, w.role_id from (${wanted}) w
    where not exists (select from role_assignments a where a.user_id = w.user_id and a.role_id = w.role_id
      and a.scope_id is null and a.valid_from is null)`.execute(tx)
  if (!missing.length) return
  const by = giver ?? (await asMaker(ctx))
  await demandGiving(by, tx, [...new Set(missing.map((one) => one.role_id))])
  const judgeOwn = await watchOwn(by, tx)
  await sql`
    with given as (
      insert into role_assignments (user_id, role_id, created_by)
      select x.user_id, x.role_id, ${by.actor!.user_id}
      from jsonb_to_recordset(${JSON.stringify(missing)}::jsonb) x (user_id int, role_id int)
      on conflict do nothing returning id, user_id, role_id
    )
    insert into scim_grants (role_assignment_id, directory_id, user_id, role_id)
    select id, ${directory}, user_id, role_id from given`.execute(tx)
  await judgeOwn()
}

/** Whether somebody may give these roles everywhere and without end. @throws {Refusal} 403 */
export async function demandGiving(giver: Ctx, tx: Tx, roleIds: readonly number[]): Promise<void> {
  const held = {
    roles: roleIds.map((role_id) => ({ role_id, scope: null, valid_from: null, valid_to: null })),
    access_entries: [],
    permissions: [],
  }
  const reasons = checkGiving({
    giver: await giverOf(giver, tx),
    difference: { gained: grantsOf(held, await roleRights(tx)), lost: [] },
    within: await withinOf(tx, []),
    today: await todayOf(tx),
    nameOf: rightNamed,
  })
  if (reasons.length) throw new Refusal(403, reasons)
}
