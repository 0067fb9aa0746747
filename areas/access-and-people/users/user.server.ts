import { PERMISSIONS } from '#access/permissions.contract.ts'
import { serveResource } from '#kit/server/resource.ts'
import { placeText } from '../rights/access.server.ts'
import { userReach } from '../rights/people.server.ts'
import { user } from './user.contract.ts'

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** SQL: the catalogue of rights, so that each is told with its names. */
const CATALOGUE = `(values ${[...PERMISSIONS].map(([key, [en, ar]]) => `(${literal(key)}, ${literal(en)}, ${literal(ar)})`).join(', ')}) c (key, name, name_local)`
const NAMED = `'key', c.key, 'name', c.name, 'name_local', c.name_local`
const rights = (what: string): string =>
  `coalesce((select json_agg(json_build_object(${NAMED}) order by c.key) from ${CATALOGUE} where c.key in (${what})), '[]')`
const ROLES = `select r.id from roles r where r.removed_at is null and (r.key = case t.type when 3 then 'student' when 4 then 'applicant' end
  or r.id in (select a.role_id from role_assignments a where a.user_id = t.id and coalesce(a.valid_to >= current_date, true)))`
const days = (a: string) => `'valid_from', ${a}.valid_from, 'valid_to', ${a}.valid_to, 'scope', ${placeText(a)}`

/** Accounts, with what their holders are given. The table is `t`. */
export const userHandlers = serveResource(user, {
  scope: {
    faculty: () => userReach().faculty,
    department: () => userReach().department,
    bylaw: () => userReach().bylaw,
    program: () => userReach().program,
  },
  computed: {
    roles: `coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'name_local', r.name_local, ${days('a')}) order by r.name, a.id)
      from role_assignments a join roles r on r.id = a.role_id and r.removed_at is null where a.user_id = t.id and coalesce(a.valid_to >= current_date, true)), '[]')`,
    last_login_at: '(select l.last_login_at from last_logins l where l.user_id = t.id)',
    role_permissions: rights(`select p.permission from role_permissions p where p.role_id in (${ROLES})`),
    direct_permissions: rights('select p.permission from user_permissions p where p.user_id = t.id'),
    access_entries: `coalesce((select json_agg(json_build_object(${NAMED}, ${days('e')}) order by c.key, e.id)
      from access_entries e join ${CATALOGUE} on c.key = e.permission where e.user_id = t.id and coalesce(e.valid_to >= current_date, true)), '[]')`,
    user_access_permissions: rights(
      'select e.permission from access_entries e where e.user_id = t.id and coalesce(e.valid_to >= current_date, true)',
    ),
  },
})
