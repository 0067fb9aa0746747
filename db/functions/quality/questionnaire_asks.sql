-- Which sets that are open now ask a person: the other way round than `questionnaire_asked`, by what the person studies.
create or replace function questionnaire_asks(person integer) returns table (set_id integer) language sql stable as $$
  select distinct x.id
  from students s join registrations r on r.student_id = s.id and r.status & 262144::bigint <> 0
    join questionnaire_sets x on x.offering_id = r.offering_id
    join questionnaires q on q.id = x.questionnaire_id and q.status = 'open' and q.removed_at is null
      and university_today() between q.opens_on and q.closes_on
  where s.user_id = person and s.removed_at is null and (q.program_id is null or s.program_id = q.program_id)
    and (x.instructor_id is null or questionnaire_taught_by(r.id, x.offering_id, x.instructor_id))
  union
  select x.id
  from questionnaires q join questionnaire_types y on y.id = q.type_id
    join questionnaire_sets x on x.questionnaire_id = q.id and x.offering_id is null and not x.pooled
    join students s on s.user_id = person and s.removed_at is null
      and s.status = case y.kind when 'student' then 'studying' when 'graduate' then 'graduated' end
      and (q.faculty_id is null or s.faculty_id = q.faculty_id) and (q.program_id is null or s.program_id = q.program_id)
      and of_graduation_year(q.graduation_year_id, s.status_decision_id)
  where q.status = 'open' and q.removed_at is null and university_today() between q.opens_on and q.closes_on
  union
  select x.id
  from questionnaires q join questionnaire_types y on y.id = q.type_id and y.kind = 'faculty'
    join questionnaire_sets x on x.questionnaire_id = q.id and x.offering_id is null and not x.pooled
    join users u on u.id = person and u.type in (1, 2) and u.removed_at is null and u.blocked_at is null
    left join instructors i on i.user_id = u.id
  where q.status = 'open' and q.removed_at is null and university_today() between q.opens_on and q.closes_on
    and (q.faculty_id is null or coalesce(i.faculty_id, u.faculty_id) = q.faculty_id)
$$;
