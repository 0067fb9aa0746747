-- Whoever writes a step or a signature: the wait of the certificate follows.
create or replace function follow_certificate_turn() returns trigger language plpgsql as $$
begin
  perform keep_certificate_turn((case when tg_table_name = 'certificates' then to_jsonb(new) ->> 'id'
    else to_jsonb(new) ->> 'certificate_id' end)::integer);
  return null;
end $$;
