-- Results on which a level was decided do not go back to control before the decision does.
create or replace function level_result_stands() returns trigger language plpgsql as $$
begin
  if exists (select from registrations r join level_result_students s on s.student_id = r.student_id and s.applied
      join level_results l on l.id = s.level_result_id join terms t on t.id = r.term_id and t.year_id = l.year_id
      where r.offering_id = new.id) then
    raise exception using errcode = 'UE409', message = 'level_result_stands', detail = '{}';
  end if;
  return new;
end $$;
