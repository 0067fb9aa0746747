-- Whose turn it is with a certificate: the office, who reviews (not who prepared it), or the holder of the position and whoever stands in
-- for the holder today.
create or replace function certificate_turn_holders(of_turn integer) returns table (id integer) language sql stable as $$
  with turn as materialized (
    select g.certificate_id, g.kind, t.prepared_by, signing_holder(g.position_id, a.faculty_id) as holder_id
    from certificate_turns g join certificates t on t.id = g.certificate_id
      left join lateral asker_units(t.student_id, t.staff_id) a on true where g.id = of_turn
  )
  select o.id from turn x cross join lateral certificate_turn_office(x.certificate_id,
      case x.kind when 'review' then 'decide_certificate' else 'edit_certificate' end) o
    where x.kind <> 'sign' and not (x.kind = 'review' and o.id is not distinct from x.prepared_by)
  union
  select x.holder_id from turn x where x.kind = 'sign' and x.holder_id is not null
  union
  select u.id from turn x join delegations d on d.from_user_id = x.holder_id and d.ended_at is null
      and university_today() between d.from_date and d.until_date and 'sign_certificate' = any (d.permissions)
    join users u on u.id = d.to_user_id and u.removed_at is null and u.blocked_at is null
  where x.kind = 'sign'
$$;
