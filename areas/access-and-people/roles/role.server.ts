import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { PERMISSIONS } from '#access/permissions.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { kindOf } from '#access/reach.contract.ts'
import type { Reach } from '#access/roles.contract.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Refusal, refuse } from '#kit/server/errors.ts'
import { workings } from '#kit/server/resource.ts'
import type { Served } from '#kit/server/served.ts'
import { giverOf, lockRights, rightNamed, todayOf, watchOwn } from '../rights/access.server.ts'
import { checkGiving, checkReaches, differenceOf, rightsOfRole } from '../rights/grants.rules.ts'
import { role } from './role.contract.ts'

type Line = { readonly permission: string; readonly reach: Reach }
const storedRights = async (tx: Tx, id: number): Promise<Line[]> =>
  (await sql<Line>`select permission, reach from role_permissions where role_id = ${id}`.execute(tx)).rows

/** Refuses to give or take, by a role, what the writer does not hold everywhere: a role belongs to the university. */
async function judge(ctx: Ctx, tx: Tx, before: readonly Line[], after: readonly Line[]): Promise<void> {
  const within = () => []
  const reasons = checkGiving({
    giver: await giverOf(ctx, tx),
    difference: differenceOf(rightsOfRole(before), rightsOfRole(after), within),
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

/** Roles. The table is `t`. */
const served: Served<typeof role> = workings(role, {
  computed: {
    holders: `(select count(distinct a.user_id)::int from role_assignments a join users u on u.id = a.user_id and u.removed_at is null
      where a.role_id = t.id and coalesce(a.valid_from <= current_date, true) and coalesce(a.valid_to >= current_date, true))`,
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
      const { key, version } = await served.lock(ctx, tx, id, { access: 'remove_role' })
      // Who may do everything, studies or applies holds it by being one.
      if (['root', 'super_admin', 'student', 'applicant'].includes(key as string)) throw refuse(409, 'role_needed')
      await judge(ctx, tx, await storedRights(tx, id), [])
      const judgeOwn = await watchOwn(ctx, tx)
      // Whoever holds it loses it at once, in every process; the assignments stay, so that it can be restored.
      await sql`update roles set removed_at = now() where id = ${id}`.execute(tx)
      await judgeOwn()
      return { id, version: version + 1 }
    }),
  restore: (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await lockRights(tx)
      const { removed, version } = await served.lock(ctx, tx, id, { access: 'restore_role', removed: true })
      if (!removed) return { id, version }
      // Its holders have it again.
      await judge(ctx, tx, [], await storedRights(tx, id))
      const judgeOwn = await watchOwn(ctx, tx)
      await sql`update roles set removed_at = null where id = ${id}`.execute(tx)
      await judgeOwn()
      return { id, version: version + 1 }
    }),
})
export const roleHandlers = served.handlers
