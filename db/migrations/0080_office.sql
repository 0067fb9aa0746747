-- The archive, and identity in other systems.

install function archive_up, archive_path, lock_archive, archive_realms, place_archive_entry, follow_archive_realm,
  keep_archive_whole;

-- Identity in other systems, each kind of record with a key of its own: a person is a row of users and may be a student, an
-- instructor or both, so an id alone does not say which table it means. An offering that moves to another term or course
-- takes its meetings and registrations with it.
create table external_ids (
  source text not null,
  kind text not null,
  external_id text not null,
  faculty_id integer references faculties on delete cascade,
  department_id integer references departments on delete cascade,
  year_id integer references years on delete cascade,
  term_id integer references terms on delete cascade,
  course_id integer references courses on delete cascade,
  offering_id integer references offerings on delete cascade,
  user_id integer references users on delete cascade,
  student_id integer references students on delete cascade,
  instructor_id integer references instructors on delete cascade,
  registration_id integer references registrations on delete cascade,
  -- What the last import wrote, by column: what differs from it was changed here since. null: not known.
  imported jsonb,
  -- When an import removed the record because the source no longer has it.
  removed_at timestamptz,
  primary key (source, kind, external_id),
  -- The key of the kind is set, and no other; a place in a team is an offering and an instructor.
  constraint external_ids_kind check (
    num_nonnulls(faculty_id, department_id, year_id, term_id, course_id, offering_id, user_id, student_id, instructor_id,
      registration_id) = case kind when 'teaching' then 2 else 1 end
    and coalesce(case kind
      when 'faculty' then faculty_id when 'department' then department_id when 'year' then year_id when 'term' then term_id
      when 'course' then course_id when 'offering' then offering_id when 'user' then user_id when 'student' then student_id
      when 'instructor' then instructor_id when 'registration' then registration_id
      when 'teaching' then least(offering_id, instructor_id) end is not null, false)),
  constraint external_ids_teaching foreign key (offering_id, instructor_id)
    references offering_instructors (offering_id, instructor_id) on delete cascade
);
create index external_ids_faculty on external_ids (faculty_id) where faculty_id is not null;
create index external_ids_department on external_ids (department_id) where department_id is not null;
create index external_ids_year on external_ids (year_id) where year_id is not null;
create index external_ids_term on external_ids (term_id) where term_id is not null;
create index external_ids_course on external_ids (course_id) where course_id is not null;
create index external_ids_offering on external_ids (offering_id) where offering_id is not null;
create index external_ids_user on external_ids (user_id) where user_id is not null;
create index external_ids_student on external_ids (student_id) where student_id is not null;
create index external_ids_instructor on external_ids (instructor_id) where instructor_id is not null;
create index external_ids_registration on external_ids (registration_id) where registration_id is not null;

-- The archive: one tree of folders, files and pages. Its root is a folder like any other, which is always there.

create table archive_entries (
  id integer generated always as identity primary key,
  parent_id integer references archive_entries,
  kind text not null constraint archive_entries_kind check (kind in ('folder', 'file', 'page')),
  name text not null constraint archive_entries_name
    check (name = btrim(name) and char_length(name) between 1 and 150 and name !~ '[/\\[:cntrl:]]' and name not in ('.', '..')),
  name_local text constraint archive_entries_name_local
    check (name_local = btrim(name_local) and char_length(name_local) between 1 and 150),
  short_name text constraint archive_entries_short_name check (short_name ~ '^[a-z0-9][a-z0-9-]{0,59}$'),
  position integer not null default 0,
  -- Whether who sees the folder around it sees it too. A folder that does not inherit names who of them does.
  inherits boolean not null default true,
  -- The folder whose list says who sees it: itself, or the nearest one above that does not inherit. Kept by triggers.
  realm_id integer not null default 0,
  -- Of a folder that does not inherit: the same of what it lies in. Who does not see that sees nothing of it.
  realm_above integer,
  -- The content of a file as it is now.
  file_id integer references files,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  updated_by integer references users on delete set null,
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  removed_at timestamptz,
  removed_by integer references users on delete set null,
  -- What somebody removed, and this with it.
  removed_with integer references archive_entries,
  -- Two names that a file system takes for one are one.
  name_key text not null generated always as (lower(normalize(name, NFC) collate "und-x-icu")) stored,
  search_text text generated always as
    (fold_text(name || ' ' || coalesce(name_local, '') || ' ' || coalesce(short_name, ''))) stored,
  constraint archive_entries_root check ((parent_id is null) = (id = 1)),
  constraint archive_root check (id <> 1 or (kind = 'folder' and not inherits and removed_at is null)),
  constraint archive_entries_file check ((kind = 'file') = (file_id is not null)),
  constraint archive_only_folders_limited check (inherits or kind = 'folder'),
  constraint archive_entries_removed check ((removed_at is null) = (removed_with is null))
);
-- Of one folder and one circle of readers: what somebody does not see must not be told by a name that is taken.
create unique index archive_name_taken on archive_entries (parent_id, realm_id, name_key) where removed_at is null;
create unique index archive_short_name_taken on archive_entries (realm_id, short_name) where removed_at is null;
create index archive_entries_parent on archive_entries (parent_id, position);
create index archive_entries_realm on archive_entries (realm_id);
create index archive_entries_limited on archive_entries (realm_above) where not inherits;
create index archive_entries_removed_with on archive_entries (removed_with) where removed_at is not null;
create index archive_entries_file on archive_entries (file_id);
create index archive_entries_search on archive_entries using gin (search_text gin_trgm_ops);
create index archive_entries_created_by on archive_entries (created_by);
create index archive_entries_updated_by on archive_entries (updated_by);
create index archive_entries_removed_by on archive_entries (removed_by);
select audit_table('archive_entries', array['name_key', 'realm_id', 'realm_above', 'updated_by']);
create trigger place before insert or update of parent_id, inherits on archive_entries
  for each row execute function place_archive_entry();
create trigger follow_realm after update on archive_entries
  for each row when (old.realm_id is distinct from new.realm_id and new.kind = 'folder')
  execute function follow_archive_realm();
create constraint trigger whole after insert or update of parent_id, removed_at on archive_entries
  deferrable initially deferred for each row execute function keep_archive_whole();
insert into archive_entries (id, kind, name, name_local, inherits) overriding system value
  values (1, 'folder', 'Archive', 'الأرشيف', false);
select setval(pg_get_serial_sequence('archive_entries', 'id'), 1);

-- Who sees a folder that does not inherit, and who changes what is in it.
create table archive_access (
  id integer generated always as identity primary key,
  entry_id integer not null references archive_entries on delete cascade,
  user_id integer references users on delete cascade,
  role_id integer references roles on delete cascade,
  level text not null constraint archive_access_level check (level in ('view', 'edit')),
  constraint archive_access_who check (num_nonnulls(user_id, role_id) = 1),
  constraint archive_access_once unique nulls not distinct (entry_id, user_id, role_id)
);
create index archive_access_user on archive_access (user_id);
create index archive_access_role on archive_access (role_id);
select audit_rows('archive_access', 'entry_id');

-- What a file was, and is: the highest number is the present one.
create table archive_versions (
  id integer generated always as identity primary key,
  entry_id integer not null references archive_entries on delete cascade,
  number integer not null constraint archive_versions_number check (number > 0),
  file_id integer not null references files,
  created_by integer references users on delete set null,
  created_at timestamptz not null default now(),
  constraint archive_versions_once unique (entry_id, number)
);
create index archive_versions_file on archive_versions (file_id);
create index archive_versions_created_by on archive_versions (created_by);
select audit_rows('archive_versions', 'entry_id');

create table archive_pages (
  id integer generated always as identity primary key,
  entry_id integer not null references archive_entries on delete cascade,
  language text not null constraint archive_pages_language check (language in ('ar', 'en')),
  body text not null constraint archive_pages_body check (char_length(body) <= 400000),
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  search_text text generated always as (fold_text(left(regexp_replace(body, '<[^>]*>', ' ', 'g'), 200000))) stored,
  constraint archive_pages_once unique (entry_id, language)
);
create index archive_pages_search on archive_pages using gin (search_text gin_trgm_ops);
select audit_rows('archive_pages', 'entry_id');

-- A file on its way: how much of it is here, in parts.
create table archive_uploads (
  id uuid primary key default gen_random_uuid(),
  user_id integer not null references users on delete cascade,
  parent_id integer not null references archive_entries on delete cascade,
  name text not null,
  -- Folders below the parent in which it goes, as it was chosen.
  path text not null default '',
  size bigint not null constraint archive_uploads_size check (size between 1 and 2000000000),
  received bigint not null default 0,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  -- It has become a file; what is left of its parts may go.
  done_at timestamptz,
  constraint archive_uploads_received check (received between 0 and size)
);
create index archive_uploads_user on archive_uploads (user_id);
create index archive_uploads_parent on archive_uploads (parent_id);
create index archive_uploads_touched on archive_uploads (touched_at);

create table archive_upload_parts (
  upload_id uuid not null references archive_uploads on delete cascade,
  position bigint not null,
  size integer not null,
  hash text not null constraint archive_upload_parts_hash check (hash ~ '^[0-9a-f]{64}$'),
  primary key (upload_id, position)
);
create index archive_upload_parts_hash on archive_upload_parts (hash);
create trigger content_forgotten after delete on archive_upload_parts
  referencing old table as gone for each statement execute function forget_content();

-- What the program and other functions call.
install function content_may_go, content_named;
