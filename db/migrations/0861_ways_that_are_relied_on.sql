-- Where a specialisation leads, and under which bylaw a program stands, stays once somebody relies on it: whoever writes.

-- Wishes name a specialisation, not a program: after the first wish it leads where it led.
create function keep_way_of_specialization() returns trigger language plpgsql as $$
declare
  wished bigint;
  given bigint;
begin
  select count(*) into wished from specialization_preferences p where new.id = any (p.choices);
  select count(*) into given from student_specializations g where g.specialization_id = new.id;
  if wished + given > 0 then
    raise exception using errcode = 'UE409', message = 'specialization_way_used', detail = json_build_object('count', wished + given)::text;
  end if;
  return new;
end $$;
create trigger keep_way before update of bylaw_id, general_program_id, program_id on specializations for each row
  when ((old.bylaw_id, old.general_program_id, old.program_id) is distinct from (new.bylaw_id, new.general_program_id, new.program_id))
  execute function keep_way_of_specialization();

-- Courses were decided on, and students given it, under the bylaw of the program.
create function keep_bylaw_of_program() returns trigger language plpgsql as $$
declare
  used bigint;
begin
  select (select count(*) from internal_transfers t where t.program_id = new.id and t.status in ('added', 'agreed'))
    + (select count(*) from external_transfers t where t.program_id = new.id and t.status = 'entered')
    + (select count(*) from student_specializations g where g.removed_at is null and new.id in (g.program_id, g.from_program_id))
    + (select count(*) from specializations z where z.removed_at is null and new.id in (z.program_id, z.general_program_id))
    into used;
  if used > 0 then
    raise exception using errcode = 'UE409', message = 'program_relied_on', detail = json_build_object('count', used)::text;
  end if;
  return new;
end $$;
create trigger keep_bylaw before update of bylaw_id on programs for each row
  when (old.bylaw_id <> new.bylaw_id) execute function keep_bylaw_of_program();
