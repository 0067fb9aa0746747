-- From Submitted on nothing changes a registration or a mark of an offering but who may: the setting `ems.authority` of
-- the transaction says on which authority it acts (`actOn` of areas/grading/guard.server.ts sets it, and nothing else).
-- Without one only offerings in Draft change. The rule stands in areas/grading/guard.rules.ts for the program, and here
-- for whoever writes; a test compares both, pair by pair.
-- Kinds of change: enrolment (a registration made, removed, moved to another offering, or of other hours), seat, state,
-- mark, scheme, result (what is computed: total, letter, points, which attempt it is).
create or replace function control_allows(status text, kind text, authority text) returns boolean
language sql immutable parallel safe
return status = 'Draft' or case authority
  when 'load' then true
  when 'control' then status in ('Submitted', 'Reviewed') and kind in ('state', 'mark', 'result')
  when 'step' then kind = 'result'
  when 'correction' then status in ('Submitted', 'Reviewed', 'Approved', 'Published') and kind in ('state', 'mark', 'result')
  when 'incomplete' then kind in ('state', 'mark', 'result')
  when 'recheck' then status in ('Published', 'Frozen') and kind in ('state', 'mark', 'result')
  when 'excuse' then status in ('Submitted', 'Reviewed') and kind in ('state', 'seat', 'result')
  else false end;
