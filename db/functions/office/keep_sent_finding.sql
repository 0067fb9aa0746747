-- Findings change while a return is in work only: afterwards they say on what it was sent.
create or replace function keep_sent_finding() returns trigger language plpgsql as $$
declare
  stands text;
begin
  -- Before it is sent: whoever accepts waits for whoever checks.
  select status into stands from statistical_returns where id = coalesce(new.return_id, old.return_id) for share;
  if found and stands <> 'draft' then
    raise exception using errcode = 'UE409', message = 'return_sent';
  end if;
  return coalesce(new, old);
end $$;
