-- Who administers signing positions by a role for the person of a certificate; where nobody does, who administers the program.
create or replace function signing_administrators(of_certificate integer) returns table (id integer) language sql stable as $$
  with named as materialized (select o.id from certificate_turn_office(of_certificate, 'edit_signingPosition') o)
  select n.id from named n
  union all
  select u.id from users u where u.is_super_admin and u.removed_at is null and u.blocked_at is null and not exists (select from named)
$$;
