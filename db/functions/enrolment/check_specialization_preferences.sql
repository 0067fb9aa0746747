-- Whoever writes a list: it names programs of its window, none twice, and none after the window was confirmed. Who confirms
-- at this moment is waited for.
create or replace function check_specialization_preferences() returns trigger language plpgsql as $$
declare
  window_of specialization_times;
begin
  select * into window_of from specialization_times where id = new.specialization_time_id for key share;
  if window_of.status = 'confirmed' then
    raise exception using errcode = 'UE409', message = 'specialization_confirmed', detail = '{}';
  end if;
  if cardinality(new.choices) > window_of.max_preferences
    or (select count(distinct c) from unnest(new.choices) c) <> cardinality(new.choices)
    or exists (select from unnest(new.choices) c where not exists (select from specialization_seats s
      where s.specialization_time_id = new.specialization_time_id and s.specialization_id = c)) then
    raise exception using errcode = '23514', constraint = 'specialization_not_offered', message = 'a wish that is not offered';
  end if;
  return new;
end $$;
