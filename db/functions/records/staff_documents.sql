-- Kinds that are required of people who work here, by the kind or because they were asked for, and what of it they lack.
create or replace function staff_documents(of text, ids integer[]) returns table (person_id integer, kind_id integer, lacking boolean)
language sql stable as $$
  with given as (
    select d.employee_id as person_id, d.kind_id, d.status, d.asked from employee_documents d
      where of = 'employees' and d.employee_id = any(ids) and d.removed_at is null
    union all select d.instructor_id, d.kind_id, d.status, d.asked from instructor_documents d
      where of = 'instructors' and d.instructor_id = any(ids) and d.removed_at is null)
  select r.person_id, r.kind_id, not exists (select from given g where g.person_id = r.person_id and g.kind_id = r.kind_id
      and g.status in ('accepted', 'waived'))
  from (
    select p.id as person_id, k.id as kind_id from unnest(ids) as p (id) cross join document_kinds k
      where k.removed_at is null and k.is_required and k.whose in (of, 'staff')
    union select g.person_id, g.kind_id from given g where g.asked) r
$$;
