-- Exams come into a hall in which nothing is taught then. The hall is held by the guard of its seats, which ran before. What a weekly
-- meeting did in the past does not matter any more.
create or replace function guard_exam_meetings() returns trigger language plpgsql as $$
declare
  hall integer;
begin
  if tg_op = 'UPDATE' then
    with moved as materialized (
      select n.location_id, n.during from (select n.* from new_rows n full join old_rows o on o.id = n.id
          where (n.location_id, n.during) is distinct from (o.location_id, o.during) offset 0) n
        join locations l on l.id = n.location_id and l.location_type <> 'online'),
    weekly as materialized (
      select w.location_id, w.held from (select distinct lower(m.during)::date as day from moved m where lower(m.during) > now() at time zone university_zone()) d
        cross join lateral weekly_meetings_on(d.day) w where w.location_id is not null)
    select m.location_id into hall from moved m
      where exists (select from meetings_made_up(m.during) x where x.location_id = m.location_id)
        or exists (select from weekly w where w.location_id = m.location_id and w.held && m.during) limit 1;
  else
    with moved as materialized (
      select n.location_id, n.during from new_rows n join locations l on l.id = n.location_id and l.location_type <> 'online'),
    weekly as materialized (
      select w.location_id, w.held from (select distinct lower(m.during)::date as day from moved m where lower(m.during) > now() at time zone university_zone()) d
        cross join lateral weekly_meetings_on(d.day) w where w.location_id is not null)
    select m.location_id into hall from moved m
      where exists (select from meetings_made_up(m.during) x where x.location_id = m.location_id)
        or exists (select from weekly w where w.location_id = m.location_id and w.held && m.during) limit 1;
  end if;
  if hall is not null then perform refuse_exam_beside_meeting(hall); end if;
  return null;
end $$;
