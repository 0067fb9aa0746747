-- What was said to students in need, and what stood out of them, is kept a year at least.
alter table retention_lengths drop constraint retention_lengths_least, add constraint retention_lengths_least check (days is null or days >= case kind
  when 'audit' then 1825 when 'students' then 3650 when 'tickets' then 365 when 'services' then 365 when 'early_warning' then 365
  when 'chats' then 90 else 1 end);
