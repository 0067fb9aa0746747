-- Nobody is led by somebody whom he or she leads, over however many. Of two who change at the same moment the second sees the first.
create or replace function refuse_circle_of_managers() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('managers of employees'));
  if not exists (select from users m where m.id = new.manager_id and m.type = 2 and m.removed_at is null) then
    raise exception 'The manager of % is no employee', new.id using errcode = 'check_violation', constraint = 'manager_no_employee', table = 'users';
  end if;
  if exists (
    with recursive above (id) as (
      select new.manager_id union select u.manager_id from users u join above a on a.id = u.id where u.manager_id is not null)
    select from above where id = new.id) then
    raise exception 'The managers of % go in a circle', new.id using errcode = 'check_violation', constraint = 'manager_circle', table = 'users';
  end if;
  return new;
end $$;
