create or replace function keep_fee_item() returns trigger language plpgsql as $$
begin
  if (new.type, new.is_automatic, new.late_only, new.deposit) is distinct from (old.type, old.is_automatic, old.late_only, old.deposit)
      and exists (select from fee_prices p where p.item_id = old.id) then
    raise exception using errcode = '23514', constraint = 'fee_item_priced', message = 'the item has prices';
  end if;
  return new;
end $$;
