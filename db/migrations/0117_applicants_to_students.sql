-- Courses of somebody who applies: settled for the program that was given, and credited to the student that he or she becomes.
alter table external_transfers drop constraint external_transfer_subject;
alter table external_transfers
  add constraint external_transfers_applicant_id_fkey foreign key (applicant_id) references applicants,
  add constraint external_transfer_subject check (num_nonnulls(student_id, applicant_id) >= 1),
  -- Only what is settled is credited.
  add constraint external_transfer_credited check (num_nonnulls(student_id, applicant_id) = 1 or status = 'executed');
create index external_transfers_applicant on external_transfers (applicant_id, program_id) where applicant_id is not null;

-- A scholarship that takes the whole fee of the seat, and is granted to the student that the applicant becomes.
alter table applicants
  add column full_scholarship_id integer references scholarships,
  add column full_scholarship_reason text,
  add constraint applicant_full_scholarship check ((full_scholarship_id is null) = (full_scholarship_reason is null));
create index applicants_full_scholarship on applicants (full_scholarship_id);
