-- What must not be there twice, guarded where it is written. These are triggers, not unique indexes: what came from
-- another system before this rule stays as it is until somebody changes it.

-- An import of another system's records takes names and years as that system keeps them (`ems.names_as_sent`).

-- A year, faculty or role of the same name; a program of the same name under the same bylaw (a new bylaw teaches the old
-- program anew). Who writes such a row waits for who writes another.
create function refuse_same_name() returns trigger language plpgsql as $$
declare
  -- The column by which such rows are told apart anyway: a row of the same is left to that constraint.
  own_key text := tg_argv[0];
  within text := tg_argv[1];
  taken boolean;
begin
  if new.removed_at is not null or current_setting('ems.names_as_sent', true) = 'on' then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtext('name'), hashtext(tg_table_name));
  execute format(
    'select exists (select from %1$I t where t.id <> $1 and t.removed_at is null and fold_text(t.name) = fold_text($2)
      and t.%3$I is distinct from to_jsonb($3) ->> %3$L and %2$s)',
    tg_table_name, case when within is null then 'true' else format('t.%1$I = (to_jsonb($3) ->> %1$L)::integer', within) end,
    own_key)
    into taken using new.id, new.name, new;
  if taken then
    raise exception using errcode = '23505', constraint = tg_table_name || '_name_taken',
      message = tg_table_name || ': the name is taken', detail = 'Key (name)=(' || new.name || ') already exists.';
  end if;
  return new;
end $$;
create trigger same_name before insert or update of name, removed_at on years
  for each row execute function refuse_same_name('code');
create trigger same_name before insert or update of name, removed_at on faculties
  for each row execute function refuse_same_name('code');
create trigger same_name before insert or update of name, removed_at on roles
  for each row execute function refuse_same_name('key');
create trigger same_name before insert or update of name, bylaw_id, removed_at on programs
  for each row execute function refuse_same_name('code', 'bylaw_id');

-- Academic years follow each other.
create function refuse_overlapping_year() returns trigger language plpgsql as $$
declare
  other record;
begin
  if new.removed_at is not null or current_setting('ems.names_as_sent', true) = 'on' then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtext('name'), hashtext('years'));
  select code into other from years y
    where y.id <> new.id and y.removed_at is null and y.start_date <= new.end_date and y.end_date >= new.start_date limit 1;
  if found then
    raise exception using errcode = '23514', constraint = 'years_overlap', column = 'start_date',
      message = 'the year overlaps ' || other.code;
  end if;
  return new;
end $$;
create trigger overlapping before insert or update of start_date, end_date, removed_at on years
  for each row execute function refuse_overlapping_year();

-- A faculty has a short name; its code where none was given.
update faculties set short_name = code where nullif(btrim(short_name), '') is null;
create function short_name_of_faculty() returns trigger language plpgsql as $$
begin
  new.short_name := coalesce(nullif(btrim(new.short_name), ''), new.code);
  return new;
end $$;
create trigger short_name before insert or update of short_name on faculties
  for each row execute function short_name_of_faculty();
alter table faculties alter column short_name set not null;

-- Nobody is born in the future.
create function refuse_future_birth() returns trigger language plpgsql as $$
begin
  raise exception using errcode = '23514', constraint = 'birth_date_future', column = 'birth_date',
    message = 'born in the future';
end $$;
-- A day more than the server's: it may be a day behind the university.
create trigger future_birth before insert or update of birth_date on students
  for each row when (new.birth_date > current_date + 1) execute function refuse_future_birth();

-- An e-mail address is that of one person. A record and the account of the same person share it, as do the records of
-- somebody who both teaches and studies. An account that waits to be bound to its record is not yet known to be another.
create index students_email on students (lower(email)) where email is not null;
create index instructors_email on instructors (lower(email)) where email is not null;
create function refuse_email_of_another() returns trigger language plpgsql as $$
declare
  wanted text := lower(new.email);
  account integer;
  taken boolean;
begin
  if tg_table_name = 'users' then
    taken := exists (select from students s where lower(s.email) = wanted and s.removed_at is null
        and case when s.user_id is null then new.type <> 3 else s.user_id <> new.id end)
      or exists (select from instructors i where lower(i.email) = wanted and i.removed_at is null
        and case when i.user_id is null then new.type <> 1 else i.user_id <> new.id end);
  else
    account := (to_jsonb(new) ->> 'user_id')::integer;
    taken := exists (select from users u where lower(u.email) = wanted and u.removed_at is null
        and case when account is not null then u.id <> account
          else u.type <> case tg_table_name when 'students' then 3 else 1 end
            or exists (select from students s where s.user_id = u.id) or exists (select from instructors i where i.user_id = u.id) end)
      or exists (select from students s where lower(s.email) = wanted and s.removed_at is null
        and case tg_table_name when 'students' then s.id <> new.id else account is null or s.user_id is distinct from account end)
      or exists (select from instructors i where lower(i.email) = wanted and i.removed_at is null
        and case tg_table_name when 'instructors' then i.id <> new.id else account is null or i.user_id is distinct from account end);
  end if;
  if taken then
    raise exception using errcode = '23505', constraint = 'email_of_another_person',
      message = 'the e-mail is that of another person', detail = 'Key (email)=(' || new.email || ') already exists.';
  end if;
  return new;
end $$;
create function lock_emails() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('e-mail'), 0);
  return null;
end $$;
do $$
declare
  one text;
begin
  foreach one in array array['students', 'instructors', 'users'] loop
    -- Whoever writes addresses waits for who else does: each sees what the other wrote.
    execute format('create trigger email_lock_insert before insert on %I for each statement execute function lock_emails()', one);
    execute format('create trigger email_lock_update before update of email, removed_at on %I for each statement execute function lock_emails()', one);
    execute format('create trigger email_insert before insert on %I for each row when (new.email is not null) execute function refuse_email_of_another()', one);
    execute format('create trigger email_update before update of email, removed_at on %I for each row
      when (new.email is not null and new.removed_at is null
        and (lower(new.email) is distinct from lower(old.email) or old.removed_at is not null)) execute function refuse_email_of_another()', one);
  end loop;
end $$;

-- A room keeps the places of what is planned in it. Planning holds the room (`for share`) while it looks at its capacity.
create function refuse_smaller_room() returns trigger language plpgsql as $$
declare
  planned record;
begin
  select m.quota + m.over_quota as seats, c.code as course into planned
    from offering_slots m join offerings o on o.id = m.offering_id and o.removed_at is null join courses c on c.id = o.course_id
    join terms t on t.id = m.term_id and t.end_date >= current_date
    where m.location_id = new.id order by seats desc limit 1;
  if planned.seats > new.capacity then
    raise exception using errcode = 'UE409', message = 'location_capacity_planned',
      detail = json_build_object('seats', planned.seats, 'course', planned.course, 'capacity', new.capacity)::text;
  end if;
  return new;
end $$;
create trigger smaller_room before update of capacity, location_type on locations
  for each row when (new.location_type <> 'online' and (new.capacity < old.capacity or old.location_type = 'online'))
  execute function refuse_smaller_room();
