-- A result changes its registration several times within the weeks after the term, a mark as often. With some room on each
-- page the new version of a row stays beside the old one, and none of the table's indexes is written.
alter table registrations set (fillfactor = 85);
alter table registration_marks set (fillfactor = 90);

-- The trail is read from the newest entry back. A key of time and number, read backwards, is that order: no second index
-- of the same two columns is written with each entry.
drop index audit_log_newest_idx;
alter table audit_log drop constraint audit_log_pkey;
alter table audit_log add primary key (at, id);
