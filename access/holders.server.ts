import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { PermissionKey } from './permissions.contract.ts'
import type { Unit } from './reach.contract.ts'

/** Parts of the university to which a record belongs: SQL that gives the id of each. */
export type Units = Readonly<Partial<Record<Unit, RawBuilder<unknown>>>>

/**
 * SQL of a query that gives, for one record, who holds one of these rights over it by a role: `id`, `name`, `name_local`,
 * `role`, `role_local`. Only the nearest of them: whose role is for a part of the university before whose is for all of it, and
 * who may little before who may much. Super admins, who could do it too, are nobody's next stop.
 *
 * @param advisor SQL of the account of who advises the person concerned: nearer than anybody, where the role reaches who is advised
 */
export const holdersSql = (
  keys: readonly PermissionKey[],
  units: Units,
  advisor?: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const within = Object.entries(units).map(([level, id]) => sql`(a.scope_type = ${level} and a.scope_id = (${id}))`)
  const parts = sql`r.scope and (${sql.join([sql`a.scope_type is null`, ...within], sql` or `)})`
  const advising = advisor ? sql`(r.advised and u.id = (${advisor}))` : sql`false`
  return sql`select distinct on (x.id) x.id, x.name, x.name_local, x.role, x.role_local from (
    select u.id, u.name, u.name_local, r.name as role, r.name_local as role_local,
      rank() over (order by not ${advising}, a.scope_type is null, r.size, r.id) as tier
    from role_assignments a
      join (select r.id, r.name, r.name_local, g.scope, g.advised,
          (select count(*) from role_permissions p where p.role_id = r.id) as size
        from roles r cross join lateral (select coalesce(bool_or(p.reach = 'scope'), false) as scope,
            coalesce(bool_or(p.reach = 'advised'), false) as advised from role_permissions p
          where p.role_id = r.id and p.permission = any(${[...keys]}::text[])) g
        where r.removed_at is null and (g.scope or g.advised)) r on r.id = a.role_id
      join users u on u.id = a.user_id and u.removed_at is null and u.blocked_at is null and not u.is_super_admin and not u.is_root
    where coalesce(a.valid_from <= university_today(), true) and coalesce(a.valid_to >= university_today(), true)
      and (${parts} or ${advising})
  ) x where x.tier = 1 order by x.id`
}
