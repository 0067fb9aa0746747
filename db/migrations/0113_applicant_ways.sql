-- Where an application comes to: the exam, a program, a fee of its own, a student.

install function release_applicant_seat;

alter table applicants
  add column program_id integer references programs,
  add column exam_attempt smallint not null default 1 check (exam_attempt between 1 and 20),
  add column exam_result numeric(5, 2) check (exam_result between 0 and 100),
  add column interview_passed boolean,
  add column student_id integer references students;
create index applicants_program on applicants (program_id, admission_id) where program_id is not null;
-- Whom the clock leads on: looked at every minute, and few beside all who ever applied.
create index applicants_led on applicants (status, id)
  where status in ('DISTRIBUATION_REQUIRED', 'EQUIVALENCE_DONE', 'FINAL_FEES_REQUIRED', 'APPROVED');
-- Nobody is accepted twice.
create unique index applicant_accepted_once on applicants (student_id) where student_id is not null;
-- A seat is held by whoever comes to it or has it; an application that is on hold or cancelled holds none.
alter table applicants add constraint applicant_seat check (program_id is null
  or status in ('DISTRIBUATION_REQUIRED', 'EQUIVALENCE_DONE', 'FINAL_FEES_REQUIRED', 'APPROVED', 'accepted'));
alter table applicants add constraint applicant_offered check (program_id is not null
  or status not in ('EQUIVALENCE_DONE', 'FINAL_FEES_REQUIRED', 'APPROVED', 'accepted'));
alter table applicants add constraint applicant_student check ((student_id is not null) = (status = 'accepted'));

create trigger release_seat before update of status on applicants for each row execute function release_applicant_seat();

-- What an applicant is charged: an invoice for each fee, and for each attempt at the exam.
create table applicant_fees (
  invoice_id integer primary key references invoices,
  applicant_id integer not null references applicants,
  fee text not null check (fee in ('application', 'exam', 'final')),
  attempt smallint not null default 1,
  -- As the application was told last.
  settled boolean not null default false,
  taken_back_at timestamptz,
  created_at timestamptz not null default now()
);
create index applicant_fees_applicant on applicant_fees (applicant_id);
create unique index applicant_charged_once on applicant_fees (applicant_id, fee, attempt) where taken_back_at is null;
