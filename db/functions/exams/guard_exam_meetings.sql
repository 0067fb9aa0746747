-- Exams come into a hall in which no meeting is made up then. The hall is held by the guard of its seats, which ran before.
create or replace function guard_exam_meetings() returns trigger language plpgsql as $$
declare
  hall integer;
begin
  if tg_op = 'UPDATE' then
    select n.location_id into hall from (select n.* from new_rows n full join old_rows o on o.id = n.id
        where (n.location_id, n.during) is distinct from (o.location_id, o.during) offset 0) n
      join locations l on l.id = n.location_id and l.location_type <> 'online'
      where exists (select from meetings_made_up(n.during) m where m.location_id = n.location_id) limit 1;
  else
    select n.location_id into hall from new_rows n join locations l on l.id = n.location_id and l.location_type <> 'online'
      where exists (select from meetings_made_up(n.during) m where m.location_id = n.location_id) limit 1;
  end if;
  if hall is not null then perform refuse_exam_beside_meeting(hall); end if;
  return null;
end $$;
