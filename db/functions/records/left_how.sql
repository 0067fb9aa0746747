-- How a course was left, as far as it decides what it costs: 17592186045440 is Withdrawn and ForcedWithdrawn, 2048 Excused.
create or replace function left_how(status bigint) returns text language sql immutable parallel safe
return case when status & 17592186045440 <> 0 then 'withdrawn' when status & 2048 <> 0 then 'excused' end;
