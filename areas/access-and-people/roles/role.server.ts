import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { PERMISSIONS } from '#access/permissions.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Reach } from '#access/roles.contract.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Refusal, refuse } from '#kit/server/errors.ts'
import { workings } from '#kit/server/resource.ts'
import type { Served } from '#kit/server/served.ts'
import { giverOf, lockRights, rightNamed, todayOf } from '../rights/access.server.ts'
import { checkGiving, differenceOf, managesRights } from '../rights/grants.rules.ts'
import type { Giver, Grant } from '../rights/grants.rules.ts'
import { role } from './role.contract.ts'

type Line = { readonly permission: string; readonly reach: Reach }
/** A role belongs to the university: whoever changes it needs what changes everywhere. */
const everywhere = (lines: readonly Line[]): Grant[] =>
  lines.map(({ permission, reach }) => ({ permission, reach, scope: null, valid_from: null, valid_to: null }))
const storedRights = async (tx: Tx, id: number): Promise<Line[]> =>
  (await sql<Line>`select permission, reach from role_permissions where role_id = ${id}`.execute(tx)).rows

/** Refuses to give or take, by a role, what the writer does not hold everywhere. */
async function judge(ctx: Ctx, tx: Tx, before: readonly Line[], after: readonly Line[]): Promise<void> {
  const within = () => []
  const reasons = checkGiving({
    giver: await giverOf(ctx, tx),
    difference: differenceOf(everywhere(before), everywhere(after), within),
    within,
    today: await todayOf(tx),
    nameOf: rightNamed,
  })
  if (reasons.length) throw new Refusal(403, reasons)
}
/** Nobody loses by his or her own change of a role the own last right to manage rights. */
async function keepOwn(ctx: Ctx, tx: Tx, before: Giver): Promise<void> {
  const today = await todayOf(tx)
  const after = await giverOf(ctx, tx)
  const { actor } = ctx
  if (actor?.is_super_admin || actor?.is_root) return
  if (managesRights(before.grants, today) && !managesRights(after.grants, today)) throw refuse(403, 'own_last_right')
}
/** What the role of super admins is made of is theirs to change. */
async function refuseSupers(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ key: string }>`select key from roles where id = ${id}`.execute(tx)
  if (['root', 'super_admin'].includes(rows[0]?.key ?? '') && !(await giverOf(ctx, tx)).everything)
    throw refuse(403, 'assignSuperAdminUnauthorized')
}
/** What changes by a write, once it is done. */
const written = new WeakMap<object, Giver>()

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
    if (current) await refuseSupers(ctx, tx, current.id)
    await judge(ctx, tx, before, after)
    if (current) written.set(merged, await giverOf(ctx, tx))
  },
  afterWrite: async (ctx, tx, _id, merged) => {
    const before = written.get(merged)
    if (before) await keepOwn(ctx, tx, before)
  },
  remove: (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await lockRights(tx)
      const { key, version } = await served.lock(ctx, tx, id, { access: 'remove_role' })
      // Who may do everything, studies or applies holds it by being one.
      if (['root', 'super_admin', 'student', 'applicant'].includes(key as string)) throw refuse(409, 'role_needed')
      await judge(ctx, tx, await storedRights(tx, id), [])
      const before = await giverOf(ctx, tx)
      // Whoever holds it loses it at once, in every process; the assignments stay, so that it can be restored.
      await sql`update roles set removed_at = now() where id = ${id}`.execute(tx)
      await keepOwn(ctx, tx, before)
      return { id, version: version + 1 }
    }),
  restore: (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await lockRights(tx)
      const { removed, version } = await served.lock(ctx, tx, id, { access: 'restore_role', removed: true })
      if (!removed) return { id, version }
      // Its holders have it again.
      await judge(ctx, tx, [], await storedRights(tx, id))
      await sql`update roles set removed_at = null where id = ${id}`.execute(tx)
      return { id, version: version + 1 }
    }),
})
export const roleHandlers = served.handlers
