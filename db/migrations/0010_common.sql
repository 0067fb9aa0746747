-- What several wings speak of: countries, calendars, universities and schools elsewhere, texts of notices.

install function lock_hijri_months, hijri_months_follow;

create table countries (
  id integer primary key,
  code text not null unique,
  name text not null,
  name_local text not null
);
create unique index countries_code_in_any_case on countries (lower(code));

-- What a university says itself in notices and mails. A row is never changed: the newest of a kind and language counts, and
-- those before it are its history. Without row, or where the newest has no forms, what is shipped counts.
create table notice_texts (
  id integer generated always as identity primary key,
  -- `area.notice` of a kind of notice, `mail.key` of a mail.
  key text not null,
  language text not null constraint notice_texts_language check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  version integer not null check (version > 0),
  subject text,
  -- The text by its plural forms; `text` where there is but one.
  forms jsonb,
  created_by integer references users,
  created_at timestamptz not null default now(),
  constraint notice_texts_once unique (key, language, version)
);
select audit_table('notice_texts');

-- Hijri months that began on another day than Umm al-Qura reckons, in countries that follow the sighting of the moon.
create table hijri_months (
  id integer generated always as identity primary key,
  year smallint not null constraint hijri_months_year check (year between 1301 and 1599),
  month smallint not null constraint hijri_months_of_year check (month between 1 and 12),
  first_day date not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint hijri_months_month unique (year, month)
);
select audit_table('hijri_months');
create trigger lock_months before insert or update or delete on hijri_months for each statement execute function lock_hijri_months();
create constraint trigger months_follow after insert or update on hijri_months deferrable initially immediate
  for each row execute function hijri_months_follow();

-- Universities and schools that students come from and go to, for admission and transfers.
create table universities_list (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  country_id integer references countries,
  name_key text generated always as (fold_text(name)) stored,
  name_local_key text generated always as (fold_text(name_local)) stored,
  constraint universities_list_code_key unique (code)
);
create index universities_list_country on universities_list (country_id);
create unique index universities_list_code_in_any_case on universities_list (lower(code));
create unique index university_known_already on universities_list (name_key) where removed_at is null;
create unique index university_known_already_local on universities_list (name_local_key) where removed_at is null;
-- What is worked out of a name is no change of its own in the log.
select audit_table('universities_list', array['name_key', 'name_local_key']);

create table schools_list (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  country_id integer references countries,
  constraint schools_list_code_key unique (code)
);
create index schools_list_country on schools_list (country_id);
create unique index schools_list_code_in_any_case on schools_list (lower(code));
select audit_table('schools_list');

-- Courses from elsewhere name a university of the list and, where it is known, a faculty of it. What was typed is found in the
-- list by its folded name, in either script; what is not there is added, to be named in the other script by somebody.

-- Faculties and schools of other universities.
create table university_faculties (
  id integer generated always as identity primary key,
  code text not null,
  name text not null,
  name_local text not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || name_local)) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  university_id integer not null references universities_list,
  name_key text generated always as (fold_text(name)) stored,
  name_local_key text generated always as (fold_text(name_local)) stored,
  constraint university_faculties_code_key unique (code),
  constraint university_faculties_of unique (id, university_id)
);
create unique index university_faculties_code_in_any_case on university_faculties (lower(code));
create index university_faculties_university on university_faculties (university_id);
create unique index university_faculty_known_already on university_faculties (name_key, university_id) where removed_at is null;
create unique index university_faculty_known_already_local on university_faculties (name_local_key, university_id) where removed_at is null;
select audit_table('university_faculties', array['name_key', 'name_local_key']);
