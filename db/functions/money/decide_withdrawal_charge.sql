-- Withdrawn and withdrawn by force, whichever door it came by. What is undone costs as if it had never been; what is left
-- otherwise than before is decided anew.
create or replace function decide_withdrawal_charge() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from withdrawal_charges where registration_id = new.id;
  end if;
  insert into withdrawal_charges (registration_id, percent)
    select new.id, case left_how(new.status) when 'excused' then b.excuse_charge else b.withdrawal_charge end
    from students s join bylaws b on b.id = s.bylaw_id
    where s.id = new.student_id and left_how(new.status) is not null;
  return null;
end $$;
