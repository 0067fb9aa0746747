-- Nobody hands out money that is not in the drawer: what lay in it, came and went is never less than nothing, in no currency.
create or replace function keep_drawer() returns trigger language plpgsql as $$
begin
  insert into cash_counts (shift_id, currency) values (new.shift_id, new.currency) on conflict do nothing;
  -- Of two who take out of one drawer at the same moment one waits, and then sees what the other took.
  perform from cash_counts where shift_id = new.shift_id and currency = new.currency for no key update;
  if (select c.opening from cash_counts c where c.shift_id = new.shift_id and c.currency = new.currency)
      + (select coalesce(sum(case t.direction when 'in' then t.amount else -t.amount end), 0) from transactions t
         where t.shift_id = new.shift_id and t.way = 'cash' and t.status = 'paid' and t.currency = new.currency) < 0 then
    raise exception 'The drawer does not hold so much' using errcode = 'check_violation', constraint = 'cash_drawer_empty';
  end if;
  return null;
end $$;
