-- Certificates that graduates ask for without an account: what was asked, by whose address, and which record it turned out to be.

create table graduate_requests (
  id integer generated always as identity primary key,
  code text not null,
  -- The address that was verified, and the language in which it is written to.
  email text not null check (email = lower(email)),
  language text not null check (language in ('ar', 'en', 'de', 'fr', 'pt')),
  -- SHA-256 of the key that stands in the link of the mail.
  key_hash bytea not null check (length(key_hash) = 32),
  -- Who it is, as it was given: nothing here says that there is such a person.
  name text not null,
  identity_kind text not null check (identity_kind in ('code', 'national_id', 'passport')),
  identity text not null check (identity = upper(identity)),
  birth_date date not null,
  search_text text generated always as (fold_text(code || ' ' || name || ' ' || email || ' ' || identity)) stored,
  type_id integer not null references certificate_settings,
  lang text not null check (lang in ('ar', 'en', 'both')),
  copies smallint not null check (copies between 1 and 50),
  speed text not null check (speed in ('normal', 'urgent')),
  delivery text not null check (delivery in ('by_hand', 'by_mail', 'electronic')),
  address text,
  why text not null,
  proof_file_id integer unique references files,
  status text not null default 'to_check' check (status in ('to_check', 'identified', 'rejected', 'cancelled')),
  -- The record that fits what was given, or that the office chose.
  student_id integer references students,
  -- What it became once it was known who asks.
  certificate_id integer references certificates,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint graduate_requests_code_key unique (code),
  constraint graduate_requests_certificate unique (certificate_id),
  constraint graduate_request_address check (delivery <> 'by_mail' or address is not null),
  -- Whose it is stands there before a certificate of it is on its way, and a certificate only of what was confirmed.
  constraint graduate_request_confirmed check ((status = 'identified') = (certificate_id is not null)),
  constraint graduate_request_record check (certificate_id is null or student_id is not null)
);
select one_code_in_any_case('graduate_requests');
-- Of an address, one waits for a person and a type.
create unique index graduate_request_twice on graduate_requests (email, type_id, identity) where status = 'to_check' and removed_at is null;
create index graduate_requests_email on graduate_requests (email);
create index graduate_requests_type on graduate_requests (type_id);
create index graduate_requests_student on graduate_requests (student_id);
create index graduate_requests_status on graduate_requests (status, created_at) where removed_at is null;
create index graduate_requests_search on graduate_requests using gin (search_text gin_trgm_ops);
select audit_table('graduate_requests', array['key_hash', 'language']);
install function keep_graduate_request;
create trigger kept before update on graduate_requests for each row execute function keep_graduate_request();
