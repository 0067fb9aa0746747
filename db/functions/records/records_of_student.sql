-- Records of a student of which the log of changes tells: the student, and all rows of audited tables that name the student
-- or one of the registrations. Marks stand under their registration.
create or replace function records_of_student(wanted integer) returns table (table_name text, record_id integer)
language plpgsql stable as $$
declare
  audited record;
begin
  table_name := 'students';
  record_id := wanted;
  return next;
  for audited in
    select c.relname::text as name, k.attname::text as key, bool_or(a.attname = 'student_id') as of_student
    from pg_trigger g
      join pg_class c on c.oid = g.tgrelid and c.relnamespace = 'public'::regnamespace
      join pg_attribute k on k.attrelid = c.oid and k.atttypid in ('integer'::regtype, 'bigint'::regtype)
        and k.attname = case
          -- Registrations and their marks have triggers of their own.
          when g.tgnargs = 0 then case c.relname when 'registration_marks' then 'registration_id' else 'id' end
          else (convert_from(substring(g.tgargs from 1 for position('\x00'::bytea in g.tgargs) - 1), 'UTF8')::text[])[1] end
      join pg_attribute a on a.attrelid = c.oid and not a.attisdropped and a.attname in ('student_id', 'registration_id')
    where g.tgname = 'audit_insert' and c.relname <> 'students'
      -- What stands under a record of several students (a meeting, say) tells of the others as well.
      and k.attname in ('id', 'student_id', 'registration_id')
    group by 1, 2
  loop
    return query execute format(
      case when audited.of_student then 'select %L::text, %I::integer from %I where student_id = $1'
        else 'select %L::text, %I::integer from %I where registration_id in (select id from registrations where student_id = $1)' end,
      audited.name, audited.key, audited.name) using wanted;
  end loop;
end $$;
