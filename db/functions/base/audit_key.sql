-- The values of the key columns of a row as one text.
create or replace function audit_key(line jsonb, columns text[]) returns text
language sql immutable parallel safe
return (select string_agg(line ->> name, '/' order by place) from unnest(columns) with ordinality as c (name, place));
