-- Who is asked to answer which sets of a questionnaire now. 262144: is registered in the course.
create or replace function questionnaire_asked(questionnaire integer) returns table (set_id integer, user_id integer) language sql stable as $$
  select distinct x.id, s.user_id
  from questionnaires q join questionnaire_types y on y.id = q.type_id
    join questionnaire_sets x on x.questionnaire_id = q.id and x.offering_id is not null
    join registrations r on r.offering_id = x.offering_id and r.status & 262144::bigint <> 0
    join students s on s.id = r.student_id and s.removed_at is null and s.user_id is not null
      and (q.program_id is null or s.program_id = q.program_id)
  where q.id = questionnaire and (x.instructor_id is null or questionnaire_taught_by(r.id, x.offering_id, x.instructor_id))
  union all
  select distinct x.id, s.user_id
  from questionnaires q join questionnaire_types y on y.id = q.type_id
    join questionnaire_sets x on x.questionnaire_id = q.id and x.offering_id is null and not x.pooled
    join students s on s.removed_at is null and s.user_id is not null
      and s.status = case y.kind when 'student' then 'studying' when 'graduate' then 'graduated' end
      and (q.faculty_id is null or s.faculty_id = q.faculty_id) and (q.program_id is null or s.program_id = q.program_id)
      and of_graduation_year(q.graduation_year_id, s.status_decision_id)
  where q.id = questionnaire
  union all
  select x.id, u.id
  from questionnaires q join questionnaire_types y on y.id = q.type_id and y.kind = 'faculty'
    join questionnaire_sets x on x.questionnaire_id = q.id and x.offering_id is null and not x.pooled
    join users u on u.type in (1, 2) and u.removed_at is null and u.blocked_at is null
    left join instructors i on i.user_id = u.id
  where q.id = questionnaire and (q.faculty_id is null or coalesce(i.faculty_id, u.faculty_id) = q.faculty_id)
$$;
