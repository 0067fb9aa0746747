create or replace function guard_offering_words() returns trigger language plpgsql as $$
declare
  stands boolean;
begin
  select o.control_status in ('Approved', 'Published', 'Frozen') into stands from offerings o
    where o.id = case when tg_op = 'DELETE' then old.offering_id else new.offering_id end;
  if tg_op = 'UPDATE' or (tg_op = 'INSERT' and not coalesce(stands, false)) or (tg_op = 'DELETE' and coalesce(stands, false)) then
    raise exception 'What was approved keeps its words' using errcode = 'insufficient_privilege';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
