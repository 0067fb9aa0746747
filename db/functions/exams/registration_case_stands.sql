-- Whether a decision stands by which a registration is in a state (Punished, Banned, Absent, Excused by their flags).
create or replace function registration_case_stands(of_registration integer, state bigint) returns boolean
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
