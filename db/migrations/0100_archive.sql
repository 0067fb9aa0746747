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

-- The tree ------------------------------------------------------------------------------------------------------------

-- Whoever changes where things lie waits here for others who do: two folders moved into each other would both look right
-- to the one who moves.
create function lock_archive() returns void language sql as $$ select pg_advisory_xact_lock(72401) $$;

-- An entry and the folders around it, from itself (0) up to the root.
create function archive_up(entry integer) returns table (id integer, parent_id integer, above integer) language sql stable as $$
  with recursive up as (
    select e.id, e.parent_id, 0 as above from archive_entries e where e.id = entry
    union all
    select p.id, p.parent_id, up.above + 1 from up join archive_entries p on p.id = up.parent_id where up.above < 100
  )
  select up.id, up.parent_id, up.above from up
$$;

-- The folders around an entry, the outermost first. Who sees an entry sees all of them.
create function archive_path(entry integer) returns json language sql stable as $$
  select coalesce(json_agg(json_build_object('id', e.id, 'name', e.name, 'name_local', e.name_local) order by u.above desc), '[]')
  from archive_up(entry) u join archive_entries e on e.id = u.id where u.above > 0
$$;

create function place_archive_entry() returns trigger language plpgsql as $$
declare
  around archive_entries;
  depth integer;
begin
  perform lock_archive();
  if new.parent_id is null then
    new.realm_id := new.id;
    return new;
  end if;
  select * into around from archive_entries where id = new.parent_id;
  if around.kind <> 'folder' then
    raise exception using errcode = 'UE409', message = 'archive_not_a_folder', detail = '{}';
  end if;
  if exists (select from archive_up(new.parent_id) u where u.id = new.id) then
    raise exception using errcode = 'UE409', message = 'archive_into_itself', detail = '{}';
  end if;
  select max(above) + 1 into depth from archive_up(new.parent_id);
  if depth > 30 then
    raise exception using errcode = 'UE409', message = 'archive_too_deep', detail = '{"max": 30}';
  end if;
  new.realm_id := case when new.inherits then around.realm_id else new.id end;
  new.realm_above := case when new.inherits then null else around.realm_id end;
  return new;
end $$;
create trigger place before insert or update of parent_id, inherits on archive_entries
  for each row execute function place_archive_entry();

-- What lies in a folder goes with it.
create function follow_archive_realm() returns trigger language plpgsql as $$
begin
  update archive_entries set
    realm_id = case when inherits then new.realm_id else realm_id end,
    realm_above = case when inherits then null else new.realm_id end
  where parent_id = new.id;
  return null;
end $$;
create trigger follow_realm after update on archive_entries
  for each row when (old.realm_id is distinct from new.realm_id and new.kind = 'folder')
  execute function follow_archive_realm();

-- What is there lies in what is there. Looked at when all is done: a folder is removed and restored with what is in it.
create function keep_archive_whole() returns trigger language plpgsql as $$
begin
  if exists (
    select from archive_entries e join archive_entries p on p.id = e.parent_id
    where e.id = new.id and e.removed_at is null and p.removed_at is not null
  ) or exists (
    select from archive_entries e join archive_entries c on c.parent_id = e.id
    where e.id = new.id and e.removed_at is not null and c.removed_at is null
  ) then
    raise exception using errcode = 'UE409', message = 'archive_folder_removed', detail = '{}';
  end if;
  return null;
end $$;
create constraint trigger whole after insert or update of parent_id, removed_at on archive_entries
  deferrable initially deferred for each row execute function keep_archive_whole();

-- The one place that says who sees what: the folders whose lists let somebody in, each with whether the person changes
-- what is in it. The root lets in whoever may open the archive. A list only narrows what the folder around it allows.
create function archive_realms(reader integer, everything boolean, edits boolean)
returns table (realm_id integer, may_edit boolean) language sql stable as $$
  with recursive held as materialized (
    select r.id from roles r
    where r.removed_at is null and (
      exists (
        select from role_assignments a where a.role_id = r.id and a.user_id = reader
          and coalesce(a.valid_from <= current_date, true) and coalesce(a.valid_to >= current_date, true)
      )
      or r.key = (select case u.type when 3 then 'student' when 4 then 'applicant' end from users u where u.id = reader)
    )
  ), listed as materialized (
    select a.entry_id, bool_or(a.level = 'edit') as may_edit from archive_access a
    where a.user_id = reader or a.role_id in (select id from held)
    group by a.entry_id
  ), reached as (
    select 1 as id, edits as may_edit
    union all
    select e.id, edits and (everything or l.may_edit)
    from reached r
    join archive_entries e on e.realm_above = r.id and not e.inherits
    left join listed l on l.entry_id = e.id
    where everything or l.entry_id is not null
  )
  select reached.id, reached.may_edit from reached
$$;

select audit_table('archive_entries', array['name_key', 'realm_id', 'realm_above', 'updated_by']);
select audit_rows('archive_access', 'entry_id');
select audit_rows('archive_versions', 'entry_id');
select audit_rows('archive_pages', 'entry_id');

insert into archive_entries (id, kind, name, name_local, inherits) overriding system value
  values (1, 'folder', 'Archive', 'الأرشيف', false);
select setval(pg_get_serial_sequence('archive_entries', 'id'), 1);
