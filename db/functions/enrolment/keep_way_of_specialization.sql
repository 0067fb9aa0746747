-- Where a specialisation leads, and under which bylaw a program stands, stays once somebody relies on it: whoever writes.
-- Wishes name a specialisation, not a program: after the first wish it leads where it led.
create or replace function keep_way_of_specialization() returns trigger language plpgsql as $$
declare
  wished bigint;
  given bigint;
begin
  select count(*) into wished from specialization_preferences p where new.id = any (p.choices);
  select count(*) into given from student_specializations g where g.specialization_id = new.id;
  if wished + given > 0 then
    raise exception using errcode = 'UE409', message = 'specialization_way_used', detail = json_build_object('count', wished + given)::text;
  end if;
  return new;
end $$;
