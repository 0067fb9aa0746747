-- What the scheme of an offering must sum to: once marks stand in it, what it summed to when they were entered.
create or replace function scheme_maximum(of_offering integer) returns numeric language sql stable parallel safe as $$
  select case when exists (select from registration_marks m join offering_marks s on s.id = m.offering_mark_id where s.offering_id = of_offering)
    then (select sum(max) from offering_marks where offering_id = of_offering) else offering_maximum(of_offering) end
$$;
