-- A mark by question is of a student of that offering, no more than the question gives, and stays once the offering is frozen.
create or replace function guard_question_mark() returns trigger language plpgsql as $$
declare
  most numeric;
  state text;
begin
  select q.max, o.control_status into most, state
    from assessment_questions q join offering_marks m on m.id = q.offering_mark_id join offerings o on o.id = m.offering_id
      join registrations r on r.offering_id = o.id and r.id = new.registration_id
    where q.id = new.question_id for share of q;
  if not found then
    raise exception using errcode = 'check_violation', constraint = 'question_elsewhere', message = 'the question is not one of this offering';
  end if;
  if state = 'Frozen' then
    raise exception using errcode = 'check_violation', constraint = 'question_marks_frozen', message = 'the offering is frozen';
  end if;
  if new.mark > most then
    raise exception using errcode = 'check_violation', constraint = 'question_mark_above', message = 'more than the question gives';
  end if;
  return new;
end $$;
