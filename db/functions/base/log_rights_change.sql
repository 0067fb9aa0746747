-- Rights that change are written down by the database, whoever changes them: what was given or taken, and to whom. Each row's
-- JSON is made once, and roles are joined instead of looked up.
create or replace function log_rights_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  common jsonb := jsonb_strip_nulls(jsonb_build_object('change', lower(tg_op), 'what', tg_table_name, 'reason', who ->> 'reason'));
  actor integer := (who ->> 'actor_id')::integer;
  impersonator integer := (who ->> 'impersonator_id')::integer;
  address inet := (who ->> 'ip')::inet;
  request text := who ->> 'request_id';
begin
  -- The rights a role begins with come with the program.
  if tg_table_name = 'role_permissions' and actor is null then
    return null;
  end if;
  insert into security_log (kind, actor_id, impersonator_id, subject_id, ip, request_id, data)
  select 'rights', actor, impersonator, (line ->> 'user_id')::integer, address, request,
    coalesce(r.told, common) || jsonb_strip_nulls(line - '{id,user_id,role_id,created_by,created_at}'::text[])
  from (select to_jsonb(c) as line from changed c offset 0) as rows
    left join (select id, common || jsonb_build_object('role', key) as told from roles offset 0) r on r.id = (line ->> 'role_id')::integer;
  return null;
end $$;
