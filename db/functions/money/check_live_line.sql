-- Money of a saved line that comes in is booked: to a payer or as unexplained.
--
-- What is checked at the end of a transaction, row by row, looks rows up by their keys alone. A connection keeps the plans of
-- its first call: made while a table was small, it would read all of the table once for each row that somebody wrote since, and
-- saving a bank file of nine thousand lines would take a minute instead of a second.
create or replace function check_live_line() returns trigger language plpgsql set enable_seqscan = off as $$
declare
  line batch_lines;
begin
  select * into line from batch_lines where id = new.id;
  if line.live and line.direction = 'in' and line.state in ('matched', 'proposed', 'unmatched') and line.transaction_id is null
      and line.entry_id is null then
    raise exception 'A line that counts is booked' using errcode = 'check_violation', constraint = 'batch_line_not_booked';
  end if;
  return null;
end $$;
