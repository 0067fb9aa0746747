create or replace function refuse_security_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'The security log is append-only' using errcode = 'insufficient_privilege';
end $$;
