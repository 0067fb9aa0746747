create or replace function audit_offering_slot() returns trigger language plpgsql
security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, old, new)
  select 'update', 'offering_slots', new.id, (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer,
    (who ->> 'ip')::inet, who ->> 'reason', who ->> 'request_id', jsonb_object_agg(n.key, o.value), jsonb_object_agg(n.key, n.value)
  from jsonb_each(to_jsonb(new)) n join jsonb_each(to_jsonb(old)) o using (key)
  where n.value is distinct from o.value and n.key not in ('taken', 'waiting', 'held', 'version')
  having count(*) > 0;
  return null;
end $$;
