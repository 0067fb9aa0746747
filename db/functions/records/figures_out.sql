-- Whether the figures of a finished term are out: those of every course of it, and of all before it on which its
-- cumulative figures stand. 2305843016356855808 is every state that waits for control: registered or asking to leave,
-- Incomplete, Complete, Absent, Banned, Punished.
create or replace function figures_out(of_student integer, of_term integer, shown_from text) returns boolean
language sql stable parallel safe
return not exists (
  select from figures_held_back(of_student, shown_from) h join terms t on t.id = of_term
  where (h.term_start, h.term_id) <= (t.start_date, t.id));
