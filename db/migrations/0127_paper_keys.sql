-- Keys with which the university signs the papers that it issues. A key that was replaced stays: what it signed stays signed.
create table paper_keys (
  id integer generated always as identity primary key,
  -- SHA-256 of the certificate.
  fingerprint text not null unique constraint paper_keys_fingerprint check (fingerprint ~ '^[0-9a-f]{64}$'),
  -- The certificate and those that it rests on, DER, the own one first.
  certificates bytea[] not null constraint paper_keys_certificates check (cardinality(certificates) >= 1),
  valid_from timestamptz not null,
  valid_until timestamptz not null,
  -- Sealed; null: the key is in a file of the installation, and not here.
  private_key bytea,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  constraint paper_keys_valid check (valid_from < valid_until)
);
-- Two processes that make one at the same moment make one.
create unique index paper_keys_made on paper_keys ((true)) where private_key is not null and retired_at is null;

alter table papers
  -- null: issued before papers were signed.
  add column key_id integer references paper_keys,
  -- The last day on which it may be relied on; null: for ever.
  add column valid_until date,
  -- The paper that was issued in its place.
  add column replaced_by integer references papers constraint papers_replaced check (replaced_by > id);
create index papers_key on papers (key_id);
create index papers_replaced_by on papers (replaced_by);
