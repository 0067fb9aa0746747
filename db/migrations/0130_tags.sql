-- Words that staff put on records to find them again. A table that joins a kind of record with tags makes it one that can
-- have them.
select create_lookup('tags');
alter table tags add colour text not null default 'grey'
  check (colour in ('grey', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'));

create table student_tags (
  student_id integer not null references students on delete cascade,
  tag_id integer not null references tags,
  created_at timestamptz not null default now(),
  primary key (student_id, tag_id)
);
create index student_tags_tag on student_tags (tag_id, student_id);
select audit_table('student_tags');
