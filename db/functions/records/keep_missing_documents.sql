-- The flag of the record follows from the list: whoever writes it writes what the list says.
create or replace function keep_missing_documents() returns trigger language plpgsql as $$
begin
  new.missing_documents := exists (
    select from student_holds h where h.student_id = new.id and h.document_kind_id is not null and h.lifted_at is null);
  return new;
end $$;
