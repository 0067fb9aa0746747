-- Students who come (thousands, in an import) are asked for their documents in step with their number, and each record is
-- written once: whether documents lack is known before it is stored.

-- Kinds that are required of somebody by what the record says.
create function required_documents(nationality integer, sex integer, level integer, program integer, entry_term integer)
returns setof integer language sql stable as $$
  select k.id from document_kinds k
  where k.removed_at is null and k.is_required
    and (k.nationality = 'all' or required_documents.nationality is not null
      and (k.nationality = 'egyptian') = (required_documents.nationality = 64))
    and (k.gender is null or k.gender = sex)
    and (k.study_level is null or k.study_level = (select p.study_level from programs p where p.id = program))
    and (k.from_level is null or required_documents.level >= k.from_level)
    and (k.from_term_id is null or (select e.start_date from terms e where e.id = entry_term)
      >= (select f.start_date from terms f where f.id = k.from_term_id))
$$;

-- The same, and what staff ask of a student. Records are found one by one: a condition on all of the numbers beside a join is
-- looked through anew for each of them.
create or replace function documents_required(ids integer[]) returns table (student_id integer, kind_id integer) language sql stable as $$
  select s.id, k.id
  from (select distinct one as id from unnest(ids) as one) i join students s on s.id = i.id
    cross join lateral (
      select required_documents(s.nationality_id, s.gender, s.level, s.program_id, s.entry_term_id)
      union select d.kind_id from student_documents d where d.student_id = s.id and d.asked and d.removed_at is null) k (id)
$$;

-- Of new students nothing is handed in or waived yet, and nobody else sees them who could settle them at the same moment.
create function settle_documents_of_new() returns trigger language plpgsql as $$
begin
  insert into student_holds (student_id, kind, note, note_local, document_kind_id)
  select s.id, 'missing_documents', k.name, k.name_local, k.id
  from students_now s
    cross join lateral required_documents(s.nationality_id, s.gender, s.level, s.program_id, s.entry_term_id) as r (kind_id)
    join document_kinds k on k.id = r.kind_id
  where s.missing_documents order by 1, 5;
  return null;
end $$;
create function know_missing_documents() returns trigger language plpgsql as $$
begin
  new.missing_documents := new.removed_at is null and new.status in ('studying', 'suspended')
    and exists (select from required_documents(new.nationality_id, new.gender, new.level, new.program_id, new.entry_term_id));
  return new;
end $$;
drop trigger settle_documents_of_new on students;
drop trigger keep_missing_documents on students;
create trigger keep_missing_documents before update of missing_documents on students
  for each row execute function keep_missing_documents();
create trigger know_missing_documents before insert on students
  for each row execute function know_missing_documents();
create trigger settle_documents_of_new after insert on students
  referencing new table as students_now for each statement execute function settle_documents_of_new();
