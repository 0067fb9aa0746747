-- Certificates: what is printed of them.

-- Each printing of an issued paper at the desk. The first ones are the originals that were paid for; every further one is a copy that
-- carries its number, and has a reason. Numbers and what is an original are the database's: two clerks print no original twice.
create table certificate_prints (
  id integer generated always as identity primary key,
  certificate_id integer not null,
  paper_id integer not null,
  number smallint not null constraint certificate_prints_first check (number >= 1),
  original boolean not null,
  reason text,
  printed_by integer references users,
  printed_at timestamptz not null default now(),
  foreign key (certificate_id, paper_id) references certificate_papers,
  constraint certificate_prints_number unique (paper_id, number),
  constraint certificate_prints_reason check (original or reason is not null)
);
create index certificate_prints_certificate on certificate_prints (certificate_id, paper_id);
create index certificate_prints_printed_by on certificate_prints (printed_by);
select audit_rows('certificate_prints', 'certificate_id');
alter table certificates
  -- Printings of all its papers; kept by the trigger.
  add column print_count integer not null default 0 constraint certificates_print_count check (print_count >= 0);
install function keep_certificate_print;
create trigger kept before insert or update or delete on certificate_prints for each row execute function keep_certificate_print();

-- Who wrote a wording; null: the program, or before it was kept. A wording that was kept is never changed: papers were made with it.
alter table certificate_setting_texts add column created_by integer references users;
create index certificate_setting_texts_created_by on certificate_setting_texts (created_by);
install function keep_certificate_text;
install function keep_certificate_wording;
create trigger stays before update on certificate_setting_texts for each row execute function keep_certificate_wording();

-- With which wording a paper was made: a correction is prepared with the newest one, and what it replaces keeps its own.
alter table certificate_papers add column text_id integer references certificate_setting_texts;
create index certificate_papers_text on certificate_papers (text_id);
update certificate_papers k set text_id = c.text_id from certificates c where c.id = k.certificate_id;
