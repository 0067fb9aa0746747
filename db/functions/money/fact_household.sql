-- Which child of the family a student is, by siblings of the same telephone too.
create or replace function fact_household(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select p.student_id, jsonb_build_object('child', p.likely) from places_among_siblings(ids) p
$$;
