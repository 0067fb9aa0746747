create or replace function refuse_link_change() returns trigger language plpgsql as $$
begin
  raise exception 'Signed grade sheets are append-only' using errcode = 'insufficient_privilege';
end $$;
