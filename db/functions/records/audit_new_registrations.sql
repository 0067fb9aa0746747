-- Requests of several students are written in one statement: `ems.actor` then says who acts for each, as {by: {student: who}},
-- and each registration is audited under its own. Who acted is looked up once for each new row, not once for each column that
-- tells it.
create or replace function audit_new_registrations() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
  each jsonb := who -> 'by';
begin
  insert into audit_log (action, table_name, record_id, actor_id, impersonator_id, ip, reason, request_id, new)
  select 'insert', 'registrations', n.id, (w.who ->> 'actor_id')::integer, (w.who ->> 'impersonator_id')::integer,
    (w.who ->> 'ip')::inet, w.who ->> 'reason', w.who ->> 'request_id',
    jsonb_strip_nulls(to_jsonb(n) - '{version,created_at,updated_at}'::text[])
  from new_rows n cross join lateral (
    select coalesce(each -> n.student_id::text, who) as who offset 0) w;
  return null;
end $$;
