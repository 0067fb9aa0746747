import { sql } from 'kysely'
import { z } from 'zod'
import { PERMISSIONS } from '#access/permissions.contract.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { accountStateSql } from '#areas/people/people/account/account.server.ts'
import { beforeAccountRemoved } from '#areas/people/people/removing.server.ts'
import { refuseMoreRights } from '#areas/people/people/rights-above.server.ts'
import { partsFollow } from '#areas/people/people/names/follow.server.ts'
import { tellWhoseEmail } from '#areas/people/people/taken-email.server.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { placeText } from '../rights/access.server.ts'
import { userReach } from '../rights/people.server.ts'
import { heldByBeing } from '../roles/held-by-being.server.ts'
import { signsInWithout } from '../second-factor/factors.server.ts'
import { refusePhone } from './phone.server.ts'
import { user } from './user.contract.ts'

const ids = z.union([z.int().transform((id) => [id]), z.array(z.int())])
const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** SQL: the catalogue of rights, so that each is told with its names. */
const CATALOGUE = `(values ${[...PERMISSIONS].map(([key, [en, ar]]) => `(${literal(key)}, ${literal(en)}, ${literal(ar)})`).join(', ')}) c (key, name, name_local)`
const NAMED = `'key', c.key, 'name', c.name, 'name_local', c.name_local`
const rights = (what: string): string =>
  `coalesce((select json_agg(json_build_object(${NAMED}) order by c.key) from ${CATALOGUE} where c.key in (${what})), '[]')`
const ROLES = `select r.id from roles r where r.removed_at is null and (r.key = case t.type when 3 then 'student' when 4 then 'applicant' end
  or r.id in (select a.role_id from role_assignments a where a.user_id = t.id and coalesce(a.valid_to >= university_today(), true)))`
const days = (a: string) => `'valid_from', ${a}.valid_from, 'valid_to', ${a}.valid_to, 'scope', ${placeText(a)}`

/** Accounts, with what their holders are given. The table is `t`. */
export const userHandlers = serveResource(user, {
  scope: {
    faculty: () => userReach().faculty,
    department: () => userReach().department,
    bylaw: () => userReach().bylaw,
    program: () => userReach().program,
  },
  filters: {
    role_id: (value) => {
      const roles = parse(ids, value, ['filters', 'role_id'])
      return sql`(exists (select from role_assignments a where a.user_id = t.id
        and coalesce(a.valid_to >= university_today(), true) and a.role_id = any(${roles}::int[]))
        or exists (select from roles r where r.id = any(${roles}::int[]) and ${sql.raw(heldByBeing('r.key', 't'))}))`
    },
    is_blocked: (value) => sql`(t.blocked_at is not null) = ${parse(z.boolean(), value, ['filters', 'is_blocked'])}`,
    never_signed_in: (value) => sql`not exists (select from last_logins l where l.user_id = t.id)
      = ${parse(z.boolean(), value, ['filters', 'never_signed_in'])}`,
    // Whose account opens more easily is for those who may demand a second factor; anybody else finds nobody by it.
    no_second_factor: (value, ctx) => sql`(${signsInWithout(parse(ids, value, ['filters', 'no_second_factor']))}
      and ${scopeCondition(ctx, 'require_second_factor', 'university')})`,
    // Tags stand on students; who may not read them finds nobody by them.
    tag_id: (
      value,
      ctx,
    ) => sql`exists (select from student_tags g join students s on s.id = g.student_id and s.removed_at is null
      where s.user_id = t.id and g.tag_id = any(${parse(ids, value, ['filters', 'tag_id'])}::int[])
        and ${scopeCondition(ctx, 'access_tag', studentReach(ctx, 's'))})`,
  },
  // Who works here is added here; who studies or teaches has a record, from which the account is made by an invitation.
  beforeWrite: async (ctx, tx, merged, current) => {
    if (current) {
      await refuseMoreRights(ctx, tx, current.id)
      if (merged.phone !== current.phone) await refusePhone(tx, current.id, (merged.phone ?? null) as string | null)
      if (merged.name !== current.name || merged.name_local !== current.name_local) {
        const { rows } = await sql`select from students where user_id = ${current.id} and removed_at is null
          union all select from instructors where user_id = ${current.id} and removed_at is null`.execute(tx)
        if (rows.length) throw refuse(422, 'name_of_record', {}, merged.name === current.name ? 'name_local' : 'name')
      }
    }
    if (!current || merged.email !== current.email)
      await tellWhoseEmail(
        ctx,
        tx,
        { kind: 'user', id: current?.id ?? null, type: (current?.type as number | undefined) ?? 2 },
        merged.email,
      )
    return current ? partsFollow(tx, 'users', merged, current) : { type: 2 }
  },
  beforeRemove: beforeAccountRemoved,
  // Of an account that is removed nobody has rights: what it brings back is seen when it is there.
  afterRestore: refuseMoreRights,
  computed: {
    account_state: accountStateSql('t.id'),
    roles: `coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'name_local', r.name_local, ${days('a')}) order by r.name, a.id)
      from role_assignments a join roles r on r.id = a.role_id and r.removed_at is null where a.user_id = t.id and coalesce(a.valid_to >= university_today(), true)), '[]')`,
    last_login_at: '(select l.last_login_at from last_logins l where l.user_id = t.id)',
    role_permissions: rights(`select p.permission from role_permissions p where p.role_id in (${ROLES})`),
    direct_permissions: rights('select p.permission from user_permissions p where p.user_id = t.id'),
    access_entries: `coalesce((select json_agg(json_build_object(${NAMED}, ${days('e')}) order by c.key, e.id)
      from access_entries e join ${CATALOGUE} on c.key = e.permission where e.user_id = t.id and coalesce(e.valid_to >= university_today(), true)), '[]')`,
    user_access_permissions: rights(
      'select e.permission from access_entries e where e.user_id = t.id and coalesce(e.valid_to >= university_today(), true)',
    ),
  },
})
