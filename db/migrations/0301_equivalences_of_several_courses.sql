-- Several of their courses count as one of ours, and one of theirs as several of ours.
alter table equivalences
  -- A further course that the course of that row counts as: what is theirs is written again.
  add column split_of integer references equivalences on delete cascade,
  -- Their course counts together with that row, as its course.
  add column joined_to integer references equivalences,
  drop constraint equivalence_whole,
  add constraint equivalence_whole check ((state = 'none') = (course_id is null and joined_to is null)
    and (course_id is null) = (credit_hours is null) and (joined_to is null or course_id is null)
    and (split_of is null or (course_id is not null and joined_to is null))) not valid,
  drop constraint equivalence_source_twice;
alter table equivalences validate constraint equivalence_whole;
create unique index equivalence_source_once on equivalences (internal_transfer_id, source_course_id) where split_of is null;
create index equivalences_split on equivalences (split_of);
create index equivalences_joined on equivalences (joined_to);
