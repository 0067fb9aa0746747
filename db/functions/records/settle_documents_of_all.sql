-- A kind that is required from now on, or of others, concerns everybody; so does the level of study of a program.
create or replace function settle_documents_of_all() returns trigger language plpgsql as $$
begin
  perform settle_documents(array(select x.id from (
      select l.student_id as id, l.kind_id from documents_lacking(array(select s.id from students s)) l
      except select h.student_id, h.document_kind_id from student_holds h where h.document_kind_id is not null and h.lifted_at is null) x
    union select y.id from (
      select h.student_id as id, h.document_kind_id from student_holds h where h.document_kind_id is not null and h.lifted_at is null
      except select l.student_id, l.kind_id from documents_lacking(array(select s.id from students s)) l) y));
  return null;
end $$;
