-- A person whose legal name has changed: what was asked for with which proof, and the names that were borne before.

create table name_changes (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  given_name text not null,
  father_name text,
  grandfather_name text,
  family_name text,
  given_name_local text not null,
  father_name_local text,
  grandfather_name_local text,
  family_name_local text,
  -- What the parts make, and what stood on the record when it was asked for: the decision stands on it.
  new_name text not null,
  new_name_local text not null,
  old_name text not null,
  old_name_local text not null,
  ground text not null check (ground in ('registry', 'court', 'marriage', 'nationality')),
  proof_id integer not null references files constraint name_change_proof unique,
  why text not null,
  status text not null default 'requested' check (status in ('requested', 'accepted', 'rejected', 'cancelled')),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint name_change_same check ((new_name, new_name_local) <> (old_name, old_name_local))
);
create unique index name_change_asked_twice on name_changes (student_id) where status = 'requested' and removed_at is null;
create index name_changes_student on name_changes (student_id);
create index name_changes_waiting on name_changes (created_at) where status = 'requested';
select audit_table('name_changes');

-- Legal names that a student bore before a change that was proved. They stay: papers of that time bear them, and staff search by them.
create table former_names (
  id integer generated always as identity primary key,
  student_id integer not null references students on delete cascade,
  name text not null,
  name_local text not null,
  -- The record bore it until then.
  until timestamptz not null default now()
);
create index former_names_student on former_names (student_id);
select audit_rows('former_names', 'student_id');
install function search_text_of_person;
install function find_by_former_name;
create trigger found after insert or update or delete on former_names for each row execute function find_by_former_name();
