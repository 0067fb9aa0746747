-- What ended stays ended, and what was granted keeps its terms.
create or replace function keep_grant() returns trigger language plpgsql as $$
begin
  if old.status <> 'applied' or (new.scholarship_id, new.percent, new.amount, new.currency, new.types, new.item_ids, new.year_id)
      is distinct from (old.scholarship_id, old.percent, old.amount, old.currency, old.types, old.item_ids, old.year_id) then
    raise exception using errcode = '23514', constraint = 'grant_kept', message = 'a grant keeps its terms';
  end if;
  return new;
end $$;
