-- A person's calendar at a secret address: only its hash is kept, and it is dead at once when it is revoked.
create table calendar_feeds (
  id integer generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- What the calendar was made of when it was last written, and when that changed.
  fingerprint text,
  changed_at timestamptz not null default now()
);
create unique index calendar_feeds_one on calendar_feeds (user_id) where revoked_at is null;
create index calendar_feeds_user on calendar_feeds (user_id);
select audit_table('calendar_feeds', array['token_hash', 'fingerprint', 'changed_at']);

-- Office hours of who teaches: every week, while there are lectures.
create table office_hours (
  id integer generated always as identity primary key,
  instructor_id integer not null references instructors,
  day smallint not null check (day between 0 and 6),
  start_time time not null,
  end_time time not null,
  location_id integer references locations,
  place text,
  place_local text,
  search_text text generated always as (fold_text(coalesce(place, '') || ' ' || coalesce(place_local, ''))) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint office_hours_order check (start_time < end_time),
  constraint office_hours_place check (location_id is not null or place is not null or place_local is not null),
  -- Nobody is in two places.
  constraint office_hours_overlap exclude using gist (instructor_id with =, day with =,
    tsrange('2000-01-01'::date + start_time, '2000-01-01'::date + end_time) with &&) where (removed_at is null)
);
create index office_hours_instructor on office_hours (instructor_id);
create index office_hours_location on office_hours (location_id);
select audit_table('office_hours');
