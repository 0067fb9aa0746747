-- Results of registrations: what the finishing of terms and the editors of one grid need beside the first tables.

alter table registrations
  -- Whether its hours count as attempted: a grade that is no percentage (withdrawn, excused) says so in the bylaw.
  add column counts_in_attempted_hours boolean;

-- A version of a mark is never used a second time, also when a mark is taken away and entered again: whoever still
-- looks at the first one is told.
create sequence registration_mark_version as integer cycle;
alter table registration_marks alter column version set default nextval('registration_mark_version');

-- A result belongs to the state in which it was computed. When the state changes (absent, withdrawn, …) it is void until
-- it is computed again.
create function void_result() returns trigger language plpgsql as $$
begin
  new.total := null;
  new.letter := null;
  new.points := null;
  new.passed := null;
  new.counts_in_gpa := null;
  new.counts_in_attempted_hours := null;
  return new;
end $$;
create trigger registrations_void_result before update of status on registrations
  for each row when (old.status <> new.status and old.letter is not null and new.letter is not distinct from old.letter)
  execute function void_result();

-- Registrations of an offering that still wait for a result.
create index registrations_without_result on registrations (offering_id) where letter is null;

-- Scheme of an offering in the order it is entered.
create index offering_marks_order on offering_marks (offering_id, position);
