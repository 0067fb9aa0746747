-- Mark schemes sum to what the course is out of, not always to 100.
-- Out of how many marks an offering is: as the plans by marks say with one voice to which it is open, else as the course says.
create or replace function offering_maximum(of_offering integer) returns smallint language sql stable parallel safe as $$
  select coalesce((
      select case when min(coalesce(p.max_mark, c.max_mark)) = max(coalesce(p.max_mark, c.max_mark)) then min(coalesce(p.max_mark, c.max_mark)) end
      from program_courses p join programs g on g.id = p.program_id join bylaws b on b.id = g.bylaw_id
      where p.course_id = o.course_id and b.program_type in ('term', 'annual') and g.removed_at is null
        and (p.program_id in (select program_id from offering_programs where offering_id = o.id)
          or not exists (select from offering_programs where offering_id = o.id))),
    c.max_mark)::smallint
  from offerings o join courses c on c.id = o.course_id where o.id = of_offering
$$;
