-- Students and all who are known as their siblings stay as they are until the transaction ends.
create or replace function hold_family(ids integer[]) returns void language plpgsql as $$
begin
  perform from students s where s.id = any (ids || array(select p.other_id from siblings_of(ids) p)) order by s.id for share;
end $$;
