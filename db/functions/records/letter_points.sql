-- Registrations stand on results as well: which attempt one is, on what came out before it; that it may be taken at all, on its
-- prerequisites. Neither is kept with each registration, which would cost every one of them: what speaks against one is written when
-- a settled result changes, and goes when nothing does any more.
create or replace function letter_points(of_bylaw integer, of_letter text) returns numeric language sql stable as $$
  select g.points from grade_types t join grade_ranges g on g.grade_type_id = t.id
  where t.bylaw_id = of_bylaw and t.kind = 'letter' and g.letter = of_letter limit 1
$$;
