-- Parts of a specification change while somebody works on it: not while it waits for a decision, and never once it is approved. Who
-- changes one holds the specification, so that whoever submits it waits, and judges what is there.
create or replace function guard_specification_part() returns trigger language plpgsql as $$
declare
  of integer := case when tg_op = 'DELETE' then old.specification_id else new.specification_id end;
  status_now text;
begin
  if tg_op = 'UPDATE' and new.specification_id <> old.specification_id then
    raise exception using errcode = 'check_violation', constraint = 'specification_moved', message = 'a part stays with its specification';
  end if;
  select s.status into status_now from specifications s where s.id = of for share;
  -- With its specification goes what belongs to it.
  if found and status_now not in ('draft', 'sent_back') then
    raise exception using errcode = 'check_violation', constraint = 'specification_fixed', message = 'the specification is not being worked on';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
