-- The ids under which a record was ever known: its own, and those of the records that went into it.
create or replace function same_record(of_kind text, of_id integer) returns integer[] language sql stable parallel safe as $$
  select array[of_id] || array(select from_id from merged_records where kind = of_kind and into_id = of_id order by from_id)
$$;
