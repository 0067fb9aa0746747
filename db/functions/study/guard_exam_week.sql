-- An exam week begins in its term: before and after it there are no meetings that it could switch off.
create or replace function guard_exam_week() returns trigger language plpgsql as $$
begin
  if not exists (select from terms t where t.id = new.term_id and new.start_date between t.start_date and t.end_date) then
    raise exception using errcode = '23514', constraint = 'exam_week_outside_term', message = 'an exam week begins in its term';
  end if;
  return new;
end $$;
