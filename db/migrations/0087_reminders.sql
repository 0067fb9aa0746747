-- What is told of parts of invoices before and after they are due: by which steps, and what was told to whom.

select create_lookup('reminder_steps');
alter table reminder_steps
  -- null: of the university, for every faculty that has no step of its own.
  add column faculty_id integer references faculties,
  add column moment text not null check (moment in ('before', 'after')),
  add column days smallint not null check (days between 0 and 365),
  -- What is said in place of the usual words; each language of its own.
  add column text text check (length(text) between 3 and 500),
  add column text_local text check (length(text_local) between 3 and 500),
  add column text_de text check (length(text_de) between 3 and 500),
  add column text_fr text check (length(text_fr) between 3 and 500),
  add column text_pt text check (length(text_pt) between 3 and 500),
  -- What being reminded so late costs, and whether the invoice keeps its student from registering from then on.
  add column fee_item_id integer references fee_items,
  add column holds boolean not null default false,
  add column is_active boolean not null default false,
  add constraint reminder_step_after check (moment = 'after' or (fee_item_id is null and not holds)),
  add constraint reminder_step_late check (moment = 'before' or days > 0);
create index reminder_steps_faculty on reminder_steps (faculty_id);
create index reminder_steps_fee on reminder_steps (fee_item_id);
-- A faculty, or the university, says one thing on one day.
create unique index reminder_step_taken on reminder_steps (coalesce(faculty_id, 0), moment, days) where removed_at is null and is_active;

-- What was told: one row for each part and step, which is why it is told once, whoever tells it.
create table reminders (
  id integer generated always as identity primary key,
  invoice_id integer not null references invoices,
  -- null: the part is there no more.
  installment_id integer references installments on delete set null,
  -- As it was then: a part that is due on another day is a new one.
  due_date date not null,
  amount bigint not null check (amount > 0),
  step_id integer not null references reminder_steps,
  moment text not null check (moment in ('before', 'after')),
  days smallint not null,
  -- Of what is late: which time.
  level smallint check (level > 0),
  -- By which way the student had it.
  in_app boolean not null,
  by_mail text not null check (by_mail in ('now', 'digest', 'none')),
  holds boolean not null default false,
  -- Why what it costs could not be charged.
  fee_problem text,
  sent_on date not null default university_today(),
  created_at timestamptz not null default now(),
  constraint reminder_once unique (installment_id, due_date, step_id),
  constraint reminder_a_day unique (installment_id, sent_on),
  constraint reminder_level check ((moment = 'after') = (level is not null))
);
create index reminders_invoice on reminders (invoice_id, id);
create index reminders_step on reminders (step_id);
create index reminders_sent on reminders (sent_on desc, id desc);
create trigger append_only before delete or update of invoice_id, due_date, amount, step_id, moment, days, level, in_app, by_mail, holds, sent_on
  on reminders for each row execute function refuse_ledger_change();
create trigger append_only_truncate before truncate on reminders for each statement execute function refuse_ledger_change();

install function hold_waits;
