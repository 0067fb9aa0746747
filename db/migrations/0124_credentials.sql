-- Papers as data that others verify by themselves.

-- What the file of a paper carries as data, as it was when it was issued: other forms of the paper are made of it.
create table paper_data (
  paper_id integer primary key references papers,
  data jsonb not null check (jsonb_typeof(data) = 'object')
);
install function keep_paper_data;
create trigger kept before update or delete on paper_data for each row execute function keep_paper_data();

-- The place of a paper in the lists by which anybody learns whether its credential was revoked. It is drawn by chance, so that
-- places tell nothing about when or for whom a paper was issued. The bit itself is `papers.revoked_at`: it cannot differ from it.
create table paper_credentials (
  paper_id integer primary key references papers,
  list smallint not null constraint paper_credentials_list check (list >= 1),
  position integer not null constraint paper_credentials_position check (position between 0 and 131071),
  created_at timestamptz not null default now(),
  created_by integer references users,
  constraint paper_credentials_place unique (list, position)
);
create index paper_credentials_created_by on paper_credentials (created_by);
select audit_table('paper_credentials');

-- Public halves of the keys that credentials were ever signed by: what an earlier one signed stays verifiable.
create table credential_keys (
  multibase text primary key constraint credential_keys_multibase check (multibase ~ '^z6Mk[1-9A-HJ-NP-Za-km-z]{44}$'),
  created_at timestamptz not null default now()
);
select audit_table('credential_keys');
