create or replace function fact_result(ids integer[]) returns table (fact_id integer, value jsonb) language sql stable as $$
  select r.id, result_value(r, o.control_status in ('Published', 'Frozen'))
  from registrations r join offerings o on o.id = r.offering_id where r.id = any (ids)
$$;
