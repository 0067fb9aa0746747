-- What an instructor has learnt, and where he or she is found.
alter table instructors
  add column degree text check (degree in ('doctorate', 'master', 'diploma', 'bachelor')),
  add column specialty text,
  add column specialty_local text,
  add column office_id integer references locations;
create index instructors_office on instructors (office_id);
