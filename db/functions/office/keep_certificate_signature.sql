-- Signed is signed: a signature is voided, once, and never changed.
create or replace function keep_certificate_signature() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or to_jsonb(new) - 'voided_at' <> to_jsonb(old) - 'voided_at' or old.voided_at is not null then
    raise exception 'A signature stays as it was given' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
