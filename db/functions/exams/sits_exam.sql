-- Whether a student with a registration in this state sits the exam: all but who left, is excused or banned.
create or replace function sits_exam(status bigint) returns boolean language sql immutable parallel safe
return status & 7146307584 <> 0;
