-- Who stands above those whose turn it is: their managers; where they have none, who follows certificates.
create or replace function certificate_turn_above(of_turn integer) returns table (id integer) language sql stable as $$
  with managers as materialized (
    select distinct m.id from certificate_turn_holders(of_turn) h join users u on u.id = h.id
      join users m on m.id = u.manager_id and m.removed_at is null and m.blocked_at is null
    where not exists (select from certificate_turn_holders(of_turn) o where o.id = m.id)
  )
  select m.id from managers m
  union
  select o.id from certificate_turns g cross join lateral certificate_turn_office(g.certificate_id, 'manage_certificate') o
  where g.id = of_turn and not exists (select from managers)
$$;
