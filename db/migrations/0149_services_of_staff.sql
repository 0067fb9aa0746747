-- Services for who works here: a kind says whether it is for staff, and a request is of a student or of an account of the staff.

alter table service_kinds
  add column for_staff boolean not null default false,
  drop constraint service_kind_audience,
  add constraint service_kind_audience check (for_students or for_graduates or for_staff);

alter table services
  alter column student_id drop not null,
  add column staff_id integer references users,
  add constraint service_whose check (num_nonnulls(student_id, staff_id) = 1),
  add constraint service_sent_by_staff unique (staff_id, client_key);
create unique index service_asked_by_staff on services (staff_id, kind_id)
  where alone and status in ('fee_due', 'New', 'in review', 'asked_back') and removed_at is null;
