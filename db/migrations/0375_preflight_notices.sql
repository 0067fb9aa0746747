-- Who was told, before the windows of a term opened, what would stand against registering: nobody hears it twice.
create table preflight_notices (
  student_id integer not null references students on delete cascade,
  term_id integer not null references terms on delete cascade,
  told_at timestamptz not null default now(),
  primary key (student_id, term_id)
);
create index preflight_notices_term on preflight_notices (term_id);
select audit_table('preflight_notices');
