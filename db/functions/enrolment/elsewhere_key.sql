-- By what a course of another university is known again: MTH 101, mth-101 and MTH101 are one.
create or replace function elsewhere_key(university integer, code text) returns text language sql immutable strict parallel safe
return 'u' || university || '|' || regexp_replace(fold_text(code), '[-\s._/]+', '', 'g');
