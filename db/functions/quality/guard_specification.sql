-- What is approved stays as it is: offerings are taught, and accreditors read, by it. What it is of never changes either.
create or replace function guard_specification() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.status = 'approved' then
      raise exception using errcode = 'check_violation', constraint = 'specification_fixed', message = 'an approved specification is kept';
    end if;
    return old;
  end if;
  if (new.course_id, new.program_id, new.year_id, new.revision) is distinct from (old.course_id, old.program_id, old.year_id, old.revision) then
    raise exception using errcode = 'check_violation', constraint = 'specification_moved', message = 'a specification stays with its course, program and year';
  end if;
  if old.status = 'approved' and (new.status, new.aims, new.aims_local, new.threshold, new.target, new.approved_on, new.removed_at)
    is distinct from (old.status, old.aims, old.aims_local, old.threshold, old.target, old.approved_on, old.removed_at) then
    raise exception using errcode = 'check_violation', constraint = 'specification_fixed', message = 'an approved specification is kept';
  end if;
  return new;
end $$;
