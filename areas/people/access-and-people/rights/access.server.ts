/** What a person is given, read and changed in one place: whoever changes it waits for who is changing rights already. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { PERMISSIONS } from '#access/permissions.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { checkAccess, checkOwn, checkReaches, counted, grantDifferenceOf, grantsOf } from './grants.rules.ts'
import type { Giver, Grant, HeldGrant, GrantPlace, RoleRights, Within } from './grants.rules.ts'
import { userReach } from './people.server.ts'
import type { PersonAccess } from './rights.contract.ts'

/** What a right is called. */
export const rightNamed = (key: string): readonly [en: string, ar: string] =>
  PERMISSIONS.get(key as PermissionKey) ?? [key, key]

/** Makes whoever else changes rights wait until this unit of work ends, in every process. */
export const lockRights = (tx: Tx): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('rights'))`.execute(tx)

/** SQL: the part of the university that a row `a` names by `scope_type` and `scope_id`, with its names; null: all of it. */
export const placeText = (a: string): string => `case ${a}.scope_type
  ${[
    ['faculty', 'faculties'],
    ['department', 'departments'],
    ['bylaw', 'bylaws'],
    ['program', 'programs'],
  ]
    .map(
      ([unit, table]) => `when '${unit}' then (select json_build_object('type', '${unit}', 'id', ${a}.scope_id,
      'name', coalesce(max(u.name), ''), 'name_local', coalesce(max(u.name_local), '')) from ${table} u where u.id = ${a}.scope_id)`,
    )
    .join(' ')} end`
const giver = (a: string) =>
  `(select json_build_object('id', g.id, 'name', g.name, 'name_local', g.name_local) from users g where g.id = ${a}.created_by)`
const line = (a: string) =>
  `'id', ${a}.id, 'scope', ${placeText(a)}, 'valid_from', ${a}.valid_from, 'valid_to', ${a}.valid_to, 'since', ${a}.created_at, 'by', ${giver(a)}`
/** What is over is history. */
const open = (a: string) => `coalesce(${a}.valid_to >= university_today(), true)`

const ACCESS = sql.raw(`
  json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local, 'type', t.type, 'email', t.email,
    'is_super_admin', t.is_super_admin, 'is_root', t.is_root) as "user",
  coalesce((select json_agg(json_build_object('role', json_build_object('id', r.id, 'name', r.name, 'name_local', r.name_local), ${line('a')}) order by r.name, a.id)
    from role_assignments a join roles r on r.id = a.role_id and r.removed_at is null where a.user_id = t.id and ${open('a')}), '[]') as roles,
  coalesce((select json_agg(json_build_object('permission', e.permission, ${line('e')}) order by e.permission, e.id)
    from access_entries e where e.user_id = t.id and ${open('e')}), '[]') as access_entries,
  coalesce((select json_agg(json_build_object('id', d.id, 'permission', d.permission, 'since', d.created_at, 'by', ${giver('d')}) order by d.permission)
    from user_permissions d where d.user_id = t.id), '[]') as permissions,
  md5(concat(t.is_super_admin,
    (select string_agg(concat_ws(' ', a.id, a.valid_from, a.valid_to, a.scope_type, a.scope_id), ',' order by a.id) from role_assignments a where a.user_id = t.id), '/',
    (select string_agg(concat_ws(' ', e.id, e.valid_from, e.valid_to, e.scope_type, e.scope_id), ',' order by e.id) from access_entries e where e.user_id = t.id), '/',
    (select string_agg(d.id::text, ',' order by d.id) from user_permissions d where d.user_id = t.id))) as seen`)

/** What a person within reach is given. @throws {Refusal} 404 */
export async function accessOf(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
  access: PermissionKey = 'user_access_users',
): Promise<PersonAccess> {
  const { rows } = await sql<PersonAccess>`select ${ACCESS} from users t
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, access, userReach())}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** The rights of the roles that are there, by id. */
export async function roleRights(db: Db | Tx): Promise<RoleRights> {
  const { rows } = await sql<{ role_id: number; rights: { permission: string; reach: Grant['reach'] }[] }>`
    select r.id as role_id, coalesce(json_agg(json_build_object('permission', p.permission, 'reach', p.reach)) filter (where p.id is not null), '[]') as rights
    from roles r left join role_permissions p on p.role_id = r.id where r.removed_at is null group by r.id`.execute(db)
  return new Map(rows.map((row) => [row.role_id, row.rights]))
}

/** In what these parts of the university lie. A part that is not there lies in nothing. */
export async function withinOf(db: Db | Tx, places: readonly (GrantPlace | null | undefined)[]): Promise<Within> {
  const asked = places.filter((place) => place != null)
  const { rows } = asked.length
    ? await sql<{ type: GrantPlace['type']; id: number; lies_in: GrantPlace[] }>`
        select w.unit as type, w.unit_id as id, json_agg(json_build_object('type', w.lies_in, 'id', w.lies_in_id)) as lies_in
        from units_within w where (w.unit, w.unit_id) in (select type, id from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) x (type text, id int))
        group by 1, 2`.execute(db)
    : { rows: [] }
  const known = new Map(rows.map((row) => [`${row.type} ${row.id}`, row.lies_in]))
  return ({ type, id }) => known.get(`${type} ${id}`) ?? []
}

/** Who changes rights, with what he or she holds now: not what was known when the request came in. */
export async function giverOf(ctx: Ctx, tx: Tx): Promise<Giver> {
  const actor = actorIn(ctx)
  const everything = actor.is_super_admin || actor.is_root
  const { rows } = await sql<{ everything: boolean; grants: Grant[] }>`
    select (u.is_super_admin or u.is_root) as everything,
      coalesce((select json_agg(json_build_object('permission', p.permission, 'reach', p.reach, 'valid_from', p.valid_from, 'valid_to', p.valid_to,
        'scope', case when p.scope_type is not null then json_build_object('type', p.scope_type, 'id', p.scope_id) end))
        from rights_paths p where p.user_id = u.id and p.way <> 'super' and coalesce(p.valid_to >= university_today(), true)), '[]') as grants
    from users u where u.id = ${actor.user_id} and u.removed_at is null and u.blocked_at is null`.execute(tx)
  const [found] = rows
  if (!found) throw refuse(401, 'session_expired')
  // Who stands in for a super admin is none, and holds only what was delegated.
  const held = counted(found.grants)
  const grants =
    actor.delegation_id == null ? held : held.filter(({ permission }) => actor.rights.has(permission as PermissionKey))
  // Whoever may make others do everything may do everything.
  const makes =
    actor.rights.get('assign_super_admin')?.all === true &&
    grants.some((grant) => grant.permission === 'assign_super_admin')
  return { id: actor.user_id, everything: (everything && found.everything) || makes, grants }
}

/**
 * Looks at what somebody holds before rights are changed by whichever door, and gives what judges it after: refused is whatever
 * has let the own rights grow, or taken the own last right to manage rights.
 */
export async function watchOwn(ctx: Ctx, tx: Tx): Promise<() => Promise<void>> {
  if (ctx.system !== null) return async () => undefined
  const before = await giverOf(ctx, tx)
  return async () => {
    const after = await giverOf(ctx, tx)
    const reasons = checkOwn({
      everything: [before.everything, after.everything],
      before: before.grants,
      after: after.grants,
      within: await withinOf(
        tx,
        [...before.grants, ...after.grants].map((one) => one.scope),
      ),
      today: await todayOf(tx),
      nameOf: rightNamed,
    })
    if (reasons.length) throw new Refusal(403, reasons)
  }
}

export const todayOf = async (db: Db | Tx): Promise<string> =>
  firstRow((await sql<{ today: string }>`select university_today()::text as today`.execute(db)).rows).today

/** What is stored, as rules look at it. */
export const heldOf = (access: PersonAccess): HeldGrant => ({
  roles: access.roles.map(({ role, scope, valid_from, valid_to }) => ({
    role_id: role.id,
    scope,
    valid_from,
    valid_to,
  })),
  access_entries: access.access_entries.map(({ permission, scope, valid_from, valid_to }) => ({
    permission,
    scope,
    valid_from,
    valid_to,
  })),
  permissions: access.permissions.map((one) => one.permission),
})

interface Wanted {
  readonly roles: readonly {
    id?: number | undefined
    role_id: number
    scope: GrantPlace | null
    valid_from: string | null
    valid_to: string | null
  }[]
  readonly access_entries: readonly {
    id?: number | undefined
    permission: string
    scope: GrantPlace
    valid_from: string | null
    valid_to: string | null
  }[]
  readonly permissions: readonly string[]
  readonly is_super_admin: boolean
}

/** What is wanted as it stands now, for changes of a part of it. */
export const wantedOf = (access: PersonAccess): Wanted => ({
  roles: access.roles.map(({ id, role, scope, valid_from, valid_to }) => ({
    id,
    role_id: role.id,
    scope,
    valid_from,
    valid_to,
  })),
  access_entries: access.access_entries.map(({ id, permission, scope, valid_from, valid_to }) => ({
    id,
    permission,
    scope,
    valid_from,
    valid_to,
  })),
  permissions: access.permissions.map((one) => one.permission),
  is_super_admin: access.user.is_super_admin,
})

const known = (rows: readonly { id?: number | undefined }[], stored: readonly { id: number }[], field: string) =>
  rows.flatMap(({ id }, i) =>
    id !== undefined && (!stored.some((one) => one.id === id) || rows.findIndex((one) => one.id === id) !== i)
      ? [{ field: `${field}.${i}.id`, code: 'row_unknown' }]
      : [],
  )
const scopeJson = ({ scope, ...one }: Wanted['roles'][number] | Wanted['access_entries'][number]) => ({
  ...one,
  scope_type: scope?.type ?? null,
  scope_id: scope?.id ?? null,
})

/**
 * Makes what a person is given that which `change` says, if the rules let it: nobody gives or takes what he or she does not
 * hold as far and as long, lets the own rights grow, or takes the own last right to manage rights.
 */
export function changeAccess(
  ctx: Ctx,
  id: number,
  change: (now: PersonAccess) => Partial<Wanted>,
  {
    reason,
    seen,
    access,
  }: { reason?: string | null | undefined; seen?: string | undefined; access?: PermissionKey } = {},
): Promise<PersonAccess> {
  return ctx.write(
    async (tx) => {
      await lockRights(tx)
      // Nobody removes or blocks the account meanwhile, and who else changes it waits.
      await sql`select from users where id = ${id} for update`.execute(tx)
      const now = await accessOf(ctx, tx, id, access)
      if (seen !== undefined && seen !== now.seen) throw refuse(409, 'access_changed')
      if (now.user.is_root && !ctx.actor?.is_root) throw refuse(403, 'person_has_more_rights')
      const wanted: Wanted = { ...wantedOf(now), ...change(now) }
      const giver = await giverOf(ctx, tx)
      const rights = await roleRights(tx)
      const today = await todayOf(tx)
      const strange: Reason[] = [
        ...known(wanted.roles, now.roles, 'roles'),
        ...known(wanted.access_entries, now.access_entries, 'access_entries'),
        ...wanted.roles.flatMap(({ role_id }, i) =>
          rights.has(role_id) ? [] : [{ field: `roles.${i}.role_id`, code: 'role_unknown' }],
        ),
        ...wanted.access_entries.flatMap(({ permission }, i) =>
          PERMISSIONS.has(permission as PermissionKey) ||
          now.access_entries.some((accessEntry) => accessEntry.permission === permission)
            ? []
            : [{ field: `access_entries.${i}.permission`, code: 'right_unknown', data: { right: permission } }],
        ),
        ...wanted.permissions.flatMap((permission, i) =>
          PERMISSIONS.has(permission as PermissionKey) || now.permissions.some((one) => one.permission === permission)
            ? []
            : [{ field: `permissions.${i}`, code: 'right_unknown', data: { right: permission } }],
        ),
      ]
      const scopes = [...wanted.roles, ...wanted.access_entries].map((one) => one.scope)
      const within = await withinOf(tx, [
        ...scopes,
        ...now.roles.map((role) => role.scope),
        ...now.access_entries.map((accessEntry) => accessEntry.scope),
      ])
      for (const part of ['roles', 'access_entries'] as const)
        for (const [i, { scope }] of wanted[part].entries())
          if (scope && !within(scope).length) strange.push({ field: `${part}.${i}.scope`, code: 'part_unknown' })
      strange.push(
        ...checkReaches(
          [
            ...wanted.access_entries.flatMap(({ id: stored, permission }, i) =>
              stored === undefined
                ? [{ field: `access_entries.${i}.permission`, permission, kind: 'part' as const }]
                : [],
            ),
            ...wanted.permissions.flatMap((permission, i) =>
              now.permissions.some((one) => one.permission === permission)
                ? []
                : [{ field: `permissions.${i}`, permission, kind: 'university' as const }],
            ),
          ],
          rightNamed,
        ),
      )
      if (strange.length) throw new Refusal(422, strange)
      const held: HeldGrant = { ...wanted, permissions: [...new Set(wanted.permissions)] }
      const [before, after] = [grantsOf(heldOf(now), rights), grantsOf(held, rights)]
      const everything = now.user.is_super_admin || now.user.is_root
      const reasons = checkAccess({
        giver,
        difference: grantDifferenceOf(before, after, within),
        within,
        today,
        nameOf: rightNamed,
        before,
        after,
        held,
        kept: (one) => 'id' in one && one.id !== undefined,
        person: {
          id,
          staff: now.user.type < 3,
          everything: [everything, wanted.is_super_admin || now.user.is_root],
        },
      })
      if (reasons.length) throw new Refusal(reasons.some(({ field }) => field) ? 422 : 403, reasons)
      await store(tx, id, giver.id, wanted, now)
      return accessOf(ctx, tx, id, access)
    },
    reason ? { reason } : {},
  )
}

/** Writes what differs, each part in one statement. */
async function store(tx: Tx, id: number, by: number, wanted: Wanted, now: PersonAccess): Promise<void> {
  for (const [table, what, rows, stored] of [
    ['role_assignments', 'role_id', wanted.roles, now.roles],
    ['access_entries', 'permission', wanted.access_entries, now.access_entries],
  ] as const) {
    const name = sql.raw(table)
    const column = sql.raw(what)
    const kept = rows.flatMap((row) => row.id ?? [])
    const gone = stored.map((row) => row.id).filter((one) => !kept.includes(one))
    if (gone.length) await sql`delete from ${name} where id = any(${gone}::int[]) and user_id = ${id}`.execute(tx)
    const list = JSON.stringify(rows.map(scopeJson))
    const lines = sql`jsonb_to_recordset(${list}::jsonb) n (id int, role_id int, permission text, scope_type text, scope_id int, valid_from date, valid_to date)`
    if (kept.length)
      await sql`update ${name} a set ${column} = n.${column}, scope_type = n.scope_type, scope_id = n.scope_id, valid_from = n.valid_from, valid_to = n.valid_to
        from ${lines} where a.id = n.id and a.user_id = ${id}
          and (a.${column}, a.scope_type, a.scope_id, a.valid_from, a.valid_to) is distinct from (n.${column}, n.scope_type, n.scope_id, n.valid_from, n.valid_to)`.execute(
        tx,
      )
    if (rows.length > kept.length)
      await sql`insert into ${name} (user_id, ${column}, scope_type, scope_id, valid_from, valid_to, created_by)
        select ${id}::int, n.${column}, n.scope_type, n.scope_id, n.valid_from, n.valid_to, ${by}::int from ${lines} where n.id is null
        -- What is over gives its place to what begins anew.
        on conflict (user_id, ${column}, ${sql.raw(table === 'role_assignments' ? "coalesce(scope_type, ''), coalesce(scope_id, 0)" : 'scope_type, scope_id')}, coalesce(valid_from, '-infinity'))
        do update set valid_to = excluded.valid_to, created_by = excluded.created_by, created_at = now()`.execute(tx)
  }
  const had = now.permissions.map((one) => one.permission)
  const [added, gone] = [
    wanted.permissions.filter((key) => !had.includes(key)),
    had.filter((key) => !wanted.permissions.includes(key)),
  ]
  if (gone.length)
    await sql`delete from user_permissions where user_id = ${id} and permission = any(${gone}::text[])`.execute(tx)
  if (added.length)
    await sql`insert into user_permissions (user_id, permission, created_by) select ${id}::int, p, ${by}::int from unnest(${[...new Set(added)]}::text[]) p`.execute(
      tx,
    )
  if (wanted.is_super_admin !== now.user.is_super_admin)
    await sql`update users set is_super_admin = ${wanted.is_super_admin} where id = ${id}`.execute(tx)
}
