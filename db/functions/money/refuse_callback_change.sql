create or replace function refuse_callback_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from provider_events e where e.callback_id = old.id and e.verdict = 'forged') then
      return old;
    end if;
  end if;
  raise exception 'What a provider sent is kept as it came' using errcode = 'insufficient_privilege';
end $$;
