-- From Submitted on nothing changes a registration or a mark of an offering but who may: the setting `ems.authority` of
-- the transaction says on which authority it acts (`actOn` of areas/grading/guard.server.ts sets it, and nothing else).
-- Without one only offerings in Draft change. The rule stands in areas/grading/guard.rules.ts for the program, and here
-- for whoever writes; a test compares both, pair by pair.

-- Kinds of change: enrolment (a registration made, removed, moved to another offering, or of other hours), seat, state,
-- mark, scheme, result (what is computed: total, letter, points, which attempt it is).
create function control_allows(status text, kind text, authority text) returns boolean
language sql immutable parallel safe
return status = 'Draft' or case authority
  when 'load' then true
  when 'control' then status in ('Submitted', 'Reviewed') and kind in ('state', 'mark', 'result')
  when 'step' then kind = 'result'
  when 'correction' then status in ('Submitted', 'Reviewed', 'Approved', 'Published') and kind in ('state', 'mark', 'result')
  when 'incomplete' then kind in ('state', 'mark', 'result')
  when 'recheck' then status in ('Published', 'Frozen') and kind in ('state', 'mark', 'result')
  when 'excuse' then status in ('Submitted', 'Reviewed') and kind in ('state', 'seat', 'result')
  else false end;

-- Refuses in the shape that the server answers: a code, and what its text tells as JSON.
create function refuse_by_control(held_offering integer, held_status text, changed text) returns void language plpgsql as $$
begin
  raise exception using errcode = 'UE409', message = 'control_holds', detail = (
    select json_build_object('offering_id', held_offering, 'course', c.code, 'kind', changed, 'control_status', held_status,
      'status', held_status, 'status_local', case held_status when 'Submitted' then 'مسلَّمة' when 'Reviewed' then 'مراجَعة'
        when 'Approved' then 'معتمدة' when 'Published' then 'معلنة' else 'مجمَّدة' end,
      'to', 'Draft', 'to_local', 'مسودة', 'to_status', 'Draft',
      'steps', array_position(array['Submitted', 'Reviewed', 'Approved', 'Published', 'Frozen'], held_status))
    from offerings o join courses c on c.id = o.course_id where o.id = held_offering)::text;
end $$;

-- Registrations made refer to their offering, whose row is thereby locked against a step of control: here it is read.
create function guard_new_registrations() returns trigger language plpgsql as $$
declare
  held record;
begin
  for held in select o.id, o.control_status from offerings o
    where o.control_status <> 'Draft' and o.id in (select offering_id from new_rows)
  loop
    if not control_allows(held.control_status, 'enrolment', current_setting('ems.authority', true)) then
      perform refuse_by_control(held.id, held.control_status, 'enrolment');
    end if;
  end loop;
  return null;
end $$;

-- A step of control and a change meet at the row of the offering: the step locks it for update, every change shares its
-- key; whoever comes second sees what the first has done.
create function guard_changed_registrations() returns trigger language plpgsql as $$
declare
  held record;
begin
  for held in
    select o.id, o.control_status, x.kind
    from offerings o join (
      select o.offering_id as id, case
          when o.offering_id <> n.offering_id or o.student_id <> n.student_id or o.credit_hours <> n.credit_hours then 'enrolment'
          when (o.status | 112) <> (n.status | 112) then 'state' else 'result' end as kind
        from old_rows o join new_rows n using (id)
      union
      select n.offering_id, 'enrolment' from old_rows o join new_rows n using (id) where o.offering_id <> n.offering_id) x on x.id = o.id
    order by o.id for key share of o
  loop
    if not control_allows(held.control_status, held.kind, current_setting('ems.authority', true)) then
      perform refuse_by_control(held.id, held.control_status, held.kind);
    end if;
  end loop;
  return null;
end $$;

create function guard_removed_registrations() returns trigger language plpgsql as $$
declare
  held record;
begin
  for held in select o.id, o.control_status from offerings o
    where o.id in (select offering_id from old_rows) order by o.id for key share of o
  loop
    if not control_allows(held.control_status, 'enrolment', current_setting('ems.authority', true)) then
      perform refuse_by_control(held.id, held.control_status, 'enrolment');
    end if;
  end loop;
  return null;
end $$;

-- Seats and marks of registrations. Those of a registration that is removed go with it, and it has been asked about itself.
-- A seat taken with a new registration was asked about with it.
create function guard_parts() returns trigger language plpgsql as $$
declare
  held record;
  touched integer[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct r.offering_id) into touched from registrations r where r.id in (select registration_id from old_rows);
  else
    select array_agg(distinct r.offering_id) into touched from registrations r where r.id in (select registration_id from new_rows);
  end if;
  for held in select o.id, o.control_status from offerings o where o.id = any (touched) order by o.id for key share of o loop
    if not control_allows(held.control_status, tg_argv[0], current_setting('ems.authority', true)) then
      perform refuse_by_control(held.id, held.control_status, tg_argv[0]);
    end if;
  end loop;
  return null;
end $$;

create function guard_scheme() returns trigger language plpgsql as $$
declare
  held record;
  touched integer[];
begin
  if tg_op = 'DELETE' then
    select array_agg(distinct offering_id) into touched from old_rows;
  else
    select array_agg(distinct offering_id) into touched from new_rows;
  end if;
  for held in select o.id, o.control_status from offerings o where o.id = any (touched) order by o.id for key share of o loop
    if not control_allows(held.control_status, 'scheme', current_setting('ems.authority', true)) then
      perform refuse_by_control(held.id, held.control_status, 'scheme');
    end if;
  end loop;
  return null;
end $$;

create trigger control_insert after insert on registrations referencing new table as new_rows
  for each statement execute function guard_new_registrations();
create trigger control_update after update on registrations referencing old table as old_rows new table as new_rows
  for each statement execute function guard_changed_registrations();
create trigger control_delete after delete on registrations referencing old table as old_rows
  for each statement execute function guard_removed_registrations();

create trigger control_insert after insert on registration_slots referencing new table as new_rows
  for each statement execute function guard_parts('seat');
create trigger control_update after update on registration_slots referencing new table as new_rows
  for each statement execute function guard_parts('seat');
create trigger control_delete after delete on registration_slots referencing old table as old_rows
  for each statement execute function guard_parts('seat');

create trigger control_insert after insert on registration_marks referencing new table as new_rows
  for each statement execute function guard_parts('mark');
create trigger control_update after update on registration_marks referencing new table as new_rows
  for each statement execute function guard_parts('mark');
create trigger control_delete after delete on registration_marks referencing old table as old_rows
  for each statement execute function guard_parts('mark');

create trigger control_insert after insert on offering_marks referencing new table as new_rows
  for each statement execute function guard_scheme();
create trigger control_update after update on offering_marks referencing new table as new_rows
  for each statement execute function guard_scheme();
create trigger control_delete after delete on offering_marks referencing old table as old_rows
  for each statement execute function guard_scheme();
