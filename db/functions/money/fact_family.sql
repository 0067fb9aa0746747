-- Which child of the family a student is, by siblings that are proven.
create or replace function fact_family(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select p.student_id, jsonb_build_object('child', p.child) from places_among_siblings(ids) p where p.child is not null
$$;
