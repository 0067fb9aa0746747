-- Which child of the family at the university students are: whoever came first is the first. `child` counts siblings that are
-- proven, `likely` those of the same telephone too; null: without any. Only who studies counts, and each person once.
create or replace function places_among_siblings(ids integer[]) returns table (student_id integer, child integer, likely integer)
language sql stable as $$
  with pairs as materialized (
    select p.student_id, p.other_id, bool_or(p.proven) as proven from siblings_of(ids) p group by 1, 2
  ), placed as (
    select p.student_id, p.proven,
      (coalesce(b.start_date, 'infinity'), x.id) < (coalesce(a.start_date, 'infinity'), s.id) as before
    from pairs p
      join students s on s.id = p.student_id and s.status = 'studying' and s.removed_at is null and not s.is_second_record
      join students x on x.id = p.other_id and x.status = 'studying' and x.removed_at is null and not x.is_second_record
        and (x.user_id is null or x.user_id is distinct from s.user_id)
      left join terms a on a.id = s.entry_term_id left join terms b on b.id = x.entry_term_id)
  select p.student_id, case when bool_or(p.proven) then 1 + count(*) filter (where p.proven and p.before)::integer end,
    1 + count(*) filter (where p.before)::integer
  from placed p group by 1
$$;
