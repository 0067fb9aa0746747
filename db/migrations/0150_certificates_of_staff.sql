-- Certificates for who works here: a type says so, and a request is of a student or of an account of the staff.

alter table certificate_settings
  add column for_staff boolean not null default false,
  drop constraint certificate_type_audience,
  add constraint certificate_type_audience check (for_students or for_graduates or for_staff),
  -- What stands on it is filled from another record: it is for nobody else, and has a text of its own.
  add constraint certificate_type_staff check (not for_staff or (document = 'text' and not for_students and not for_graduates));
alter table certificate_setting_prices
  drop constraint certificate_setting_prices_audience_check,
  add constraint certificate_setting_prices_audience_check check (audience in ('student', 'graduate', 'staff'));

alter table certificates
  alter column student_id drop not null,
  add column staff_id integer references users,
  add constraint certificate_whose check (num_nonnulls(student_id, staff_id) = 1);
create unique index certificate_asked_by_staff on certificates (staff_id, type_id)
  where status not in ('Delivered', 'Delivered By Mail', 'Delivered By Manual', 'Rejected', 'cancelled') and removed_at is null;
