-- Whether figures of terms are out was asked term by term, each time over all the courses of the student. It is found in
-- one pass: the figures of every term before the first that is held back are out, and of no other.
-- Asked of every course of a student: compared, not looked for in a list.
create or replace function control_rank(status text) returns integer language sql immutable parallel safe
return case status when 'Draft' then 1 when 'Submitted' then 2 when 'Reviewed' then 3 when 'Approved' then 4
  when 'Published' then 5 when 'Frozen' then 6 end;
