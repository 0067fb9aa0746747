-- Who works here and guests pay, too. A guest is a person without an account, known by one document.

create table guests (
  id integer generated always as identity primary key,
  code text not null generated always as ('G-' || lpad(id::text, greatest(length(id::text), 6), '0')) stored,
  name text not null,
  name_local text not null,
  document_kind text not null check (document_kind in ('national_id', 'passport', 'residence')),
  document_number text not null
    constraint guest_document_written check (document_number = upper(btrim(document_number)) and length(document_number) between 4 and 30),
  nationality_id integer references countries,
  phone text,
  email text,
  search_text text generated always as (fold_text('G-' || lpad(id::text, greatest(length(id::text), 6), '0') || ' ' || name || ' ' || name_local
    || ' ' || document_number || ' ' || coalesce(email, ''))) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint guests_code_key unique (code),
  -- One record for each document, also among those that were removed: what was owed is found again.
  constraint guest_document_twice unique (document_number, document_kind)
);
create index guests_nationality on guests (nationality_id);
create index guests_search on guests using gin (search_text gin_trgm_ops);
select audit_table('guests', array['code']);

-- A guest is a payer from the start, who works here from the first charge on. When two accounts become one, both stay payers of it.
alter table payers drop constraint payer_of_somebody;
alter table payers
  add column user_id integer references users,
  add column guest_id integer references guests on delete cascade,
  add constraint payer_of_somebody check (num_nonnulls(student_id, sponsor_id, applicant_id, user_id, guest_id) = 1);
create unique index payers_user on payers (user_id) where main and user_id is not null;
create index payers_of_user on payers (user_id) where user_id is not null;
create unique index payers_guest on payers (guest_id) where guest_id is not null;
install function add_guest_payers, keep_main_payer;
create trigger add_payers after insert on guests referencing new table as new_rows
  for each statement execute function add_guest_payers();
