-- What students write on in an exam: booklets, sheets that a machine reads.
select create_lookup('exam_papers_types');
alter table exam_papers_types
  add column pages integer check (pages between 1 and 200),
  add column is_machine_read boolean not null default false;
