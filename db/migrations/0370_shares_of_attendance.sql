-- A student may let somebody see the own attendance as well.
alter table record_shares drop constraint record_shares_parts,
  add constraint record_shares_parts
    check (cardinality(parts) > 0 and parts <@ array['timetable', 'registration', 'attendance', 'grades']) not valid;
alter table record_shares validate constraint record_shares_parts;
