-- What facts are now.
create or replace function facts_now(of_fact text, ids integer[]) returns table (fact_id integer, value jsonb) language plpgsql stable as $$
begin
  return query execute format('select f.fact_id, f.value from %I($1) f', 'fact_' || of_fact) using ids;
end $$;
