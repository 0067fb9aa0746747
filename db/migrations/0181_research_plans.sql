-- Postgraduate programs and their research plans: the stages of the degree, each with its order and the semesters in which
-- it may lie. A default that is a constant is added without writing the table anew.
alter table programs
  add column study_level text not null default 'undergraduate'
    constraint programs_study_level check (study_level in ('undergraduate', 'postgraduate'));

create table program_stages (
  id integer generated always as identity primary key,
  program_id integer not null references programs on delete cascade,
  position smallint not null check (position >= 0),
  stage text not null check (stage in ('coursework', 'qualifying_exam', 'proposal', 'seminar', 'publication', 'defence')),
  -- How often: seminars held, papers published.
  times smallint not null default 1 check (times between 1 and 20),
  -- Semesters of the program, counted from 1; null: at any time.
  earliest_semester smallint check (earliest_semester between 1 and 16),
  latest_semester smallint check (latest_semester between 1 and 16),
  constraint program_stages_once unique (program_id, stage) deferrable,
  constraint program_stages_window check (earliest_semester <= latest_semester)
);
create index program_stages_program on program_stages (program_id, position);
select audit_rows('program_stages', 'program_id');
