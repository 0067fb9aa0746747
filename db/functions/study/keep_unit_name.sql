-- What a faculty, department or program was called until today. Of several changes on one day the first tells it; where the last
-- one brings that name back, nothing was otherwise. The argument names the column of `unit_names` in which the unit stands.
create or replace function keep_unit_name() returns trigger language plpgsql as $$
declare
  was jsonb := to_jsonb(old);
  now_is jsonb := to_jsonb(new);
  today date := university_today();
begin
  execute format('insert into unit_names (%I, until_day, name, name_local, within_id) values ($1, $2, $3, $4, $5)
      on conflict on constraint unit_names_day do nothing', tg_argv[0])
    using old.id, today, btrim(old.name), btrim(old.name_local), (was ->> 'faculty_id')::integer;
  execute format('delete from unit_names where %I = $1 and until_day = $2 and name = $3 and name_local = $4
      and within_id is not distinct from $5', tg_argv[0])
    using new.id, today, btrim(new.name), btrim(new.name_local), (now_is ->> 'faculty_id')::integer;
  return null;
end $$;
