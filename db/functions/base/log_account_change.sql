create or replace function log_account_change() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  insert into security_log (kind, actor_id, impersonator_id, subject_id, ip, request_id, data)
  values ('rights', (who ->> 'actor_id')::integer, (who ->> 'impersonator_id')::integer, new.id, (who ->> 'ip')::inet,
    who ->> 'request_id', jsonb_strip_nulls(jsonb_build_object('change', lower(tg_op), 'what', 'users', 'reason', who ->> 'reason',
      'is_super_admin', new.is_super_admin, 'is_root', new.is_root, 'blocked', new.blocked_at is not null,
      'removed', new.removed_at is not null)));
  return null;
end $$;
