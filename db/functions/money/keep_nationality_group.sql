create or replace function keep_nationality_group() returns trigger language plpgsql as $$
begin
  if new.currency is distinct from old.currency then
    raise exception using errcode = '23514', constraint = 'nationality_group_currency', message = 'what was charged stays in its currency';
  end if;
  if new.removed_at is not null and old.removed_at is null then
    if old.is_default then
      raise exception using errcode = '23514', constraint = 'nationality_group_needed', message = 'it is the default one';
    end if;
    delete from nationality_group_countries where nationality_group_id = old.id;
  end if;
  return new;
end $$;
