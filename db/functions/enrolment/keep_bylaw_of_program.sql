-- Courses were decided on, and students given it, under the bylaw of the program.
create or replace function keep_bylaw_of_program() returns trigger language plpgsql as $$
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
