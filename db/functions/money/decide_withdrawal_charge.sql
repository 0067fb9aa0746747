-- Withdrawn and withdrawn by force, whichever door it came by. What is undone costs as if it had never been; what is left
-- otherwise than before is decided anew. Who asked, and was answered later, left on the day of asking.
create or replace function decide_withdrawal_charge() returns trigger language plpgsql as $$
declare
  asked date;
begin
  if tg_op = 'UPDATE' then
    delete from withdrawal_charges where registration_id = new.id;
    asked := case when old.status & 8388608 <> 0 then (select (h.at at time zone university_zone())::date from registration_history h
      where h.registration_id = new.id and h.action = 'withdraw' order by h.id desc limit 1) end;
  end if;
  insert into withdrawal_charges (registration_id, percent)
    select new.id, case left_how(new.status) when 'excused' then b.excuse_charge else coalesce((
      select x.percent from bylaw_withdrawal_steps x join terms t on t.id = new.term_id
      -- An import brings registrations as they ended: when they were left, nobody told.
      where tg_op = 'UPDATE' and x.bylaw_id = b.id and x.summer = (t.term_type = 'summer')
        and x.days >= coalesce(asked, university_today()) - t.start_date
      order by x.days limit 1), b.withdrawal_charge) end
    from students s join bylaws b on b.id = s.bylaw_id
    where s.id = new.student_id and left_how(new.status) is not null;
  return null;
end $$;
