-- A row as the trail keeps it: without what is derived, empty or excluded; what is secret shows only that it is there.
create or replace function audit_line(line jsonb, excluded text[]) returns jsonb
language sql immutable parallel safe
return (
  select coalesce(jsonb_object_agg(key,
    case when key ~ '(password|secret|token)' then '"•••"'::jsonb else value end), '{}')
  from jsonb_each(line)
  where key <> all (excluded) and value <> 'null'
);
