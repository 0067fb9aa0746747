-- Days on which trainings of the internship year have more people than places. How many there are changes where somebody comes,
-- and places where they are said otherwise: no other day needs to be looked at.
create or replace function emtyaz_overfull(trainings integer[], since date default '-infinity', until date default 'infinity')
returns table (training_id integer, day date, taken integer, places integer) language sql stable as $$
  with there as materialized (
    select r.training_id, r.starts_on, coalesce(r.interrupted_on, r.ends_on) as ends_on from emtyaz_rotations r
    where r.training_id = any(trainings) and r.status = 'accepted' and r.removed_at is null
      and coalesce(r.interrupted_on, r.ends_on) >= since and r.starts_on <= until),
  days as (
    select t.training_id, greatest(t.starts_on, since) as day from there t
    union select p.training_id, greatest(p.starts_on, since) from emtyaz_training_places p where p.training_id = any(trainings)
    union select p.training_id, p.ends_on + 1 from emtyaz_training_places p where p.training_id = any(trainings)
    union select t.id, greatest(t.withdrawn_from, since) from emtyaz_trainings t where t.id = any(trainings) and t.withdrawn_from is not null),
  counted as (
    select d.training_id, d.day, (select count(*)::integer from there t where t.training_id = d.training_id and d.day between t.starts_on and t.ends_on) as taken
    from days d where d.day between since and until)
  select c.training_id, c.day, c.taken, emtyaz_places_on(c.training_id, c.day) from counted c
  where c.taken > emtyaz_places_on(c.training_id, c.day)
$$;
