-- What a withdrawn course still costs is a rule of the bylaw, decided when it is withdrawn and kept: who counts money reads
-- it from here, and a later change of the rule changes nothing that was decided.
alter table bylaws add column withdrawal_charge numeric(5, 2) not null default 100
  constraint bylaws_withdrawal_charge check (withdrawal_charge between 0 and 100);

create table withdrawal_charges (
  id integer generated always as identity primary key,
  registration_id integer not null constraint withdrawal_charges_registration_id_key unique references registrations on delete cascade,
  -- Percent of the fees of the course.
  percent numeric(5, 2) not null check (percent between 0 and 100),
  decided_at timestamptz not null default now()
);
select audit_rows('withdrawal_charges', 'registration_id');

-- Withdrawn and withdrawn by force: whichever door it came by. What is undone costs as if it had never been.
create function decide_withdrawal_charge() returns trigger language plpgsql as $$
begin
  if new.status & 17592186045440 = 0 then
    delete from withdrawal_charges where registration_id = new.id;
  else
    insert into withdrawal_charges (registration_id, percent)
      select new.id, b.withdrawal_charge from students s join bylaws b on b.id = s.bylaw_id where s.id = new.student_id
      on conflict (registration_id) do nothing;
  end if;
  return null;
end $$;
create trigger withdrawal_charge after update of status on registrations for each row
  when ((old.status & 17592186045440 <> 0) is distinct from (new.status & 17592186045440 <> 0))
  execute function decide_withdrawal_charge();
