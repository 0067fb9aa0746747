-- Only money that came in is somebody's, or waits for who it is of. What waits in a file that is not saved is set right.
update batch_lines set state = 'not_booked', why = '{"code": "batch_outgoing"}', match_by = null, payer_id = null, invoice_id = null,
  transaction_id = null
  where direction <> 'in' and state in ('matched', 'proposed', 'unmatched') and not live;
alter table batch_lines add constraint batch_line_came_in
  check (direction = 'in' or state not in ('matched', 'proposed', 'unmatched'));
