-- A document on its way into an application: it goes on where the line broke.
create table application_uploads (
  id uuid primary key default gen_random_uuid(),
  applicant_id integer not null references applicants on delete cascade,
  document_kind_id integer not null references document_kinds,
  name text not null constraint application_uploads_name check (length(name) between 1 and 300),
  size bigint not null constraint application_uploads_size check (size between 1 and 10000000),
  -- SHA-256 of the whole, as the browser says: by it the same file is known again after the page was closed.
  digest text not null constraint application_uploads_digest check (digest ~ '^[0-9a-f]{64}$'),
  received bigint not null default 0,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(),
  -- It has become a document, or was given up; what is left of its parts may go.
  done_at timestamptz,
  constraint application_uploads_received check (received between 0 and size)
);
-- One document of a kind is on its way: another one takes its place.
create unique index application_upload_once on application_uploads (applicant_id, document_kind_id) where done_at is null;
create index application_uploads_applicant on application_uploads (applicant_id);
create index application_uploads_kind on application_uploads (document_kind_id);
create index application_uploads_touched on application_uploads (touched_at);

create table application_upload_parts (
  upload_id uuid not null references application_uploads on delete cascade,
  position bigint not null,
  size integer not null,
  hash text not null constraint application_upload_parts_hash check (hash ~ '^[0-9a-f]{64}$'),
  primary key (upload_id, position)
);
create index application_upload_parts_hash on application_upload_parts (hash);
create trigger content_forgotten after delete on application_upload_parts
  referencing old table as gone for each statement execute function forget_content();

install function content_named;
