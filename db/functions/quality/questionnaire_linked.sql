-- Whom a questionnaire asks by a link: graduates, or outsiders of its list; with the address to which it is sent.
create or replace function questionnaire_linked(questionnaire integer)
returns table (set_id integer, student_id integer, outsider_id integer, user_id integer, email text) language sql stable as $$
  select g.set_id, g.student_id, null::integer, g.user_id, g.email from questionnaire_graduates(questionnaire) g
  union all
  select x.id, null::integer, o.id, null::integer, o.email
  from questionnaires q join questionnaire_types y on y.id = q.type_id and y.kind = 'outsider'
    join questionnaire_sets x on x.questionnaire_id = q.id and x.offering_id is null and not x.pooled
    join questionnaire_outsiders o on o.questionnaire_id = q.id
  where q.id = questionnaire
$$;
