-- Accreditation packs: what each consists of, and how far it is made. Contents stand in the file store, lent for some days; the ZIP is written
-- when it is fetched. A pack that was broken off goes on where it was.
create table course_file_packs (
  id integer generated always as identity primary key,
  program_id integer not null references programs,
  from_year_id integer not null references years,
  to_year_id integer not null references years,
  lang text not null check (lang in ('ar', 'en')),
  name text not null,
  asked_by integer references users,
  -- Of every file in it, so that the same pack is the same bytes whenever it is fetched.
  asked_at timestamptz not null default now(),
  -- Until when it can be fetched; null: it is being made.
  until timestamptz
);
create index course_file_packs_program on course_file_packs (program_id);
create index course_file_packs_from on course_file_packs (from_year_id);
create index course_file_packs_to on course_file_packs (to_year_id);
create index course_file_packs_by on course_file_packs (asked_by, asked_at);
create table course_file_pack_items (
  pack_id integer not null references course_file_packs on delete cascade,
  position integer not null check (position > 0),
  path text not null,
  kind text not null check (kind in ('index', 'program', 'course', 'report', 'file')),
  -- Of papers: the program, course or course file that they are of.
  of_id integer,
  hash text check (hash ~ '^[0-9a-f]{64}$'),
  size double precision check (size >= 0 and size = trunc(size)),
  crc bigint check (crc between 0 and 4294967295),
  -- The store does not have it: the pack says so.
  missing boolean not null default false,
  primary key (pack_id, position),
  constraint course_file_pack_path unique (pack_id, path),
  constraint course_file_pack_item_made check (crc is null or num_nulls(hash, size) = 0),
  constraint course_file_pack_item_file check ((kind = 'file') = (of_id is null) or kind = 'index')
);
