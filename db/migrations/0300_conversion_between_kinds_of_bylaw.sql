-- How results by credit hours and results by marks are told in each other, by the table of a bylaw: each line joins a stretch
-- of the share of the maximum with one of the points, and within a line both rise together.
create table bylaw_conversions (
  id integer generated always as identity primary key,
  bylaw_id integer not null references bylaws on delete cascade,
  from_share numeric(5, 2) not null check (from_share >= 0),
  to_share numeric(5, 2) not null check (to_share <= 100),
  from_points numeric(4, 2) not null check (from_points >= 0),
  to_points numeric(4, 2) not null check (to_points <= 4),
  constraint bylaw_conversions_rise check (from_share < to_share and from_points < to_points),
  constraint bylaw_conversions_share_key unique (bylaw_id, from_share) deferrable,
  constraint bylaw_conversions_points_key unique (bylaw_id, from_points) deferrable
);
select audit_rows('bylaw_conversions', 'bylaw_id');

-- What the course was passed with, in points and by which kind of regulation: the grade here is worked out from it, also later.
alter table equivalences
  add column source_points numeric(4, 2) check (source_points >= 0),
  add column source_by_marks boolean not null default false,
  -- Under a regulation by marks: with how many marks the course counts here, out of how many; `letter` is a rating then.
  add column mark numeric(6, 2) check (mark >= 0),
  add column maximum smallint check (maximum between 1 and 999),
  add constraint equivalence_mark check ((mark is null) = (maximum is null) and mark <= maximum and (mark is null or points is null)) not valid;
alter table equivalences validate constraint equivalence_mark;
update equivalences e set source_points = r.points, source_by_marks = r.maximum is not null
from registrations r where r.id = e.registration_id and (r.points is not null or r.maximum is not null);

alter table course_credits
  add column mark numeric(6, 2) check (mark >= 0),
  add column maximum smallint check (maximum between 1 and 999),
  add constraint course_credit_mark check ((mark is null) = (maximum is null) and mark <= maximum) not valid;
alter table course_credits validate constraint course_credit_mark;
