-- The id under which the trail knows a row; a key that is a word has none, and stands in the values.
create or replace function audit_record(key text) returns integer
language sql immutable parallel safe
return case when key ~ '^\d{1,9}$' then key::integer end;
