-- Reviews of rights, and whose record was looked at.

-- A review asks of every right that somebody was given whether it is still needed.
create table rights_reviews (
  id integer generated always as identity primary key,
  name text not null,
  name_local text not null,
  -- The last day to decide. What is not decided then is told to those who review, and taken from nobody.
  until_date date not null,
  closed_at timestamptz,
  told_at timestamptz,
  created_by integer references users on delete set null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index rights_reviews_created_by on rights_reviews (created_by);
create table rights_review_rows (
  id integer generated always as identity primary key,
  review_id integer not null references rights_reviews on delete cascade,
  user_id integer not null references users on delete cascade,
  -- As it was when the review began; `grant_id` is the row of an assigned role, an entry or a single right, else the account.
  way text not null constraint rights_review_rows_way check (way in ('role', 'entry', 'direct', 'super')),
  grant_id integer not null,
  role_id integer references roles on delete set null,
  permission text,
  scope_type text,
  scope_id integer,
  valid_from date,
  valid_to date,
  given_at timestamptz not null,
  given_by integer references users on delete set null,
  decision text constraint rights_review_rows_decision check (decision in ('confirmed', 'revoked')),
  decided_by integer references users on delete set null,
  decided_at timestamptz,
  note text,
  constraint rights_review_rows_once unique (review_id, way, grant_id),
  constraint rights_review_rows_decided check ((decision is null) = (decided_at is null))
);
create index rights_review_rows_user on rights_review_rows (user_id);
create index rights_review_rows_role on rights_review_rows (role_id);
create index rights_review_rows_given_by on rights_review_rows (given_by);
create index rights_review_rows_decided_by on rights_review_rows (decided_by);
create index rights_review_rows_open on rights_review_rows (review_id) where decision is null;
select audit_table(t) from unnest(array['rights_reviews', 'rights_review_rows']) as t;

-- Everybody sees who looked at the own record.
create index security_log_record_idx on security_log (record_type, record_id, at desc) where record_type is not null;
