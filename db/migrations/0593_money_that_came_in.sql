-- Only money that came in is somebody's, or waits for who it is of. Rows from before are not looked at.
alter table batch_lines add constraint batch_line_came_in
  check (direction = 'in' or state not in ('matched', 'proposed', 'unmatched')) not valid;
