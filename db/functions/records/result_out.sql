-- Whether a result is out: the offering has come to the status from which the bylaw shows it; where the bylaw never does,
-- to Published, because rules go on counting it. What a student is exempted from is a decision, and out at once.
-- 2147483648 is Complete.
create or replace function result_out(control_status text, shown_from text, status bigint, total numeric) returns boolean
language sql immutable parallel safe
return control_rank(control_status) >= control_rank(coalesce(shown_from, 'Published'))
  or (status & 2147483648 <> 0 and total is null);
