import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** What people are given beside the roles of their offices: for a time, in a part, by whom. */
export default demoPart(
  ['access_entries', 'user_permissions'],
  ['users', 'role_assignments', 'faculties', 'programs', 'departments', 'instructors'],
  async (tx) => {
    await sql`
      with boss as (select min(id) as id from users where is_super_admin),
      made as (
        insert into roles (key, name, name_local) values
          ('timetable_assistant', 'Timetable assistant', 'مساعد الجداول الدراسية'),
          ('summer_desk', 'Summer registration desk', 'مكتب تسجيل الفصل الصيفي')
        returning id, key),
      filled as (
        insert into role_permissions (role_id, permission, reach)
        select m.id, p, 'scope' from made m cross join lateral unnest(case m.key
          when 'timetable_assistant' then '{access_offering,show_offering,edit_offering_slots,access_schedule,access_location,access_slot}'
          else '{access_students,show_students,access_registration,show_registration,request_registration,withdraw_registration}' end::text[]) p),
      clerks as (
        select u.id, row_number() over (order by u.id) as n from users u
        where u.type = 2 and not u.is_super_admin and u.removed_at is null
          and exists (select from role_assignments a join roles r on r.id = a.role_id
            where a.user_id = u.id and r.key in ('registrar', 'faculty_registrar', 'registration_unit', 'quality_staff', 'exam_officer'))),
      units as (select id, row_number() over (order by id) as n from faculties)
      insert into role_assignments (user_id, role_id, scope_type, scope_id, valid_from, valid_to, created_by)
      select c.id, m.id, 'faculty', f.id, university_today() - 20, university_today() + case m.key when 'summer_desk' then 40 else 120 end, boss.id
      from clerks c join made m on m.key = case c.n % 2 when 1 then 'timetable_assistant' else 'summer_desk' end
        join units f on f.n = 1 + c.n % (select count(*) from units) cross join boss
      where c.n <= 4`.execute(tx)
    await sql`
      with boss as (select min(id) as id from users where is_super_admin),
      teachers as (
        select i.user_id, i.faculty_id, i.department_id, row_number() over (order by i.id) as n from instructors i join users u on u.id = i.user_id
        where i.removed_at is null and i.department_id is not null)
      insert into access_entries (user_id, permission, scope_type, scope_id, valid_from, valid_to, created_by, created_at)
      select t.user_id, p, 'department', t.department_id, (university_today() - 60)::date, (university_today() + 90)::date, boss.id, now() - interval '60 days'
      from teachers t cross join unnest(array['access_offering', 'show_offering', 'edit_offering_team']) p cross join boss where t.n <= 3
      union all
      select t.user_id, p, 'program', g.id, null, (university_today() + 200)::date, boss.id, now() - interval '30 days'
      from teachers t join lateral (select id from programs where faculty_id = t.faculty_id and removed_at is null order by id limit 1) g on true
        cross join unnest(array['access_students', 'show_student_record']) p cross join boss where t.n between 4 and 6`.execute(
      tx,
    )
    await sql`
      insert into user_permissions (user_id, permission, created_by, created_at)
      select u.id, 'access_logs', (select min(id) from users where is_super_admin), now() - interval '15 days' from users u
      where u.id = (select min(a.user_id) from role_assignments a join roles r on r.id = a.role_id where r.key = 'quality_staff')`.execute(
      tx,
    )
  },
)
