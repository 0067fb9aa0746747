-- What a provider sent stays as it came; what it did not send ends with its time (`forged_callbacks` of the periods).
alter table provider_events drop constraint provider_events_callback_id_fkey,
  add constraint provider_events_callback_id_fkey foreign key (callback_id) references provider_callbacks on delete cascade;
create or replace function refuse_callback_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if exists (select from provider_events e where e.callback_id = old.id and e.verdict = 'forged') then
      return old;
    end if;
  end if;
  raise exception 'What a provider sent is kept as it came' using errcode = 'insufficient_privilege';
end $$;
