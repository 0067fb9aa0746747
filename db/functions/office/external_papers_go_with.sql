-- Papers from elsewhere that an applicant brought are those of the student that the applicant becomes. One that the student has as well stays with the application.
create or replace function external_papers_go_with() returns trigger language plpgsql as $$
begin
  update external_papers p set student_id = new.student_id, applicant_id = null, version = p.version + 1, updated_at = now()
  where p.applicant_id = new.id and not exists (
    select from external_papers o where o.student_id = new.student_id and o.sha256 = p.sha256 and o.removed_at is null);
  return new;
end $$;
