import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { PERMISSION_KEYS, counting } from './permissions.contract.ts'
import type { PermissionKey } from './permissions.contract.ts'
import { BONDS, EVERYWHERE, NOWHERE, UNITS, kindOf } from './reach.contract.ts'
import type { Bond, ReachSet, Unit } from './reach.contract.ts'
import { SEEDED_ROLES } from './roles.contract.ts'

export type Rights = ReadonlyMap<PermissionKey, ReachSet>

/** What super admins and root hold. */
export const ALL_RIGHTS: Rights = new Map(PERMISSION_KEYS.map((key) => [key, EVERYWHERE]))

/**
 * SQL: the grants of the row `u` of `users` as text, one a line, `permission reach scope_type scope_id`, in a fixed
 * order, so that people with the same rights have the same text. A student holds the role `student` by being one, an
 * applicant the role `applicant`; every other role needs an assignment. Days are those of the university.
 */
export const GRANTS_SQL = `(
  select coalesce(string_agg(distinct g.permission || ' ' || g.reach || coalesce(' ' || g.scope_type || ' ' || g.scope_id, ''), E'\\n'), '')
  from (
    select p.permission, p.reach,
      case when p.reach = 'scope' then a.scope_type end as scope_type, case when p.reach = 'scope' then a.scope_id end as scope_id
    from (
      select role_id, scope_type, scope_id from role_assignments
      where user_id = u.id and coalesce(valid_from <= university_today(), true) and coalesce(valid_to >= university_today(), true)
      union all
      select id, null, null from roles where key = case u.type when 3 then 'student' when 4 then 'applicant' end
    ) a
    join roles r on r.id = a.role_id and r.removed_at is null
    join role_permissions p on p.role_id = r.id
    union all
    select permission, 'scope', null, null from user_permissions where user_id = u.id
    union all
    select permission, 'scope', scope_type, scope_id from access_entries
    where user_id = u.id and coalesce(valid_from <= university_today(), true) and coalesce(valid_to >= university_today(), true)
  ) g
)`

/**
 * Grants as `GRANTS_SQL` writes them, united per permission. Keys that are no longer in the catalogue are left out, and so is a
 * reach that the right does not know, whoever wrote it: it opens nothing.
 */
export function parseGrants(text: string): Rights {
  const found = new Map<string, { -readonly [K in keyof ReachSet]: ReachSet[K] }>()
  for (const line of text ? text.split('\n') : []) {
    const [key = '', reach, level, id] = line.split(' ')
    const kind = counting(key, kindOf(reach as 'scope' | Bond, level !== undefined))
    if (kind === null) continue
    let set = found.get(key)
    if (!set) found.set(key, (set = { ...NOWHERE }))
    if (kind !== 'university' && kind !== 'part') set[kind] = true
    else if (level) set[level as Unit] = [...set[level as Unit], Number(id)]
    else set.all = true
  }
  return found as ReadonlyMap<string, ReachSet> as Rights
}

/** The same rights are one object, however many people hold them. */
const interned = new Map<string, Rights>()
/** As `parseGrants`, parsed once per text. Most people share theirs with thousands of others. */
export function internGrants(text: string): Rights {
  let rights = interned.get(text)
  if (!rights) {
    rights = parseGrants(text)
    if (interned.size >= 5000) interned.clear()
    interned.set(text, rights)
  }
  return rights
}

/** Effective rights of a person; none for an unknown or removed one. */
export async function rightsOf(db: Db | Tx, userId: number): Promise<Rights> {
  const { rows } = await sql<{ everything: boolean; grants: string }>`
    select u.is_super_admin or u.is_root as everything, ${sql.raw(GRANTS_SQL)} as grants
    from users u where u.id = ${userId} and u.removed_at is null`.execute(db)
  const [row] = rows
  return row?.everything ? ALL_RIGHTS : internGrants(row?.grants ?? '')
}

/** What every student holds gives nobody power over others. */
const EVERYBODYS: ReadonlySet<string> = new Set(
  Object.keys(SEEDED_ROLES.find((r) => r.key === 'student')?.rights ?? {}),
)

/** Bonds to the records of others. */
const OTHERS = BONDS.filter((bond) => bond !== 'own')

/** Whether `one` reaches at least as far as `other` in everything: nobody may log in as somebody with more rights. */
export function covers(one: Rights, other: Rights): boolean {
  for (const [key, theirs] of other) {
    if (EVERYBODYS.has(key)) continue
    const mine = one.get(key)
    if (!mine) {
      // What is bound to a person's own record gives nobody power over others.
      if (theirs.all || UNITS.some((l) => theirs[l].length > 0) || OTHERS.some((b) => theirs[b])) return false
      continue
    }
    if (mine.all) continue
    if (theirs.all) return false
    if (UNITS.some((l) => theirs[l].some((id) => !mine[l].includes(id)))) return false
    if (OTHERS.some((b) => theirs[b] && !mine[b])) return false
  }
  return true
}

/**
 * Writes the roles that come with the program, and their rights. A role that is already there keeps what the university
 * made of it, also when it was removed; only a right that came with a newer program is added to it. Returns the keys of
 * new roles.
 */
export async function seedRoles(tx: Tx): Promise<string[]> {
  const roles = SEEDED_ROLES.map((r) => ({ key: r.key, name: r.name[0], name_local: r.name[1] }))
  const created = await sql<{ key: string }>`
    insert into roles (key, name, name_local, system)
    select key, name, name_local, true from jsonb_to_recordset(${JSON.stringify(roles)}::jsonb) as t(key text, name text, name_local text)
    on conflict (key) do nothing
    returning key`.execute(tx)
  const fresh = created.rows.map((row) => row.key)
  const rights = SEEDED_ROLES.flatMap((role) =>
    Object.entries(role.rights).map(([permission, reach]) => ({ role: role.key, permission, reach })),
  )
  await sql`
    insert into role_permissions (role_id, permission, reach)
    select r.id, t.permission, t.reach
    from jsonb_to_recordset(${JSON.stringify(rights)}::jsonb) as t(role text, permission text, reach text)
    join roles r on r.key = t.role
    where t.role = any(${fresh}) or not exists (select from seeded_permissions s where s.permission = t.permission)
    on conflict do nothing`.execute(tx)
  await sql`insert into seeded_permissions (permission) select unnest(${[...PERMISSION_KEYS]}::text[])
    on conflict do nothing`.execute(tx)
  return fresh
}
