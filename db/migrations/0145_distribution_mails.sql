-- Whom a distribution gave no seat is told by mail, once; whoever was told by one that was taken back is told so.
create table distribution_mails (
  run_id integer not null references distribution_runs,
  applicant_id integer not null references applicants,
  -- no_seat: no program has room; withdrawn: the distribution that said so was taken back.
  kind text not null check (kind in ('no_seat', 'withdrawn')),
  -- Times it was handed to the mail server, or begun to.
  tries smallint not null default 0 check (tries >= 0),
  -- Not before then: put off after a failure.
  due_at timestamptz not null default now(),
  -- The latest try. It is written before the mail server is asked, so that nobody is told without a trace.
  begun_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (run_id, applicant_id, kind),
  constraint distribution_mail_begun check ((tries = 0) = (begun_at is null)),
  constraint distribution_mail_sent check (sent_at is null or begun_at is not null)
);
create index distribution_mails_applicant on distribution_mails (applicant_id, kind);
create index distribution_mails_waiting on distribution_mails (due_at, run_id, applicant_id) where sent_at is null;
-- Who waits for one is looked for each minute.
create index distribution_places_without on distribution_places (run_id, applicant_id) where program_id is null;
