-- Who is of one family: known by the national id of a parent or guardian, told by a person who has seen papers, or, weaker, by the
-- telephone of a parent.

alter table students
  add column father_national_id text constraint students_father_national_id check (father_national_id ~ '^\d{14}$'),
  add column mother_national_id text constraint students_mother_national_id check (mother_national_id ~ '^\d{14}$'),
  add column guardian_national_id text constraint students_guardian_national_id check (guardian_national_id ~ '^\d{14}$');
create index students_father on students (father_national_id) where father_national_id is not null;
create index students_mother on students (mother_national_id) where mother_national_id is not null;
create index students_guardian on students (guardian_national_id) where guardian_national_id is not null;

-- Families that a person has made, with a proof. One that has ended stays as it was.
create table families (
  id integer generated always as identity primary key,
  name text not null check (length(name) between 1 and 200),
  proof_id integer not null references files,
  notes text check (length(notes) between 1 and 1000),
  search_text text generated always as (fold_text(name)) stored,
  status text not null default 'active' check (status in ('active', 'ended')),
  made_by_id integer references users,
  ended_on date,
  ended_by_id integer references users,
  ended_reason text check (length(ended_reason) between 3 and 500),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint family_over check ((status = 'ended') = (ended_on is not null) and (status = 'ended') = (ended_reason is not null))
);
create index families_proof on families (proof_id);
create index families_made_by on families (made_by_id);
create index families_ended_by on families (ended_by_id);
select audit_table('families', array['proof_id']);

create table family_members (
  id integer generated always as identity primary key,
  family_id integer not null references families on delete cascade,
  student_id integer not null references students,
  -- As long as the family stands; kept by the database.
  live boolean not null default true,
  constraint family_member_once unique (family_id, student_id) deferrable
);
create index family_members_student on family_members (student_id);
-- Nobody is of two families at once.
create unique index family_member_elsewhere on family_members (student_id) where live;
select audit_rows('family_members', 'family_id');
-- Whether a family stands is told of the family.
drop trigger audit_insert on family_members;
drop trigger audit_update on family_members;
drop trigger audit_delete on family_members;
create trigger audit_insert after insert on family_members referencing new table as new_rows for each statement
  execute function audit_change('{family_id,id}', '{search_text,version,created_at,updated_at,live}');
create trigger audit_update after update on family_members referencing old table as old_rows new table as new_rows for each statement
  execute function audit_change('{family_id,id}', '{search_text,version,created_at,updated_at,live}');
create trigger audit_delete after delete on family_members referencing old table as old_rows for each statement
  execute function audit_change('{family_id,id}', '{search_text,version,created_at,updated_at,live}');

install function phone_of_family, siblings_of, places_among_siblings, fact_family, fact_household, hold_family, hold_household,
  families_changed, keep_family, keep_family_member;
create index students_household on students (phone_of_family(parent_phone)) where parent_phone is not null;
create trigger keep_family before update or delete on families for each row execute function keep_family();
create trigger family_follows after update of status, removed_at on families for each row
  when ((old.status, old.removed_at is null) is distinct from (new.status, new.removed_at is null)) execute function keep_family();
create trigger keep_member before insert or update on family_members for each row execute function keep_family_member();

-- Where siblings come, go, study no more, or turn out to be none, what stands on it is told.
create trigger families_insert after insert on students referencing new table as new_rows for each statement
  execute function families_changed();
create trigger families_update after update on students referencing old table as old_rows new table as new_rows for each statement
  execute function families_changed();
create trigger families_delete after delete on students referencing old table as old_rows for each statement
  execute function families_changed();
create trigger families_insert after insert on family_members referencing new table as new_rows for each statement
  execute function families_changed();
create trigger families_update after update on family_members referencing old table as old_rows new table as new_rows for each statement
  execute function families_changed();
create trigger families_delete after delete on family_members referencing old table as old_rows for each statement
  execute function families_changed();
create trigger families_update after update on terms referencing old table as old_rows new table as new_rows for each statement
  execute function families_changed();
