-- Whoever assesses a training again does not wipe out what was said before.
create or replace function keep_training_assessment() returns trigger language plpgsql as $$
begin
  if new.assessed_at is not null and (tg_op = 'INSERT' or (new.score, new.assessment, new.visited_on, new.assessed_at)
      is distinct from (old.score, old.assessment, old.visited_on, old.assessed_at)) then
    insert into training_assessments (student_training_id, source, score, text, visited_on, user_id, at)
      values (new.id, 'supervisor', new.score, new.assessment, new.visited_on, new.assessed_by, new.assessed_at);
  end if;
  return null;
end $$;
