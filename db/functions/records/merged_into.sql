-- The record as which one is known today: itself, or the one it went into.
create or replace function merged_into(of_kind text, of_id integer) returns integer language sql stable parallel safe as $$
  select coalesce((select into_id from merged_records where kind = of_kind and from_id = of_id), of_id)
$$;
