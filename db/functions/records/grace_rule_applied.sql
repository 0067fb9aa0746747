-- A rule that was applied stays as it was applied.
create or replace function grace_rule_applied() returns trigger language plpgsql as $$
begin
  if exists (select from level_results r where r.bylaw_id = old.bylaw_id and r.year_id = old.year_id
      and r.status in ('applied', 'announced')) then
    raise exception using errcode = 'UE409', message = 'grace_rule_applied', detail = '{}';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
