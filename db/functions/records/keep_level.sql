-- A level in which students are stays.
create or replace function keep_level() returns trigger language plpgsql as $$
begin
  if exists (select from bylaws where id = old.bylaw_id)
    and not exists (select from bylaw_levels l where l.bylaw_id = old.bylaw_id and l.level = old.level)
    and exists (select from students s where s.bylaw_id = old.bylaw_id and s.level = old.level and s.removed_at is null
      and s.status in ('studying', 'suspended') and exists (select from registrations r where r.student_id = s.id)) then
    raise exception 'Students are in level %', old.level using errcode = 'check_violation', constraint = 'level_with_students';
  end if;
  return null;
end $$;
