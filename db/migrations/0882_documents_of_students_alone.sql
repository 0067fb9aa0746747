-- What new students are asked for is what is required of students: kinds of who works here are theirs alone.
create or replace function required_documents(nationality integer, sex integer, level integer, program integer, entry_term integer)
returns setof integer language sql stable as $$
  select k.id from document_kinds k
  where k.removed_at is null and k.is_required and k.whose = 'students'
    and (k.nationality = 'all' or required_documents.nationality is not null
      and (k.nationality = 'egyptian') = (required_documents.nationality = 64))
    and (k.gender is null or k.gender = sex)
    and (k.study_level is null or k.study_level = (select p.study_level from programs p where p.id = program))
    and (k.from_level is null or required_documents.level >= k.from_level)
    and (k.from_term_id is null or (select e.start_date from terms e where e.id = entry_term)
      >= (select f.start_date from terms f where f.id = k.from_term_id))
$$;
create or replace function documents_required(ids integer[]) returns table (student_id integer, kind_id integer) language sql stable as $$
  select s.id, k.id
  from (select distinct one as id from unnest(ids) as one) i join students s on s.id = i.id
    cross join lateral (
      select required_documents(s.nationality_id, s.gender, s.level, s.program_id, s.entry_term_id)
      union select d.kind_id from student_documents d where d.student_id = s.id and d.asked and d.removed_at is null) k (id)
$$;
