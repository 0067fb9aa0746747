-- A named scheme, whose maxima are shares of 100, for an offering out of so many marks. What rounding leaves goes to the largest.
create or replace function scaled_scheme(of_mark integer, maximum numeric) returns table (mark_category_id integer, max numeric, "position" smallint)
language sql stable parallel safe as $$
  select s.mark_category_id, s.share + case when s.n = 1 then maximum - sum(s.share) over () else 0 end, s.position
  from (select i.mark_category_id, round(i.max * maximum / 100, 2) as share, i.position,
      row_number() over (order by i.max desc, i.position, i.mark_category_id) as n
    from mark_items i where i.mark_id = of_mark) s
$$;
