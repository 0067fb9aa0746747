import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { PERMISSIONS } from '#access/permissions.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { kindOf } from '#access/reach.contract.ts'
import type { Reach } from '#access/seeded.contract.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { Served } from '#kit/server/resource/served.ts'
import { giverOf, lockRights, rightNamed, todayOf, watchOwn } from '../rights/access.server.ts'
import { checkGiving, checkReaches, grantDifferenceOf, rightsOfRole } from '../rights/grants.rules.ts'
import { heldByBeing } from './held-by-being.server.ts'
import { role, roleCalls } from './role.contract.ts'
import { checkRemoval, checkSuccession } from './role.rules.ts'
import type { RoleStanding } from './role.rules.ts'

type Line = { readonly permission: string; readonly reach: Reach }
const storedRights = async (tx: Tx, id: number): Promise<Line[]> =>
  (await sql<Line>`select permission, reach from role_permissions where role_id = ${id}`.execute(tx)).rows

/** Refuses to give or take, by a role, what the writer does not hold everywhere: a role belongs to the university. */
async function judge(ctx: Ctx, tx: Tx, before: readonly Line[], after: readonly Line[]): Promise<void> {
  const within = () => []
  const reasons = checkGiving({
    giver: await giverOf(ctx, tx),
    difference: grantDifferenceOf(rightsOfRole(before), rightsOfRole(after), within),
    within,
    today: await todayOf(tx),
    nameOf: rightNamed,
  })
  if (reasons.length) throw new Refusal(403, reasons)
}
/** What the role of super admins is made of is theirs to change. */
async function refuseSupers(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ key: string }>`select key from roles where id = ${id}`.execute(tx)
  if (['root', 'super_admin'].includes(rows[0]?.key ?? '') && !(await giverOf(ctx, tx)).everything)
    throw refuse(403, 'assignSuperAdminUnauthorized')
}
/** What judges a write by what it does to whom it is written by, once it is done. */
const written = new WeakMap<object, () => Promise<void>>()

/** What hangs on a role: whoever holds it or will, and what else gives by it. */
async function standingOf(tx: Tx, id: number): Promise<RoleStanding> {
  const { rows } = await sql<RoleStanding>`
    select r.key,
      (select count(distinct a.user_id)::int from role_assignments a join users u on u.id = a.user_id and u.removed_at is null
        where a.role_id = r.id and coalesce(a.valid_to >= university_today(), true)) as holders,
      array(select g.name from scim_groups g join scim_directories d on d.id = g.directory_id and d.ended_at is null
        where g.role_id = r.id order by g.name) as groups,
      (select count(distinct x.entry_id)::int from archive_access x join archive_entries e on e.id = x.entry_id and e.removed_at is null
        where x.role_id = r.id) as folders
    from roles r where r.id = ${id}`.execute(tx)
  return firstRow(rows)
}

/** Roles. The table is `t`. */
const served: Served<typeof role> = workings(role, {
  computed: {
    // Students and applicants hold theirs by being one, whoever may do everything by that: without an assignment.
    holders: `(select count(*)::int from (
        select a.user_id as id from role_assignments a
        where a.role_id = t.id and coalesce(a.valid_from <= university_today(), true) and coalesce(a.valid_to >= university_today(), true)
        union select u.id from users u where ${heldByBeing('t.key', 'u')}
      ) h join users u on u.id = h.id and u.removed_at is null)`,
    rights_count: '(select count(*)::int from role_permissions p where p.role_id = t.id)',
  },
  beforeWrite: async (ctx, tx, merged, current) => {
    await lockRights(tx)
    const after = (merged.rights ?? []) as Line[]
    const strange = after.flatMap(({ permission }, i) =>
      PERMISSIONS.has(permission as PermissionKey) && after.findIndex((one) => one.permission === permission) === i
        ? []
        : [
            {
              field: `rights.${i}.permission`,
              code: PERMISSIONS.has(permission as PermissionKey) ? 'right_twice' : 'right_unknown',
              data: { right: permission },
            },
          ],
    )
    const before = current ? await storedRights(tx, current.id) : []
    // A right that a newer program no longer has may stay until somebody takes it out.
    const mended = strange.filter(
      ({ data }) =>
        !before.some((one) => one.permission === data.right) ||
        after.filter((one) => one.permission === data.right).length > 1,
    )
    if (mended.length) throw new Refusal(422, mended)
    // A reach that a right no longer knows opens nothing, and stays until somebody takes it out as well.
    const reached = checkReaches(
      after.flatMap(({ permission, reach }, i) =>
        before.some((one) => one.permission === permission && one.reach === reach)
          ? []
          : [{ field: `rights.${i}.reach`, permission, kind: kindOf(reach, false) }],
      ),
      rightNamed,
    )
    if (reached.length) throw new Refusal(422, reached)
    if (current) await refuseSupers(ctx, tx, current.id)
    await judge(ctx, tx, before, after)
    written.set(merged, await watchOwn(ctx, tx))
  },
  afterWrite: async (_ctx, _tx, _id, merged) => written.get(merged)?.(),
  remove: (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await lockRights(tx)
      const { version } = await served.lock(ctx, tx, id, { access: 'remove_role' })
      const reasons = checkRemoval(await standingOf(tx, id))
      if (reasons.length) throw new Refusal(409, reasons)
      await judge(ctx, tx, await storedRights(tx, id), [])
      const judgeOwn = await watchOwn(ctx, tx)
      await sql`update roles set removed_at = now() where id = ${id}`.execute(tx)
      await judgeOwn()
      return { id, version: version + 1 }
    }),
  restore: (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await lockRights(tx)
      const { removed, version } = await served.lock(ctx, tx, id, { access: 'restore_role', removed: true })
      if (!removed) return { id, version }
      // Whom it was given to by an earlier program has it again.
      await judge(ctx, tx, [], await storedRights(tx, id))
      const judgeOwn = await watchOwn(ctx, tx)
      await sql`update roles set removed_at = null where id = ${id}`.execute(tx)
      await judgeOwn()
      return { id, version: version + 1 }
    }),
})

const replace = handle(roleCalls.replaceRole, async (ctx, { params: { id }, body }) =>
  ctx.write(
    async (tx) => {
      await lockRights(tx)
      await served.lock(ctx, tx, id, { access: 'remove_role' })
      const { rows } = await sql<{ id: number; key: string }>`
        select id, key from roles where id = ${body.role_id} and removed_at is null for update`.execute(tx)
      const reasons = checkSuccession(await standingOf(tx, id), rows[0] ?? null, id)
      if (reasons.length) throw new Refusal(reasons.some(({ field }) => field) ? 422 : 409, reasons)
      // Its holders gain what the other one gives besides, and lose what it does not.
      await judge(ctx, tx, await storedRights(tx, id), await storedRights(tx, body.role_id))
      const judgeOwn = await watchOwn(ctx, tx)
      const given = await sql`
        insert into role_assignments (user_id, role_id, scope_type, scope_id, valid_from, valid_to, created_by)
        select a.user_id, ${body.role_id}::int, a.scope_type, a.scope_id, a.valid_from, a.valid_to, ${ctx.actor?.user_id ?? null}::int
        from role_assignments a where a.role_id = ${id} and coalesce(a.valid_to >= university_today(), true)
        -- Who has it there already keeps the longer of the two.
        on conflict (user_id, role_id, coalesce(scope_type, ''), coalesce(scope_id, 0), coalesce(valid_from, '-infinity'))
        do update set valid_to = case when role_assignments.valid_to is null or excluded.valid_to is null then null
          else greatest(role_assignments.valid_to, excluded.valid_to) end`.execute(tx)
      await sql`update scim_groups set role_id = ${body.role_id} where role_id = ${id}`.execute(tx)
      // What a directory gave it may take again: the new ones are its own where the old ones were.
      await sql`insert into scim_grants (role_assignment_id, directory_id, user_id, role_id)
        select n.id, g.directory_id, g.user_id, n.role_id from scim_grants g join role_assignments n
          on n.user_id = g.user_id and n.role_id = ${body.role_id} and n.scope_id is null and n.valid_from is null and n.created_at = now()
        where g.role_id = ${id} on conflict do nothing`.execute(tx)
      await sql`insert into archive_access (entry_id, role_id, level)
        select entry_id, ${body.role_id}::int, level from archive_access where role_id = ${id}
        on conflict on constraint archive_access_once do update set level = least(archive_access.level, excluded.level)`.execute(
        tx,
      )
      await sql`delete from archive_access where role_id = ${id}`.execute(tx)
      await sql`delete from role_assignments where role_id = ${id} and coalesce(valid_to >= university_today(), true)`.execute(
        tx,
      )
      await sql`update roles set removed_at = now() where id = ${id}`.execute(tx)
      await judgeOwn()
      return { data: { id, holders: Number(given.numAffectedRows ?? 0n) } }
    },
    { reason: body.reason },
  ),
)
export const roleHandlers: readonly Handled[] = [...served.handlers, replace]
