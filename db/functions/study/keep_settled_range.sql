create or replace function keep_settled_range() returns trigger language plpgsql as $$
declare
  bylaw integer := (select bylaw_id from grade_types where id = new.grade_type_id);
begin
  if not bylaw_settled(bylaw) then
    raise exception 'Approved results stand on these grades' using errcode = 'check_violation', constraint = 'settings_with_results';
  end if;
  return null;
end $$;
