-- A questionnaire that is closed stays closed: one more answer beside a report that was read would be told by their difference.
-- What was asked does not change once somebody may have answered.
create or replace function guard_questionnaire() returns trigger language plpgsql as $$
begin
  if old.status = 'closed' and new.status <> 'closed' then
    raise exception using errcode = 'check_violation', constraint = 'questionnaire_closed', message = 'a closed questionnaire is not opened again';
  end if;
  if old.status <> 'planned' and (new.status = 'planned' or (new.form, new.type_id, new.term_id, new.faculty_id, new.program_id, new.graduation_year_id,
    new.opens_on)
    is distinct from (old.form, old.type_id, old.term_id, old.faculty_id, old.program_id, old.graduation_year_id, old.opens_on)) then
    raise exception using errcode = 'check_violation', constraint = 'questionnaire_begun', message = 'what was opened is asked as it was opened';
  end if;
  return new;
end $$;
