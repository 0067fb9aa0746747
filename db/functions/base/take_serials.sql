create or replace function take_serials(of_series text, of_period text, many integer) returns integer language plpgsql as $$
declare
  taken integer;
begin
  perform set_config('ems.serials', many::text, true);
  insert into serial_numbers as s (series, period, last) values (of_series, of_period, many)
    on conflict (series, period) do update set last = s.last + many
    returning last - many + 1 into taken;
  perform set_config('ems.serials', '', true);
  return taken;
end $$;
