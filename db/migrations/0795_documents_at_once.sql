-- What lacks is worked out once for all students of a statement: an import, the end of a term and a change of level for a
-- faculty are one question, not one for each student. Planning that question takes longer than answering it, so its plan is kept.
create or replace function settle_documents(ids integer[]) returns void language plpgsql
  set plan_cache_mode = force_generic_plan as $$
begin
  if cardinality(ids) = 0 then
    return;
  end if;
  -- In one order: two at the same moment come one after the other.
  perform from students where id = any(ids) order by id for no key update;
  with lacking as materialized (select l.student_id, l.kind_id from documents_lacking(ids) l),
  lifted as (
    update student_holds h set lifted_at = now()
    where h.student_id = any(ids) and h.document_kind_id is not null and h.lifted_at is null
      and not exists (select from lacking l where l.student_id = h.student_id and l.kind_id = h.document_kind_id))
  insert into student_holds (student_id, kind, note, note_local, document_kind_id)
  select l.student_id, 'missing_documents', k.name, k.name_local, l.kind_id
  from lacking l join document_kinds k on k.id = l.kind_id order by 1, 5
  on conflict (student_id, document_kind_id) where lifted_at is null and document_kind_id is not null do nothing;
  update students s set missing_documents = not s.missing_documents
  where s.id = any(ids) and s.missing_documents <> exists (
    select from student_holds h where h.student_id = s.id and h.document_kind_id is not null and h.lifted_at is null);
end $$;

drop trigger settle_documents on student_documents;
drop function settle_documents_of_rows();
create function settle_documents_of_rows() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform settle_documents(array(select distinct n.student_id from rows_now n));
  elsif tg_op = 'DELETE' then
    perform settle_documents(array(select distinct o.student_id from rows_before o));
  else
    perform settle_documents(array(
      select distinct x.id from rows_now n join rows_before o on o.id = n.id cross join unnest(array[n.student_id, o.student_id]) x(id)
      where (n.student_id, n.kind_id, n.status, n.asked, n.removed_at)
        is distinct from (o.student_id, o.kind_id, o.status, o.asked, o.removed_at)));
  end if;
  return null;
end $$;
create trigger settle_documents_of_added after insert on student_documents
  referencing new table as rows_now for each statement execute function settle_documents_of_rows();
create trigger settle_documents_of_changed after update on student_documents
  referencing old table as rows_before new table as rows_now for each statement execute function settle_documents_of_rows();
create trigger settle_documents_of_gone after delete on student_documents
  referencing old table as rows_before for each statement execute function settle_documents_of_rows();

drop trigger settle_documents_of_new on students;
drop trigger settle_documents_of_changed on students;
drop function settle_documents_of_student();
create function settle_documents_of_students() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform settle_documents(array(select n.id from students_now n));
  else
    perform settle_documents(array(
      select n.id from students_now n join students_before o on o.id = n.id
      where (n.gender, n.nationality_id, n.program_id, n.level, n.entry_term_id, n.status, n.removed_at)
        is distinct from (o.gender, o.nationality_id, o.program_id, o.level, o.entry_term_id, o.status, o.removed_at)));
  end if;
  return null;
end $$;
create trigger settle_documents_of_new after insert on students
  referencing new table as students_now for each statement execute function settle_documents_of_students();
create trigger settle_documents_of_changed after update on students
  referencing old table as students_before new table as students_now for each statement execute function settle_documents_of_students();
