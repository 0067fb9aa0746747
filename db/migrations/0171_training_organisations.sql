select create_lookup('training_organisations');
alter table training_organisations
  add column city text,
  add column contact_name text,
  add column email text,
  add column phone text,
  add column map_url text check (map_url ~ '^https?://'),
  add column agreement_from date,
  add column agreement_until date,
  add column agreement_file_id integer references files,
  add constraint training_agreement_days check (agreement_until >= agreement_from);
create index training_organisations_file on training_organisations (agreement_file_id) where agreement_file_id is not null;

-- What they offer.
select create_lookup('trainings');
alter table trainings
  add column organisation_id integer not null references training_organisations,
  add column starts_on date not null,
  add column ends_on date not null,
  add column weeks smallint not null check (weeks between 1 and 60),
  add column places smallint not null check (places between 1 and 10000),
  add column opens_on date not null,
  add column closes_on date not null,
  add column faculty_id integer references faculties,
  add column program_id integer references programs,
  add column min_level smallint check (min_level between 0 and 7),
  add column min_gpa numeric(3, 2) check (min_gpa between 0 and 4),
  add column min_hours numeric(6, 2) check (min_hours between 0 and 400),
  add column min_reports smallint check (min_reports between 0 and 60),
  add column is_paid boolean not null default false,
  add column cv_required boolean not null default false,
  add column has_interview boolean not null default false,
  add column description text,
  add column description_local text,
  add constraint training_days check (ends_on >= starts_on),
  add constraint training_window check (closes_on >= opens_on);
create index trainings_organisation on trainings (organisation_id);
create index trainings_faculty on trainings (faculty_id);
create index trainings_program on trainings (program_id);
