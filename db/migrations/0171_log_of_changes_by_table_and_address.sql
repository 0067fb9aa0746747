-- no transaction
-- The log of changes is read by kind of record, by address and by what was deleted, always the newest first; entries of one
-- moment, of which a unit of work may write a hundred thousand, stand in the order of their numbers. The indexes come while
-- rows are written.
create partitioned index audit_log_newest_idx on audit_log (at desc, id desc);
drop index if exists audit_log_at_idx;
create partitioned index audit_log_table_idx on audit_log (table_name, at desc);
create partitioned index audit_log_ip_idx on audit_log (ip, at desc) where ip is not null;
create partitioned index audit_log_delete_idx on audit_log (at desc) where action = 'delete';
