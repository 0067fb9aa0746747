-- Obligatory questionnaires that a person has to answer now: put off as often as it may be (on that day it still is), and not answered in full.
create or replace function surveys_held(person integer) returns table (name text, name_local text, since date) language sql stable as $$
  select y.name, y.name_local, q.opens_on
  from questionnaires q join questionnaire_types y on y.id = q.type_id
  where q.obligatory and q.status = 'open' and q.removed_at is null and university_today() between q.opens_on and q.closes_on
    and coalesce((select w.times >= q.postponements and w.day < university_today()
      from questionnaire_postponements w where w.questionnaire_id = q.id and w.user_id = person), q.postponements = 0)
    and exists (select from questionnaire_asks(person) a join questionnaire_sets x on x.id = a.set_id
      where x.questionnaire_id = q.id
        and not exists (select from questionnaire_participations p where p.set_id = x.id and p.user_id = person))
$$;
