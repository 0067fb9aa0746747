-- Questions of a frozen offering stay as they are, and one that has marks stays out of as much as it was. With its component goes what
-- belongs to it: schemes of marks change only while they have none.
create or replace function guard_assessment_question() returns trigger language plpgsql as $$
declare
  of integer := case when tg_op = 'DELETE' then old.offering_mark_id else new.offering_mark_id end;
  state text;
begin
  if tg_op = 'UPDATE' and new.offering_mark_id <> old.offering_mark_id then
    raise exception using errcode = 'check_violation', constraint = 'question_elsewhere', message = 'a question stays with its component';
  end if;
  select o.control_status into state from offering_marks m join offerings o on o.id = m.offering_id where m.id = of for share of o;
  if state = 'Frozen' then
    raise exception using errcode = 'check_violation', constraint = 'question_marks_frozen', message = 'the offering is frozen';
  end if;
  -- A component that is gone takes its questions, which have no marks then.
  if found and (tg_op = 'DELETE' or (tg_op = 'UPDATE' and new.max < old.max)) and exists (
    select from question_marks m where m.question_id = old.id and (tg_op = 'DELETE' or m.mark > new.max)) then
    raise exception using errcode = 'check_violation', constraint = 'question_marked', message = 'the question has marks';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
