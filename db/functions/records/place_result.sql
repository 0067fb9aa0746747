-- The level follows from the score by the bands as they stand when it is written, whoever writes.
create or replace function place_result() returns trigger language plpgsql as $$
declare
  most numeric;
begin
  -- Who is not there is refused by the references.
  new.code := coalesce((select t.code from placement_tests t where t.id = new.placement_test_id), '?') || '-'
    || coalesce((select s.code from students s where s.id = new.student_id), new.student_id::text);
  new.level := null;
  if new.score is null or new.is_exempt then return new; end if;
  -- Who changes the bands at this moment is waited for.
  select t.max_score into most from placement_tests t where t.id = new.placement_test_id for key share;
  if new.score > most then
    raise exception using errcode = '23514', constraint = 'placement_score_too_high', column = 'score', message = 'more than the test has';
  end if;
  select l.position + 1 into new.level from placement_levels l where l.placement_test_id = new.placement_test_id
    and (new.score >= l.from_score and (new.score < l.to_score or l.to_score = most)) order by l.position desc limit 1;
  if new.level is null then
    raise exception using errcode = '23514', constraint = 'placement_no_level', column = 'score', message = 'no level has this score';
  end if;
  return new;
end $$;
