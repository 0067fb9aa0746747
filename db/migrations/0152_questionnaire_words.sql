-- Everything a questionnaire says can be said in five languages; null: the English text.
alter table questionnaire_types
  add column introduction_de text,
  add column introduction_fr text,
  add column introduction_pt text;
alter table questionnaire_questions
  add column section_de text,
  add column section_fr text,
  add column section_pt text;
alter table questionnaire_options
  add column name_de text,
  add column name_fr text,
  add column name_pt text;
alter table questionnaire_grid_rows
  add column name_de text,
  add column name_fr text,
  add column name_pt text;

-- What stands against a student now: what was put on the record, and an obligatory questionnaire that cannot be put off any more.
-- The second is stored nowhere: when it were lifted would tell when somebody answered.
install function surveys_held;
create view standing_holds as
  select h.id, h.student_id, h.kind, h.note, h.note_local, h.since from student_holds h where h.lifted_at is null
  union all
  select null, s.id, 'obligatory_survey', q.name, q.name_local, q.since
  from students s cross join lateral surveys_held(s.user_id) q
  where s.removed_at is null and s.user_id is not null
    and exists (select from questionnaires o where o.obligatory and o.status = 'open' and o.removed_at is null);
