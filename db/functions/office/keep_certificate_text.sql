-- A wording that was changed is a new one; the one before stays with what was prepared by it.
create or replace function keep_certificate_text() returns trigger language plpgsql as $$
declare
  who jsonb := coalesce(nullif(current_setting('ems.actor', true), ''), '{}');
begin
  if new.body is not null and (tg_op = 'INSERT' or (new.body, new.body_local) is distinct from (old.body, old.body_local)) then
    insert into certificate_setting_texts (type_id, body, body_local, created_by)
    values (new.id, new.body, new.body_local, (who ->> 'actor_id')::integer);
  end if;
  return null;
end $$;
