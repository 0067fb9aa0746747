-- What members of the university have published: works, who wrote them in which order, where each was found, which two may be one
-- work, files that were imported, and lists of ranked journals. What a work is described by follows CSL (citationstyles.org).

-- A person who publishes, as others know the person, and what the person wants to be seen.
create table researchers (
  id integer generated always as identity primary key,
  user_id integer not null unique references users,
  -- ORCID iD in groups of four; its last sign is a check digit (ISO 7064 mod 11-2).
  orcid text check (orcid ~ '^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$'),
  openalex text check (openalex ~ '^A\d{1,12}$'),
  is_public boolean not null default false,
  -- Name in the address of the public page.
  slug text check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  interests text,
  interests_local text,
  about text,
  about_local text,
  -- What others publish of it was asked last, and until when works changed then.
  synced_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint researcher_orcid_taken unique (orcid),
  constraint researcher_openalex_taken unique (openalex),
  constraint researcher_slug_taken unique (slug),
  constraint researcher_public check (not is_public or slug is not null)
);
select audit_table('researchers');

create table publications (
  id integer generated always as identity primary key,
  kind text not null check (kind in ('journal_article', 'conference_paper', 'conference_poster', 'book', 'book_chapter', 'thesis', 'report', 'dataset', 'other')),
  language text not null check (language in ('en', 'ar', 'other')),
  title text check (title = btrim(title) and title <> ''),
  title_local text check (title_local = btrim(title_local) and title_local <> ''),
  abstract text,
  abstract_local text,
  -- The journal, the conference or its proceedings, or the book of a chapter.
  venue text,
  publisher text,
  place text,
  volume text,
  issue text,
  pages text,
  edition text,
  year smallint check (year between 1000 and 2200),
  month smallint check (month between 1 and 12),
  day smallint check (day between 1 and 31),
  doi text check (doi ~ '^10\.\d{4,9}/\S+$' and doi = lower(doi)),
  issn text check (issn ~ '^\d{4}-\d{3}[\dX]$'),
  isbn text check (isbn ~ '^(\d{9}[\dX]|\d{13})$'),
  url text,
  -- Where it came from first.
  origin text not null default 'typed' check (origin in ('typed', 'crossref', 'orcid', 'openalex', 'bibtex', 'ris', 'csl')),
  -- What came with it that has no column here, as CSL-JSON or by the names of the file: nothing of it is lost.
  more jsonb not null default '{}' check (jsonb_typeof(more) = 'object'),
  status text not null default 'draft' check (status in ('draft', 'listed')),
  file_id integer references files,
  file_stage text check (file_stage in ('submitted', 'accepted', 'published')),
  licence text check (licence in ('cc_by', 'cc_by_sa', 'cc_by_nc', 'cc_by_nc_nd', 'cc0', 'reserved')),
  file_readers text check (file_readers in ('everybody', 'university', 'members')),
  -- Another record that this one was found to be: it stands for it.
  merged_into_id integer references publications,
  created_by integer references users,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text generated always as (fold_text(coalesce(title, '') || ' ' || coalesce(title_local, '') || ' ' || coalesce(venue, '') || ' ' || coalesce(doi, ''))) stored,
  constraint publication_title check (num_nonnulls(title, title_local) > 0),
  constraint publication_date check ((month is null or year is not null) and (day is null or month is not null)),
  constraint publication_listed check (status <> 'listed' or year is not null),
  constraint publication_file check ((file_id is null) = (file_stage is null) and (file_id is null) = (licence is null) and (file_id is null) = (file_readers is null)),
  constraint publication_merged check (merged_into_id is null or (removed_at is not null and merged_into_id <> id))
);
-- One work with a DOI is one record.
create unique index publication_doi_twice on publications (doi) where removed_at is null;
create index publications_year on publications (year, id) where removed_at is null;
create index publications_created_by on publications (created_by) where removed_at is null;
create index publications_file on publications (file_id) where file_id is not null;
create index publications_merged on publications (merged_into_id) where merged_into_id is not null;
create index publications_search on publications using gin (search_text gin_trgm_ops);
create index publications_issn on publications (issn) where issn is not null;
select audit_table('publications');

-- Who made it, in the order in which they stand on it.
create table publication_members (
  id integer generated always as identity primary key,
  publication_id integer not null references publications on delete cascade,
  position smallint not null check (position > 0),
  -- Of the university: the account. Everybody else has a name only.
  user_id integer references users,
  -- As it stands on the work.
  name text not null check (name = btrim(name) and name <> ''),
  role text not null default 'author' check (role in ('author', 'editor', 'translator')),
  orcid text check (orcid ~ '^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$'),
  affiliation text,
  is_corresponding boolean not null default false,
  -- Where the person belonged when it was said that this is the person: it counts there, wherever the person goes.
  faculty_id integer references faculties,
  department_id integer references departments,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  constraint publication_member_position unique (publication_id, position) deferrable,
  constraint publication_member_twice unique (publication_id, user_id)
);
create index publication_members_user on publication_members (user_id) where user_id is not null;
create index publication_members_faculty on publication_members (faculty_id) where faculty_id is not null;
create index publication_members_department on publication_members (department_id) where department_id is not null;
select audit_rows('publication_members', 'publication_id');
install function place_publication_member;
create trigger placed before insert or update of user_id on publication_members
  for each row execute function place_publication_member();

-- As what others know it: asked again, it is found again.
create table publication_sources (
  id integer generated always as identity primary key,
  publication_id integer not null references publications on delete cascade,
  source text not null check (source in ('crossref', 'orcid', 'openalex')),
  external_id text not null check (external_id <> ''),
  fetched_at timestamptz not null default now(),
  constraint publication_source_twice unique (source, external_id)
);
create index publication_sources_publication on publication_sources (publication_id);

-- Two that may be one. Only a person says so; that they are two stays said.
create table publication_doubles (
  id integer generated always as identity primary key,
  first_id integer not null references publications on delete cascade,
  second_id integer not null references publications on delete cascade,
  -- Why: the same DOI, the same title, nearly the same title, or the same place in the same journal.
  why text not null check (why in ('doi', 'title', 'near_title', 'place')),
  -- Percent.
  score smallint not null check (score between 1 and 100),
  status text not null default 'open' check (status in ('open', 'apart', 'merged')),
  decided_by integer references users,
  decided_at timestamptz,
  found_at timestamptz not null default now(),
  constraint publication_double_order check (first_id < second_id),
  constraint publication_double_twice unique (first_id, second_id),
  constraint publication_double_decided check ((status = 'open') = (decided_at is null))
);
create index publication_doubles_second on publication_doubles (second_id);
create index publication_doubles_open on publication_doubles (first_id) where status = 'open';
create index publication_doubles_decided_by on publication_doubles (decided_by);
select audit_table('publication_doubles');

-- Files of references that were imported, and what became of every entry.
create table publication_imports (
  id integer generated always as identity primary key,
  name text not null,
  format text not null check (format in ('bibtex', 'ris', 'csl')),
  entries integer not null default 0 check (entries >= 0),
  added integer not null default 0 check (added >= 0),
  known integer not null default 0 check (known >= 0),
  wrong integer not null default 0 check (wrong >= 0),
  created_by integer not null references users,
  created_at timestamptz not null default now(),
  finished_at timestamptz
);
create index publication_imports_by on publication_imports (created_by, id);
create table publication_import_lines (
  id integer generated always as identity primary key,
  import_id integer not null references publication_imports on delete cascade,
  line integer not null check (line > 0),
  -- What it is called in the file.
  key text not null,
  title text,
  outcome text not null check (outcome in ('added', 'known', 'wrong', 'read')),
  -- Reasons and remarks: [{ code, data }].
  notes jsonb not null default '[]' check (jsonb_typeof(notes) = 'array'),
  publication_id integer references publications
);
create index publication_import_lines_import on publication_import_lines (import_id, line);
create index publication_import_lines_publication on publication_import_lines (publication_id);

-- Journals as published lists rank them, by year.
create table ranked_journals (
  id integer generated always as identity primary key,
  title text not null,
  issn text not null check (issn ~ '^\d{4}-\d{3}[\dX]$'),
  other_issn text check (other_issn ~ '^\d{4}-\d{3}[\dX]$'),
  publisher text,
  year smallint not null check (year between 1900 and 2200),
  quartile smallint not null check (quartile between 1 and 4),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  search_text text generated always as (fold_text(title || ' ' || issn || ' ' || coalesce(other_issn, ''))) stored,
  constraint ranked_journal_twice unique (issn, year)
);
create index ranked_journals_other on ranked_journals (other_issn, year) where other_issn is not null;
create index ranked_journals_search on ranked_journals using gin (search_text gin_trgm_ops);
select audit_table('ranked_journals');
