-- What a requirement names is not removed; who tries is told where it is named.
create or replace function named_by_requirement() returns trigger language plpgsql as $$
declare
  places text;
begin
  places := requirement_places(
    case when tg_table_name = 'courses' then old.id end, case when tg_table_name = 'tags' then old.id end,
    case when tg_table_name = 'departments' then old.id end, case when tg_table_name = 'faculties' then old.id end,
    case when tg_table_name = 'program_pools' then old.id end);
  if places is not null then
    raise exception using errcode = 'UE409', message = 'named_by_requirement',
      detail = json_build_object('places', places)::text;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
