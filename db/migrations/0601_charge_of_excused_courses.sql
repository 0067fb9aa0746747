-- What an excused course still costs is a rule of the bylaw too, beside that of a withdrawn one: decided when the excuse is accepted,
-- and kept. All of it unless the bylaw says otherwise, as it was before.
alter table bylaws add column excuse_charge numeric(5, 2) not null default 100
  constraint bylaws_excuse_charge check (excuse_charge between 0 and 100);

-- What was excused until now was charged in full: a rule that comes later changes nothing of it.
insert into withdrawal_charges (registration_id, percent)
  select r.id, 100 from registrations r where r.status & 2048 <> 0 on conflict (registration_id) do nothing;

-- How a course was left, as far as it decides what it costs: 17592186045440 is Withdrawn and ForcedWithdrawn, 2048 Excused.
create function left_how(status bigint) returns text language sql immutable parallel safe
return case when status & 17592186045440 <> 0 then 'withdrawn' when status & 2048 <> 0 then 'excused' end;

-- Whichever door it came by. What is undone costs as if it had never been; what is left otherwise than before is decided anew.
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
drop trigger withdrawal_charge on registrations;
create trigger withdrawal_charge after update of status on registrations for each row
  when (left_how(old.status) is distinct from left_how(new.status)) execute function decide_withdrawal_charge();
-- An import brings registrations as they ended.
create trigger withdrawal_charge_insert after insert on registrations for each row
  when (left_how(new.status) is not null) execute function decide_withdrawal_charge();
