-- What a questionnaire is about: its sets that are not there yet. Courses may be offered, and instructors named, while it is open.
create or replace function make_questionnaire_sets(questionnaire integer) returns void language sql as $$
  insert into questionnaire_sets (questionnaire_id, offering_id, instructor_id)
  select q.id, o.id, i.instructor_id
  from questionnaires q join questionnaire_types y on y.id = q.type_id and y.about in ('course', 'instructor')
    join offerings o on o.term_id = q.term_id and o.removed_at is null and (q.faculty_id is null or o.faculty_id = q.faculty_id)
    cross join lateral (
      select null::integer as instructor_id where y.about = 'course'
      union
      select t.instructor_id from offering_instructors t where y.about = 'instructor' and t.offering_id in (o.id, o.linked_offering_id)
      union
      select t.instructor_id from offering_slots os join offering_slot_instructors t on t.offering_slot_id = os.id
      where y.about = 'instructor' and os.offering_id in (o.id, o.linked_offering_id)) i
  where q.id = questionnaire and exists (select from registrations r where r.offering_id = o.id and r.status & 262144::bigint <> 0)
  order by o.id, i.instructor_id
  on conflict do nothing;
  insert into questionnaire_sets (questionnaire_id)
  select q.id from questionnaires q join questionnaire_types y on y.id = q.type_id and y.about = 'university' where q.id = questionnaire
  on conflict do nothing;
$$;
