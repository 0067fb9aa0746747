-- Documents that are required of students: by kinds that are theirs, or because staff ask for them. Records are found one by
-- one: a condition on all of the numbers beside a join is looked through anew for each of them.
create or replace function documents_required(ids integer[]) returns table (student_id integer, kind_id integer) language sql stable as $$
  select s.id, k.id
  from (select distinct one as id from unnest(ids) as one) i join students s on s.id = i.id
    cross join lateral (
      select required_documents(s.nationality_id, s.gender, s.level, s.program_id, s.entry_term_id)
      union select d.kind_id from student_documents d where d.student_id = s.id and d.asked and d.removed_at is null) k (id)
$$;
