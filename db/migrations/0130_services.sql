-- Services: what students ask offices for. Kinds with fields of their own, a price and a chain of offices; requests that go along the chain.

select create_lookup('service_kinds');
alter table service_kinds
  add column description text,
  add column description_local text,
  add column for_students boolean not null default false,
  add column for_graduates boolean not null default false,
  -- In minor units. Egyptians pay in EGP, whoever pays in another currency in USD; 0: nothing.
  add column price_local bigint not null check (price_local >= 0),
  add column price_usd bigint not null check (price_usd >= 0),
  -- Paid before anybody works on it; else before it is done.
  add column prepaid boolean not null default false,
  -- Not asked for while an invoice is overdue, where debts hold certificates.
  add column stopped_by_debt boolean not null default false,
  -- One is on its way for a student; else several may be.
  add column one_at_a_time boolean not null default false,
  add column is_active boolean not null default false,
  add constraint service_kind_audience check (for_students or for_graduates);

create table service_kind_fields (
  id integer generated always as identity primary key,
  kind_id integer not null references service_kinds on delete cascade,
  position smallint not null,
  name text not null,
  name_local text not null,
  type text not null check (type in ('text', 'long_text', 'number', 'choice', 'date', 'file')),
  required boolean not null default false,
  -- Of a choice: a line for each option, in English and Arabic with a bar between.
  options text,
  hint text,
  hint_local text,
  constraint service_field_options check ((type = 'choice') = (options is not null)),
  constraint service_field_twice unique (kind_id, name) deferrable
);
select audit_rows('service_kind_fields', 'kind_id');

-- The offices that a request passes, in their order: whoever holds a role for the student, or one person.
create table service_kind_steps (
  id integer generated always as identity primary key,
  kind_id integer not null references service_kinds on delete cascade,
  position smallint not null,
  name text not null,
  name_local text not null,
  role_id integer references roles,
  user_id integer references users,
  days smallint not null check (days between 1 and 365),
  note_shown boolean not null default false,
  constraint service_step_office check (num_nonnulls(role_id, user_id) = 1)
);
create index service_kind_steps_kind on service_kind_steps (kind_id);
create index service_kind_steps_role on service_kind_steps (role_id);
create index service_kind_steps_user on service_kind_steps (user_id);
select audit_rows('service_kind_steps', 'kind_id');

create table services (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  kind_id integer not null references service_kinds,
  why text,
  status text not null default 'New' check (status in ('fee_due', 'New', 'in review', 'asked_back', 'done', 'Rejected', 'cancelled')),
  -- Until when the office whose turn it is has time; null: it waits for nobody's work.
  due_on date,
  -- As the kind said when it was asked for: the fields, when it is paid, whether it is the only one.
  fields jsonb not null default '[]' check (jsonb_typeof(fields) = 'array'),
  prepaid boolean not null default false,
  alone boolean not null default false,
  answers jsonb not null default '{}' check (jsonb_typeof(answers) = 'object'),
  -- Whose turn it is, or was last: the place in the chain.
  step smallint not null default 1 check (step > 0),
  answer text,
  answer_file_id integer references files,
  -- Made by the browser: pressed twice, or sent again after a break, it is one request.
  client_key text check (client_key ~ '^[A-Za-z0-9_-]{8,64}$'),
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint service_due check (due_on is null or status in ('New', 'in review')),
  constraint service_sent_already unique (student_id, client_key)
);
create unique index service_asked_twice on services (student_id, kind_id)
  where alone and status in ('fee_due', 'New', 'in review', 'asked_back') and removed_at is null;
create index services_kind on services (kind_id);
create index services_due on services (status, due_on) where removed_at is null;
create index services_answer_file on services (answer_file_id);
-- What it was made with does not change.
select audit_table('services', '{fields,client_key}');
install function stop_service_clock;
create trigger stop_clock before update of status on services for each row execute function stop_service_clock();
install function keep_service_as_asked;
create trigger kept_as_asked before update of fields, kind_id, prepaid, alone on services for each row
  when (old.fields is distinct from new.fields or old.kind_id is distinct from new.kind_id or old.prepaid is distinct from new.prepaid
    or old.alone is distinct from new.alone)
  execute function keep_service_as_asked();

-- The chain as it was when it was asked for, and what became of each step.
create table service_steps (
  id integer generated always as identity primary key,
  service_id integer not null references services,
  position smallint not null check (position > 0),
  name text not null,
  name_local text not null,
  role_id integer references roles,
  user_id integer references users,
  days smallint not null check (days between 1 and 365),
  note_shown boolean not null,
  since timestamptz,
  due_on date,
  done_at timestamptz,
  done_by integer references users,
  -- What the office says; whether who asked reads it is `note_shown`. It is not in the audit trail, which others read.
  note text,
  -- On which day the office, and those who manage services, were reminded of this turn.
  reminded_on date,
  told_on date,
  constraint service_steps_place unique (service_id, position),
  constraint service_steps_office check (num_nonnulls(role_id, user_id) = 1),
  constraint service_steps_done check ((done_at is null) or since is not null)
);
create index service_steps_role on service_steps (role_id);
create index service_steps_user on service_steps (user_id);
create index service_steps_done_by on service_steps (done_by);
create index service_steps_due on service_steps (due_on) where done_at is null;
create trigger audit_insert after insert on service_steps referencing new table as new_rows
  for each statement execute function audit_change('{service_id,id}', '{note}');
create trigger audit_update after update on service_steps referencing old table as old_rows new table as new_rows
  for each statement execute function audit_change('{service_id,id}', '{note}');
create trigger audit_delete after delete on service_steps referencing old table as old_rows
  for each statement execute function audit_change('{service_id,id}', '{note}');
create trigger kept_as_asked before update of service_id, position, name, name_local, role_id, user_id, days, note_shown on service_steps
  for each row
  when ((old.service_id, old.position, old.name, old.name_local, old.role_id, old.user_id, old.days, old.note_shown)
    is distinct from (new.service_id, new.position, new.name, new.name_local, new.role_id, new.user_id, new.days, new.note_shown))
  execute function keep_service_as_asked();
create trigger kept before delete on service_steps for each row execute function keep_service_as_asked();

-- Files handed in: each once, under the field that asked for it.
create table service_files (
  service_id integer not null references services,
  field text not null,
  file_id integer not null unique references files,
  created_at timestamptz not null default now(),
  primary key (service_id, field)
);

-- What ended less than a year ago is emptied by nobody, whoever writes.
alter table retention_lengths drop constraint retention_lengths_least, add constraint retention_lengths_least check (days is null or days >= case kind
  when 'audit' then 1825 when 'students' then 3650 when 'tickets' then 365 when 'services' then 365 when 'chats' then 90 else 1 end);
