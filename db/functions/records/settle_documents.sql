-- Brings the holds of students to what they lack, and what their records say to the holds. What lacks is worked out once for
-- all students of a statement: an import, the end of a term and a change of level for a faculty are one question, not one for
-- each student. Planning that question takes longer than answering it, so its plan is kept.
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
