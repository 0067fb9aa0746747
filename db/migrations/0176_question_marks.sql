-- Marks by question: what a component of an offering asks, which outcomes each question measures, and what students had in it. The mark of the
-- component stays with grading; questions that do not sum to it are told, and count for nothing.
create table assessment_questions (
  id integer generated always as identity primary key,
  offering_mark_id integer not null references offering_marks on delete cascade,
  position smallint not null check (position > 0),
  label text not null check (label = btrim(label) and char_length(label) between 1 and 20),
  max numeric(5, 2) not null constraint assessment_question_max check (max > 0),
  -- Of the outcomes of the course, by code: they stay when the specification has a new version, and are told where a code is gone.
  outcomes text[] not null default '{}' check (array_position(outcomes, null) is null and cardinality(outcomes) <= 20),
  constraint assessment_question_twice unique (offering_mark_id, label) deferrable
);
create index assessment_questions_order on assessment_questions (offering_mark_id, position);
select audit_rows('assessment_questions', 'offering_mark_id');

create sequence question_mark_version as integer;
create table question_marks (
  registration_id integer not null references registrations on delete cascade,
  -- Who removes a question empties it first.
  question_id integer not null constraint question_marked references assessment_questions on delete cascade,
  mark numeric(5, 2) not null check (mark >= 0),
  entered_by integer references users,
  version integer not null default nextval('question_mark_version'),
  primary key (registration_id, question_id)
);
create index question_marks_question on question_marks (question_id);
create index question_marks_by on question_marks (entered_by);
select audit_table('question_marks', array['entered_by']);

install function guard_assessment_question, guard_question_mark;
create trigger while_open before insert or update or delete on assessment_questions
  for each row execute function guard_assessment_question();
create trigger fits before insert or update on question_marks for each row execute function guard_question_mark();
