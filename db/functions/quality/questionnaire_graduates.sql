-- Graduates that a questionnaire asks, with the address to which a link is sent; whether they have an account or not.
create or replace function questionnaire_graduates(questionnaire integer)
returns table (set_id integer, student_id integer, user_id integer, email text) language sql stable as $$
  select x.id, s.id, s.user_id, coalesce(nullif(s.email, ''), u.email)
  from questionnaires q join questionnaire_types y on y.id = q.type_id and y.kind = 'graduate'
    join questionnaire_sets x on x.questionnaire_id = q.id and x.offering_id is null and not x.pooled
    join students s on s.removed_at is null and s.status = 'graduated'
      and (q.faculty_id is null or s.faculty_id = q.faculty_id) and (q.program_id is null or s.program_id = q.program_id)
      and of_graduation_year(q.graduation_year_id, s.status_decision_id)
    left join users u on u.id = s.user_id
  where q.id = questionnaire
$$;
