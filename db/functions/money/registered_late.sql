-- Whether a student asked for the first course of a term after registration had closed for everybody. Whoever begins in the term, or
-- is registered as a block, is not late: that is the university's day. What was given up later was in time all the same.
create or replace function registered_late(student integer, term integer) returns boolean language sql stable parallel safe
return (
  select min(h.at) > (select max(w.ends_at) from term_stages w join stage_codes k on k.id = w.stage_code_id
    where w.term_id = registered_late.term and k.code = 'register' and w.removed_at is null)
  from registration_history h join offerings o on o.id = h.offering_id
  where h.student_id = registered_late.student and o.term_id = registered_late.term
    and not exists (select from students s join bylaws b on b.id = s.bylaw_id where s.id = registered_late.student
      and (s.entry_term_id = registered_late.term or b.program_type in ('term', 'annual')))
);
