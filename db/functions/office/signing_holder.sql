-- Who holds a signing position today for a faculty: of the faculty before the whole university. Whose account is closed holds none.
create or replace function signing_holder(of_position integer, of_faculty integer) returns integer language sql stable as $$
  select h.user_id from signatory_holders h join users u on u.id = h.user_id and u.removed_at is null and u.blocked_at is null
  where h.position_id = of_position and (h.faculty_id is null or h.faculty_id = of_faculty)
    and h.valid_from <= university_today() and coalesce(h.valid_to >= university_today(), true)
  order by h.faculty_id nulls last, h.id limit 1
$$;
