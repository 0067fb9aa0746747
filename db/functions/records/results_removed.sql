create or replace function results_removed() returns trigger language plpgsql as $$
begin
  perform results_changed(array_agg(o.id), null) from old_rows o;
  return null;
end $$;
