-- A result belongs to the state in which it was computed. When the state changes (absent, withdrawn, …) it is void until
-- it is computed again.
create or replace function void_result() returns trigger language plpgsql as $$
begin
  new.total := null;
  new.letter := null;
  new.points := null;
  new.passed := null;
  new.counts_in_gpa := null;
  new.counts_in_attempted_hours := null;
  return new;
end $$;
