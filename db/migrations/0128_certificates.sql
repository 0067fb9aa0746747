-- Certificates: what people ask the university to put on paper, who signs it, and what was issued.

-- In whose place somebody signs: dean, president. Who holds a position is dated, so that a signature of last year is still that of the dean then.
select create_lookup('signatory_positions');
create table signatory_holders (
  id integer generated always as identity primary key,
  position_id integer not null references signatory_positions on delete cascade,
  user_id integer not null references users,
  -- Whose papers the person signs; null: of the whole university.
  faculty_id integer references faculties,
  valid_from date not null,
  valid_to date,
  constraint signing_holder_days check (valid_from <= valid_to),
  -- One person holds a position at a time.
  constraint signing_holder_twice exclude using gist (position_id with =, coalesce(faculty_id, 0) with =,
    daterange(valid_from, valid_to, '[]') with &&) deferrable
);
create index signatory_holders_user on signatory_holders (user_id);
create index signatory_holders_faculty on signatory_holders (faculty_id);
select audit_rows('signatory_holders', 'position_id');
insert into signatory_positions (code, name, name_local) values
  ('COMPETENT-EMPLOYEE', 'Competent employee', 'الموظف المختص'),
  ('MANAGER-DIRECTOR', 'Managing director', 'المدير العام'),
  ('DEAN', 'Dean', 'عميد الكلية'),
  ('PRESIDENT', 'President', 'رئيس الجامعة'),
  ('AFFAIR-MANAGER', 'Student affairs manager', 'مدير شؤون الطلاب'),
  ('REGISTRATION-UNIT', 'Registration unit', 'وحدة التسجيل'),
  ('ADMINISTRATION-MANAGER', 'Administration manager', 'مدير الإدارة'),
  ('VICE-PRESIDENT', 'Vice president', 'نائب رئيس الجامعة');

select create_lookup('certificate_settings');
alter table certificate_settings
  -- What stands on it: a text of its own, or a record that the university prints anyhow.
  add column document text not null check (document in ('text', 'transcript', 'enrollment_certificate', 'graduation_certificate', 'master_certificate')),
  add column body text,
  add column body_local text,
  add column for_students boolean not null default false,
  add column for_graduates boolean not null default false,
  add column min_level smallint check (min_level between 0 and 7),
  add column needs_photo boolean not null default false,
  add column valid_days integer check (valid_days between 1 and 3650),
  add column days_normal smallint not null check (days_normal between 0 and 365),
  add column days_urgent smallint check (days_urgent between 0 and 365),
  add column most_copies smallint not null check (most_copies between 1 and 50),
  add column by_hand boolean not null default false,
  add column by_mail boolean not null default false,
  add column electronic boolean not null default false,
  add column is_active boolean not null default false,
  add constraint certificate_type_text check (document <> 'text' or (body is not null and body_local is not null)),
  add constraint certificate_type_delivery check (by_hand or by_mail or electronic),
  add constraint certificate_type_audience check (for_students or for_graduates);

-- What it costs, in minor units: by who asks and how soon it is wanted. Egyptians pay in EGP, whoever pays in another currency in USD.
create table certificate_setting_prices (
  id integer generated always as identity primary key,
  type_id integer not null references certificate_settings on delete cascade,
  audience text not null check (audience in ('student', 'graduate')),
  speed text not null check (speed in ('normal', 'urgent')),
  value_local bigint not null check (value_local >= 0),
  value_usd bigint not null check (value_usd >= 0),
  copy_local bigint not null check (copy_local >= 0),
  copy_usd bigint not null check (copy_usd >= 0),
  constraint certificate_price_twice unique (type_id, audience, speed) deferrable
);
select audit_rows('certificate_setting_prices', 'type_id');

create table certificate_setting_signers (
  id integer generated always as identity primary key,
  type_id integer not null references certificate_settings on delete cascade,
  position smallint not null,
  position_id integer not null references signatory_positions,
  constraint certificate_signer_twice unique (type_id, position_id) deferrable
);
create index certificate_setting_signers_position on certificate_setting_signers (position_id);
select audit_rows('certificate_setting_signers', 'type_id');

-- Every wording that a type has had: a certificate keeps the one that it was prepared with.
create table certificate_setting_texts (
  id integer generated always as identity primary key,
  type_id integer not null references certificate_settings on delete cascade,
  body text not null,
  body_local text not null,
  created_at timestamptz not null default now()
);
create index certificate_setting_texts_type on certificate_setting_texts (type_id, id desc);
install function keep_certificate_text;
create trigger kept after insert or update of body, body_local on certificate_settings for each row execute function keep_certificate_text();

-- Days on which a type may be asked for; a type without such days may be at any time.
create table certificate_dates (
  id integer generated always as identity primary key,
  type_id integer not null references certificate_settings,
  from_date date not null,
  until_date date not null,
  note text,
  search_text text generated always as (fold_text(coalesce(note, ''))) stored,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint certificate_date_order check (from_date <= until_date),
  constraint certificate_date_twice exclude using gist (type_id with =, daterange(from_date, until_date, '[]') with &&) where (removed_at is null)
);
select audit_table('certificate_dates');

create table certificates (
  id integer generated always as identity primary key,
  student_id integer not null references students,
  type_id integer not null references certificate_settings,
  lang text not null check (lang in ('ar', 'en', 'both')),
  copies smallint not null check (copies between 1 and 50),
  speed text not null check (speed in ('normal', 'urgent')),
  delivery text not null check (delivery in ('by_hand', 'by_mail', 'electronic')),
  address text,
  why text not null,
  status text not null default 'New' check (status in ('fee_due', 'New', 'Prepared', 'in review', 'Reviewed', 'dean-signed', 'approved',
    'Ready To Deliver', 'Delivered', 'Delivered By Mail', 'Delivered By Manual', 'updated', 'Rejected', 'cancelled')),
  promised_on date,
  -- What was prepared: the wording, and a hash of all that will stand on it. Signers sign this.
  text_id integer references certificate_setting_texts,
  prepared_hash text check (prepared_hash ~ '^[0-9a-f]{64}$'),
  prepared_by integer references users,
  prepared_at timestamptz,
  version integer not null default 1,
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint certificate_address check (delivery <> 'by_mail' or address is not null),
  constraint certificate_prepared check (status not in ('Prepared', 'in review', 'Reviewed', 'dean-signed', 'approved', 'Ready To Deliver')
    or (prepared_hash is not null and prepared_at is not null))
);
create unique index certificate_asked_twice on certificates (student_id, type_id)
  where status not in ('Delivered', 'Delivered By Mail', 'Delivered By Manual', 'Rejected', 'cancelled') and removed_at is null;
create index certificates_type on certificates (type_id);
create index certificates_text on certificates (text_id);
create index certificates_prepared_by on certificates (prepared_by);
create index certificates_status on certificates (status, created_at) where removed_at is null;
select audit_table('certificates');

-- Who is to sign, as the type said when it went to review: what is changed there concerns the next ones.
create table certificate_chain (
  certificate_id integer not null references certificates,
  position smallint not null,
  position_id integer not null references signatory_positions,
  primary key (certificate_id, position),
  constraint certificate_chain_twice unique (certificate_id, position_id)
);
create index certificate_chain_position on certificate_chain (position_id);

-- Who signed what was prepared, in which position. A correction voids them; they stay.
create table certificate_signatures (
  id integer generated always as identity primary key,
  certificate_id integer not null references certificates,
  position_id integer not null references signatory_positions,
  user_id integer not null references users,
  -- Who stood in for that person.
  deputy_id integer references users,
  prepared_hash text not null check (prepared_hash ~ '^[0-9a-f]{64}$'),
  signed_at timestamptz not null default now(),
  voided_at timestamptz
);
create unique index certificate_signatures_position_once on certificate_signatures (certificate_id, position_id) where voided_at is null;
create unique index certificate_signed_by_once on certificate_signatures (certificate_id, user_id) where voided_at is null;
create index certificate_signatures_position on certificate_signatures (position_id);
create index certificate_signatures_user on certificate_signatures (user_id);
create index certificate_signatures_deputy on certificate_signatures (deputy_id);
select audit_rows('certificate_signatures', 'certificate_id');
install function keep_certificate_signature;
create trigger kept before update or delete on certificate_signatures for each row execute function keep_certificate_signature();

create table certificate_papers (
  certificate_id integer not null references certificates,
  paper_id integer not null unique references papers,
  created_at timestamptz not null default now(),
  primary key (certificate_id, paper_id)
);
