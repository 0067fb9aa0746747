-- A wording that was changed is a new one; the one before stays with what was prepared by it.
create or replace function keep_certificate_text() returns trigger language plpgsql as $$
begin
  if new.body is not null and (tg_op = 'INSERT' or (new.body, new.body_local) is distinct from (old.body, old.body_local)) then
    insert into certificate_setting_texts (type_id, body, body_local) values (new.id, new.body, new.body_local);
  end if;
  return null;
end $$;
