-- Places of a training of the internship year that are free on every day from one to another, without the rotation `except`.
create or replace function emtyaz_free(training integer, since date, until date, except_id integer default null) returns integer language sql stable as $$
  with there as materialized (
    select r.starts_on, coalesce(r.interrupted_on, r.ends_on) as ends_on from emtyaz_rotations r
    where r.training_id = training and r.status = 'accepted' and r.removed_at is null and r.id is distinct from except_id
      and coalesce(r.interrupted_on, r.ends_on) >= since and r.starts_on <= until),
  days as (
    select since as day
    union select t.starts_on from there t
    union select p.starts_on from emtyaz_training_places p where p.training_id = training
    union select p.ends_on + 1 from emtyaz_training_places p where p.training_id = training
    union select t.withdrawn_from from emtyaz_trainings t where t.id = training)
  select min(emtyaz_places_on(training, d.day) - (select count(*)::integer from there t where d.day between t.starts_on and t.ends_on))::integer
  from days d where d.day between since and until
$$;
