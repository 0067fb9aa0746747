import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** Last year's review, closed, and this year's, half done. */
export default demoPart(
  ['rights_reviews', 'rights_review_rows'],
  ['users', 'role_assignments', 'access_entries', 'user_permissions'],
  async (tx) => {
    await sql`
      with boss as (select min(id) as id from users where is_super_admin),
      made as (
        insert into rights_reviews (name, name_local, until_date, closed_at, told_at, created_by, created_at)
        select 'Review of rights ' || y, 'مراجعة الصلاحيات ' || y, d, c, c, boss.id, d - 45
        from boss cross join lateral (values
          (extract(year from university_today())::int - 1, university_today() - 330, now() - interval '328 days'),
          (extract(year from university_today())::int, university_today() + 21, null)) x (y, d, c)
        returning id, closed_at, created_at),
      given as (
        select a.user_id, 'role' as way, a.id as grant_id, a.role_id, null::text as permission, a.scope_type, a.scope_id, a.valid_from, a.valid_to, a.created_at, a.created_by from role_assignments a
        union all select user_id, 'entry', id, null, permission, scope_type, scope_id, valid_from, valid_to, created_at, created_by from access_entries
        union all select user_id, 'direct', id, null, permission, null, null, null, null, created_at, created_by from user_permissions)
      insert into rights_review_rows (review_id, user_id, way, grant_id, role_id, permission, scope_type, scope_id, valid_from, valid_to, given_at, given_by,
        decision, decided_by, decided_at)
      select m.id, g.user_id, g.way, g.grant_id, g.role_id, g.permission, g.scope_type, g.scope_id, g.valid_from, g.valid_to,
        least(g.created_at, m.created_at), g.created_by,
        case when m.closed_at is not null or g.user_id % 3 = 0 then 'confirmed' end,
        case when m.closed_at is not null or g.user_id % 3 = 0 then boss.id end,
        case when m.closed_at is not null or g.user_id % 3 = 0 then coalesce(m.closed_at, now()) - interval '3 days' end
      from made m cross join boss cross join given g join users u on u.id = g.user_id and u.type < 3 and u.removed_at is null
      where m.closed_at is null or g.way = 'role'`.execute(tx)
  },
)
