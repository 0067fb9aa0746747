-- Other students of the families of students, whether they study or not: by the national id of a parent or guardian, or as members of
-- a family that a person made (`proven`); by the telephone of a parent alone (not `proven`). A pair may stand there twice.
create or replace function siblings_of(ids integer[]) returns table (student_id integer, other_id integer, proven boolean)
language sql stable as $$
  with known as materialized (
    select s.id, k.parent from students s
      cross join lateral (values (s.father_national_id), (s.mother_national_id), (s.guardian_national_id)) as k (parent)
    where s.id = any (ids) and k.parent is not null)
  select k.id, x.id, true from known k join students x on x.father_national_id = k.parent and x.id <> k.id
  union all select k.id, x.id, true from known k join students x on x.mother_national_id = k.parent and x.id <> k.id
  union all select k.id, x.id, true from known k join students x on x.guardian_national_id = k.parent and x.id <> k.id
  union all
  select m.student_id, o.student_id, true from family_members m
    join family_members o on o.family_id = m.family_id and o.live and o.student_id <> m.student_id
  where m.student_id = any (ids) and m.live
  union all
  select s.id, x.id, false from students s join students x on phone_of_family(x.parent_phone) = phone_of_family(s.parent_phone) and x.id <> s.id
  where s.id = any (ids) and s.parent_phone is not null and x.parent_phone is not null
$$;
