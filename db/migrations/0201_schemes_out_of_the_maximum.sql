-- Mark schemes sum to what the course is out of, not always to 100.

-- Out of how many marks an offering is: as the plans by marks say with one voice to which it is open, else as the course says.
create function offering_maximum(of_offering integer) returns smallint language sql stable parallel safe as $$
  select coalesce((
      select case when min(coalesce(p.max_mark, c.max_mark)) = max(coalesce(p.max_mark, c.max_mark)) then min(coalesce(p.max_mark, c.max_mark)) end
      from program_courses p join programs g on g.id = p.program_id join bylaws b on b.id = g.bylaw_id
      where p.course_id = o.course_id and b.program_type in ('term', 'annual') and g.removed_at is null
        and (p.program_id in (select program_id from offering_programs where offering_id = o.id)
          or not exists (select from offering_programs where offering_id = o.id))),
    c.max_mark)::smallint
  from offerings o join courses c on c.id = o.course_id where o.id = of_offering
$$;

-- What the scheme of an offering must sum to: once marks stand in it, what it summed to when they were entered.
create function scheme_maximum(of_offering integer) returns numeric language sql stable parallel safe as $$
  select case when exists (select from registration_marks m join offering_marks s on s.id = m.offering_mark_id where s.offering_id = of_offering)
    then (select sum(max) from offering_marks where offering_id = of_offering) else offering_maximum(of_offering) end
$$;

-- A named scheme, whose maxima are shares of 100, for an offering out of so many marks. What rounding leaves goes to the largest.
create function scaled_scheme(of_mark integer, maximum numeric) returns table (mark_category_id integer, max numeric, "position" smallint)
language sql stable parallel safe as $$
  select s.mark_category_id, s.share + case when s.n = 1 then maximum - sum(s.share) over () else 0 end, s.position
  from (select i.mark_category_id, round(i.max * maximum / 100, 2) as share, i.position,
      row_number() over (order by i.max desc, i.position, i.mark_category_id) as n
    from mark_items i where i.mark_id = of_mark) s
$$;
