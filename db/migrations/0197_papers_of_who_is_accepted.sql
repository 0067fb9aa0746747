-- What an applicant brought from elsewhere goes with him or her into the record of the student.
install function external_papers_go_with;
create trigger external_papers_go_with after update of student_id on applicants for each row
  when (old.student_id is null and new.student_id is not null) execute function external_papers_go_with();
