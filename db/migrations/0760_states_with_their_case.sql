-- A registration is punished, banned, absent or excused by a decision, and by nothing else: an investigation, a case of
-- absence, an absence recorded in the final exam, an excuse. At commit both stand, or neither does, whoever wrote.
create index exam_cases_punished on exam_cases using gin (punished_ids) where status in ('punished', 'appealed');

/* Whether a decision stands by which a registration is in a state (Punished, Banned, Absent, Excused by their flags). */
create function registration_case_stands(of_registration integer, state bigint) returns boolean
language sql stable as $$
  select case state
    when 134217728 then exists (select from exam_cases k where k.punished_ids @> array[of_registration]
      and k.status in ('punished', 'appealed') and k.removed_at is null)
    when 2305843009213693952 then exists (select from absence_cases k where k.registration_id = of_registration
      and k.status = 'banned' and k.removed_at is null)
    when 536870912 then exists (select from exam_absences a join exam_schedules s on s.id = a.exam_schedule_id
        join exams e on e.id = s.exam_id
      where a.registration_id = of_registration and a.status = 'recorded' and a.removed_at is null and e.kind = 'final')
    when 2048 then exists (select from excuses x join registrations r on r.id = of_registration
      where x.student_id = r.student_id and x.term_id = r.term_id and x.kind in ('course', 'term') and x.status = 'accepted'
        and x.removed_at is null and (x.offering_id is null or x.offering_id = r.offering_id))
    else false end
$$;

/* Whether nobody came to the final exam is told by its mark as well. */
create function absent_by_mark(of_registration integer) returns boolean language sql stable as $$
  select exists (select from registration_marks m join offering_marks o on o.id = m.offering_mark_id
      join mark_categories k on k.id = o.mark_category_id
    where m.registration_id = of_registration and m.absent and k.is_final_exam)
$$;

/* The state of a registration among those that a decision leads to; 0: none of them. */
create function decided_state(status bigint) returns bigint language sql immutable parallel safe as
  'select status & (134217728 | 2305843009213693952 | 536870912 | 2048)::bigint';

create function refuse_without_case(of_registration integer) returns void language plpgsql as $$
declare
  named text;
begin
  select c.code into named from registrations r join courses c on c.id = r.course_id where r.id = of_registration;
  raise exception using errcode = 'UE409', message = 'registration_case_differs',
    detail = json_build_object('course', named, 'id', of_registration)::text;
end $$;

/* What a registration became and what it was before are looked at when everything is written. */
create function registration_with_its_case() returns trigger language plpgsql as $$
declare
  became bigint;
begin
  select decided_state(status) into became from registrations where id = new.id;
  if not found then
    return null;
  end if;
  if became <> 0 and not registration_case_stands(new.id, became) and not (became = 536870912 and absent_by_mark(new.id)) then
    perform refuse_without_case(new.id);
  end if;
  if decided_state(old.status) not in (0, became) and registration_case_stands(new.id, decided_state(old.status)) then
    perform refuse_without_case(new.id);
  end if;
  return null;
end $$;
create constraint trigger registration_with_its_case after update of status on registrations deferrable initially deferred
  for each row when ((old.status # new.status) & (134217728 | 2305843009213693952 | 536870912 | 2048)::bigint <> 0)
  execute function registration_with_its_case();

/* A punishment or a ban that stands has its registrations in that state. */
create function case_with_its_registrations() returns trigger language plpgsql as $$
declare
  named integer;
begin
  if tg_table_name = 'exam_cases' then
    select r.id into named from exam_cases k join registrations r on r.id = any(k.punished_ids)
      where k.id = new.id and k.status in ('punished', 'appealed') and k.removed_at is null and r.status & 134217728 = 0 limit 1;
  else
    select r.id into named from absence_cases k join registrations r on r.id = k.registration_id
      where k.id = new.id and k.status = 'banned' and k.removed_at is null and r.status & 2305843009213693952 = 0 limit 1;
  end if;
  if named is not null then
    perform refuse_without_case(named);
  end if;
  return null;
end $$;
create constraint trigger case_with_its_registrations after update on exam_cases deferrable initially deferred
  for each row when (old.status is distinct from new.status or old.punished_ids is distinct from new.punished_ids)
  execute function case_with_its_registrations();
create constraint trigger case_with_its_registrations after update on absence_cases deferrable initially deferred
  for each row when (old.status is distinct from new.status) execute function case_with_its_registrations();

-- What was so before stays, and is told by the independent checker.
