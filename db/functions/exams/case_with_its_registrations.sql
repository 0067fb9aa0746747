-- A punishment or a ban that stands has its registrations in that state.
create or replace function case_with_its_registrations() returns trigger language plpgsql as $$
declare
  named integer;
begin
  if tg_table_name = 'exam_cases' then
    select r.id into named from exam_cases k join registrations r on r.id = any(k.punished_ids)
      where k.id = new.id and k.status in ('punished', 'appealed') and k.removed_at is null and r.status & 134217728 = 0 limit 1;
  else
    select r.id into named from absence_cases k join registrations r on r.id = k.registration_id
      where k.id = new.id and k.status = 'banned' and k.removed_at is null and r.status & 2305843009213693952 = 0 limit 1;
  end if;
  if named is not null then
    perform refuse_without_case(named);
  end if;
  return null;
end $$;
