-- A number that stands on something is never given again: the row only goes forward, and stays; by as many as it says itself,
-- where numbers for many are taken at once.
create or replace function refuse_serial_change() returns trigger language plpgsql as $$
declare
  many integer := coalesce(nullif(current_setting('ems.serials', true), '')::integer, 1);
begin
  if tg_op = 'UPDATE' and many > 0 and new.last = old.last + many and (new.series, new.period) = (old.series, old.period) then
    return new;
  end if;
  if tg_op = 'INSERT' and many > 0 and new.last = many then
    return new;
  end if;
  raise exception 'Serial numbers only go on, one by one' using errcode = 'insufficient_privilege';
end $$;
