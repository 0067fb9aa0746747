import { sql } from 'kysely'
import { serveResource } from '#kit/server/resource.ts'
import { beforeAccountRemoved } from '../removing.server.ts'
import { refuseMoreRights } from '../rights-above.server.ts'
import { nameLineProblems, partsFollow } from '../names/follow.server.ts'
import { tellWhoseEmail } from '../taken-email.server.ts'
import { employee } from './employee.contract.ts'

/** Handlers of employees: users of type 2. Who may do everything is seen and changed only by such people. */
export const employeeHandlers = serveResource(employee, {
  where: (ctx) =>
    ctx.system !== null || ctx.actor?.is_super_admin || ctx.actor?.is_root
      ? sql`t.type = 2`
      : sql`t.type = 2 and not t.is_super_admin and not t.is_root`,
  computed: {
    roles: `coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'name_local', r.name_local) order by r.name)
      from roles r where r.removed_at is null and r.id in (select a.role_id from role_assignments a
        where a.user_id = t.id and (a.valid_to is null or a.valid_to >= university_today()))), '[]')`,
    last_login_at: '(select l.last_login_at from last_logins l where l.user_id = t.id)',
  },
  beforeWrite: async (ctx, tx, merged, current) => {
    if (current) await refuseMoreRights(ctx, tx, current.id)
    if (!current || merged.email !== current.email)
      await tellWhoseEmail(ctx, tx, { kind: 'user', id: current?.id ?? null, type: 2 }, merged.email)
    const names = await partsFollow(tx, 'users', merged, current)
    return current ? names : { ...names, type: 2 }
  },
  lineProblems: nameLineProblems,
  beforeRemove: beforeAccountRemoved,
  // Of an account that is removed nobody has rights: what it brings back is seen when it is there.
  afterRestore: refuseMoreRights,
})
