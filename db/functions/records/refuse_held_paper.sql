-- No paper, whichever area issues it.
create or replace function refuse_held_paper() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'transcripts' then
    if certificates_held(new.student_id) then
      raise exception 'Certificates are held' using errcode = 'check_violation', constraint = 'certificates_held';
    end if;
  elsif new.subject = 'student' and certificates_held(new.subject_id) then
    raise exception 'Certificates are held' using errcode = 'check_violation', constraint = 'certificates_held';
  end if;
  return new;
end $$;
