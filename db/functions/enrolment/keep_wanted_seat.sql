-- A program stays in its window as long as somebody wants it.
create or replace function keep_wanted_seat() returns trigger language plpgsql as $$
begin
  if exists (select from specialization_times t where t.id = old.specialization_time_id)
    and exists (select from specialization_preferences p
      where p.specialization_time_id = old.specialization_time_id and old.specialization_id = any(p.choices))
    and (tg_op = 'DELETE' or new.specialization_id <> old.specialization_id) then
    raise exception using errcode = 'UE409', message = 'specialization_wanted', detail = (
      select json_build_object('specialization', s.name, 'specialization_local', s.name_local, 'count',
        (select count(*) from specialization_preferences p
          where p.specialization_time_id = old.specialization_time_id and s.id = any(p.choices)))::text
      from specializations s where s.id = old.specialization_id);
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
