-- Course files: what an offering leaves behind, so that others see how the course was taught.

select create_lookup('course_file_parts');
alter table course_file_parts
  -- Where it comes from: handed in, or found by itself.
  add column source text not null check (source in ('upload', 'specification', 'report', 'marks', 'attendance')),
  -- Of which courses it is asked.
  add column asked_of text not null check (asked_of in ('all', 'lecture', 'tutorial', 'laboratory', 'clinic')),
  add column is_optional boolean not null default false,
  add column min_files smallint not null default 1 check (min_files between 1 and 20),
  -- Work of students: their names are blacked out in what is handed in.
  add column names_hidden boolean not null default false,
  add column position smallint not null default 1 check (position between 1 and 100),
  add constraint course_file_part_found check (source = 'upload' or (min_files = 1 and not names_hidden));

-- What only a person knows of an offering.
select create_lookup('offering_report_questions');
alter table offering_report_questions
  add column is_optional boolean not null default false,
  add column position smallint not null default 1 check (position between 1 and 100);

create table course_files (
  id integer generated always as identity primary key,
  offering_id integer not null references offerings,
  status text not null default 'draft'
    check (status in ('draft', 'submitted', 'accepted', 'not_accepted', 'approved', 'not_approved')),
  due_on date,
  -- On which day the team was reminded that it is due, and told that it is overdue.
  reminded_on date,
  told_on date,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- An offering has one; a removed one can be restored as long as there is no other.
create unique index course_file_twice on course_files (offering_id) where removed_at is null;
create index course_files_offering on course_files (offering_id);
create index course_files_status on course_files (status, due_on) where removed_at is null;
create index course_files_due on course_files (due_on) where status = 'draft' and removed_at is null;
select audit_table('course_files', '{reminded_on,told_on}');

-- What was handed in for a part. What is taken out stays until the course file is gone: it may have been decided on.
create table course_file_documents (
  id integer generated always as identity primary key,
  course_file_id integer not null references course_files on delete cascade,
  part_id integer not null references course_file_parts,
  file_id integer not null references files,
  -- The file of the archive from which it was taken.
  entry_id integer references archive_entries on delete set null,
  names_hidden boolean not null default false,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  removed_by integer references users on delete set null
);
create index course_file_documents_of on course_file_documents (course_file_id, part_id) where removed_at is null;
create index course_file_documents_part on course_file_documents (part_id);
create index course_file_documents_file on course_file_documents (file_id);
create index course_file_documents_entry on course_file_documents (entry_id);
create index course_file_documents_created_by on course_file_documents (created_by);
create index course_file_documents_removed_by on course_file_documents (removed_by);
select audit_rows('course_file_documents', 'course_file_id');

-- What is said about a course file, in threads; whoever began a thread or handed in the file settles it.
create table course_file_comments (
  id integer generated always as identity primary key,
  course_file_id integer not null references course_files on delete cascade,
  part_id integer references course_file_parts,
  reply_to integer references course_file_comments,
  text text not null check (char_length(text) between 1 and 4000),
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  settled_by integer references users on delete set null,
  constraint course_file_comment_thread check (reply_to is null or num_nonnulls(part_id, settled_at) = 0),
  constraint course_file_comment_settled check (settled_at is not null or settled_by is null)
);
create index course_file_comments_of on course_file_comments (course_file_id, id);
create index course_file_comments_part on course_file_comments (part_id);
create index course_file_comments_reply on course_file_comments (reply_to);
create index course_file_comments_created_by on course_file_comments (created_by);
create index course_file_comments_settled_by on course_file_comments (settled_by);
select audit_rows('course_file_comments', 'course_file_id');

-- The report of an offering: figures as they were when it was filled, and answers of who taught it.
create table offering_reports (
  id integer generated always as identity primary key,
  course_file_id integer not null unique references course_files on delete cascade,
  figures jsonb not null check (jsonb_typeof(figures) = 'object'),
  filled_at timestamptz not null default now(),
  filled_by integer references users on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index offering_reports_filled_by on offering_reports (filled_by);
select audit_table('offering_reports');
create table offering_report_answers (
  id integer generated always as identity primary key,
  report_id integer not null references offering_reports on delete cascade,
  question_id integer not null references offering_report_questions,
  answer text not null check (char_length(answer) between 1 and 8000),
  constraint offering_report_answer_once unique (report_id, question_id)
);
create index offering_report_answers_question on offering_report_answers (question_id);
select audit_rows('offering_report_answers', 'report_id');
