create or replace function hold_household(ids integer[]) returns void language plpgsql as $$
begin
  perform hold_family(ids);
end $$;
