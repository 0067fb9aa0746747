-- Places of a training of the internship year on a day.
create or replace function emtyaz_places_on(training integer, day date) returns integer language sql stable as $$
  select case when t.withdrawn_from <= day then 0
    else coalesce((select p.places from emtyaz_training_places p where p.training_id = t.id and day between p.starts_on and p.ends_on), t.places) end::integer
  from emtyaz_trainings t where t.id = training
$$;
