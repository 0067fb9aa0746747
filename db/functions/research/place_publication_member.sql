-- Where the person of a member belongs when it is said who that is.
create or replace function place_publication_member() returns trigger language plpgsql as $$
begin
  new.faculty_id := null;
  new.department_id := null;
  if new.user_id is not null then
    select i.faculty_id, i.department_id into new.faculty_id, new.department_id from instructors i where i.user_id = new.user_id;
    if not found then
      select coalesce(u.faculty_id, s.faculty_id), coalesce(u.department_id, s.department_id)
        into new.faculty_id, new.department_id
      from users u left join lateral (select p.faculty_id, p.department_id from students t join programs p on p.id = t.program_id
        where t.user_id = u.id and t.removed_at is null order by t.id desc limit 1) s on true
      where u.id = new.user_id;
    end if;
  end if;
  return new;
end $$;
