create or replace function hold_figures(ids integer[]) returns void language plpgsql as $$
begin
  perform from students s where s.id = any (ids) order by s.id for share;
end $$;
